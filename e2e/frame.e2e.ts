import { expect, test } from './fixtures.ts'

const suspendedWords = 'Your account is suspended. Please add a valid payment method and credits to your account.'

test('a suspended account is told so on every screen, and is asked for once', async ({ page, signIn, open, expectAccessible }) => {
  let asked = 0
  await page.route('**/v1/account', async (route) => {
    asked++
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), suspended: true } })
  })
  await signIn('empty')
  await open('/')
  const warning = page.getByText(suspendedWords, { exact: true })
  await expect(warning).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assets' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
  await expect(warning).toBeVisible()
  await expectAccessible()
  expect(asked).toBe(1)
})

test('an account in good standing sees no warning', async ({ page, signIn, open }) => {
  await signIn('empty')
  const answered = page.waitForResponse('**/v1/account')
  await open('/')
  await answered
  await expect(page.getByText('suspended')).toBeHidden()
})

test('community and contact are pages of ours, or the installation’s own', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/contact')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'Contact' })).toHaveAttribute('aria-current', 'page')
  await expectAccessible()
  await menu.getByRole('link', { name: 'Community' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Community' })).toBeVisible()
  await page.route('/', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace(
      '&quot;community&quot;:null',
      '&quot;community&quot;:&quot;https://forum.example.test/&quot;'
    )
    await route.fulfill({ response: answer, body })
  })
  await page.reload()
  const outside = menu.getByRole('link', { name: 'Community' })
  await expect(outside).toHaveAttribute('href', 'https://forum.example.test/')
  await expect(outside).toHaveAttribute('target', '_blank')
})

test('a member sees help only as far as it was granted, and no backoffice', async ({ page, signIn, open }) => {
  await page.route('**/v1/auth/user_info', async (route) => {
    const answer = await route.fetch()
    const user = (await answer.json()) as { member_of: object[] }
    const member_of = [{ email: 'owner@demo.test', team_name: 'Acme Telemetry', permissions: ['overview.view'] }]
    await route.fulfill({ response: answer, json: { ...user, acting_as: 'owner@demo.test', member_of } })
  })
  await signIn('operator')
  await open('/')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link')).toHaveText(['Overview'])
  await expect(menu.getByRole('group')).toHaveCount(1)
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
