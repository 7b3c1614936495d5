import { openProductDatabase } from '@masthead/testkit/product-database'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
test.afterAll(() => db.destroy())

const suspendedWords = 'Your account is suspended. Please add a valid payment method and credits to your account.'

test('a suspended account is shown so on every screen, and is asked for once', async ({ page, open, expectAccessible }) => {
  const email = await openAccount(page, {
    email: `unpaid-${Date.now()}@example.test`,
    password: 'four lamps on the pier',
    team_name: 'Unpaid',
  })
  await db
    .updateTable('account')
    .set({ suspended_at: new Date(), suspended_reason: 'Unpaid' })
    .where('id', 'in', db.selectFrom('person').select('account_id').where('email', '=', email))
    .execute()
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('/v1/account') && asked.push(request.url()))
  await open('/')
  const warning = page.getByText(suspendedWords, { exact: true })
  await expect(warning).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assets' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
  await expect(warning).toBeVisible()
  await expectAccessible()
  expect(asked).toHaveLength(1)
})

test('an account in good standing sees no warning', async ({ page, signIn, open }) => {
  await signIn('empty')
  const answered = page.waitForResponse('**/v1/account')
  await open('/')
  await answered
  await expect(page.getByText('suspended')).toBeHidden()
})

test('community and contact are pages of ours', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/contact')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'Contact' })).toHaveAttribute('aria-current', 'page')
  await expectAccessible()
  await menu.getByRole('link', { name: 'Community' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Community' })).toBeVisible()
})

test('the footer has the policies and the year', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/activities')
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText(`© ${new Date().getUTCFullYear()} Masthead`)
  await footer.getByRole('link', { name: 'Terms of Use' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Use' })).toBeVisible()
  await page.goBack()
  await footer.getByRole('link', { name: 'Privacy Policy' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible()
})

test('Tab goes through the bar as the eye does, where the toggle comes before the logo', async ({ page, signIn, open }) => {
  await page.setViewportSize({ width: 700, height: 700 })
  await signIn('empty')
  await open('/faq')
  const bar = page.getByRole('banner').first()
  await bar.getByRole('button', { name: 'Open the sidebar' }).focus()
  await page.keyboard.press('Tab')
  await expect(bar.getByRole('link', { name: 'Masthead' })).toBeFocused()
})

test('a sign-out that the server did not hear says so', async ({ page, signIn, open }) => {
  await signIn('empty')
  await open('/faq')
  await page.route('**/*', (route) => route.abort())
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('alert')).toContainText('You are signed out in this window')
})

test('of card providers the policy names the one that there is, whose script comes once the first screen is there', async ({
  page,
  signIn,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await signIn('owner')
  const policy = (await page.goto('/'))!.headers()['content-security-policy']!
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
  const [sandbox, ...others] = new Set(policy.match(/https?:[^ ;]+/g))
  expect([sandbox, others]).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), []])
  await expect.poll(() => asked.filter((url) => url.startsWith(sandbox!))).toEqual([`${sandbox}/v3/`])
  expect(asked.filter((url) => url.includes('stripe.com'))).toEqual([])
})

test('whoever walks backwards by keyboard sees what has the focus: nothing that stays covers it', async ({ page, signIn, open }) => {
  await signIn('owner')
  await page.setViewportSize({ width: 1280, height: 500 })
  await open('/assets')
  await expect(page.getByRole('row')).toHaveCount(11)
  await page.getByRole('contentinfo').getByRole('link').last().focus()
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  const covered = () =>
    page.evaluate<string | null>(`(() => {
      const at = document.activeElement
      const { left, right, top, bottom } = at.getBoundingClientRect()
      const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return at.closest('#main') && !(seen && (at.contains(seen) || seen.closest('label')?.contains(at))) ? at.outerHTML.slice(0, 120) : null
    })()`)
  const hidden: string[] = []
  let inList = 0
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Shift+Tab')
    if (await page.evaluate<boolean>(`document.activeElement.closest('table') !== null`)) inList++
    const words = await covered()
    if (words) hidden.push(words)
  }
  expect(inList).toBeGreaterThan(20)
  expect(hidden).toEqual([])
})
