import { expect, test } from './fixtures.ts'

// Runs against the console built for history routing. The installation behind it is set up as one of a customer's: without the demo, and with a
// forum of its own and a card provider, which no test reaches.

test('plain paths lead to their screens, also when opened directly', async ({ page, signIn }) => {
  await signIn('owner')
  await page.goto('/assets?search=reefer')
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
  await expect(page).toHaveURL(/\/assets\?.*search=reefer/)
  expect(page.url()).not.toContain('#')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
})

test('the intended path is kept through the sign-in, and an unknown one leads to the overview', async ({ page }) => {
  await page.goto('/usage/total')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('textbox', { name: 'E-mail' }).fill('owner@demo.test')
  await page.getByLabel('Password', { exact: true }).fill('masthead-demo')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Total Cellular Data Usage' })).toBeVisible()
  await page.goto('/no/such/path')
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  // Neither the sign-in nor the unknown path left anything to go back to.
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Total Cellular Data Usage' })).toBeVisible()
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/usage\/total$/)
})

test('where the link of a mail leads is a plain path', async ({ page, browser }) => {
  const [email, password] = [`mailed-${Date.now()}@example.test`, 'four lamps on the pier']
  // The demo beside this one shows the mail; its links are as its own console was built.
  const mailbox = await browser.newContext({ baseURL: process.env.MASTHEAD_E2E_URL! })
  await mailbox.request.post('/v1/auth/register', { data: { email, password, team_name: 'Harbour Lights' } })
  await page.request.post('/v1/auth/forgot_password', { data: { email } })
  const link = async () => /\/reset-password\?token=[\w-]+/.exec(await (await mailbox.request.get('/v1/demo/mail')).text())?.[0]
  await expect.poll(link).toBeTruthy()
  await page.goto((await link())!)
  await page.getByLabel('New password', { exact: true }).fill('five lamps on the pier')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  await mailbox.close()
})

test('staff without a second factor are led to one, and back', async ({ page, signIn, expectAccessible }) => {
  await signIn('staff')
  await page.goto('/masa/logs')
  await page.getByRole('link', { name: 'Set up a second factor' }).click()
  await expect(page.getByText('The backoffice requires a second factor of staff.')).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0) // a button that becomes usable changes its colours
  await expectAccessible()
  await page.getByRole('link', { name: 'Back to the backoffice' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Backoffice Access' })).toBeVisible()
  await expect(page).toHaveURL(/redirect_url=%2Fmasa%2Flogs/)
})

test('the community of the installation is a link that leads outside', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/contact')
  const outside = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Community' })
  await expect(outside).toHaveAttribute('href', 'https://forum.example.test/')
  await expect(outside).toHaveAttribute('target', '_blank')
})

test('the card provider’s client is made at the start, after the first screen, and only where it is configured', async ({
  page,
  signIn,
}) => {
  const asked: string[] = []
  await page.route('https://js.stripe.com/**', (route) => {
    asked.push(route.request().url())
    return route.abort()
  })
  // A link's secret in the address is not for its script.
  await page.goto('/reset-password?token=secret')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await signIn('owner')
  const warned = page.waitForEvent('console', (message) => message.text().includes('The card form could not be loaded'))
  const answer = (await page.goto('/faq'))!
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The screen stands without it: the provider cannot be reached here.
  await warned
  expect(asked.length).toBeGreaterThan(0)
  expect(answer.headers()['content-security-policy']).toContain('https://js.stripe.com')
})

test('the configured privacy policy is where every link leads, and our own words for it are never seen', async ({ page, signIn }) => {
  const theirs = 'https://legal.example.test/privacy'
  await page.goto('/login')
  await expect(page.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', theirs)
  await expect(page.getByRole('link', { name: 'Terms of Use' })).toHaveAttribute('href', '/terms')
  const asked = page.waitForRequest(theirs)
  await page.goto('/privacy').catch(() => undefined) // the name leads nowhere
  await asked
  await expect(page.getByText('What is kept')).toHaveCount(0)
  await signIn('owner')
  await page.goto('/')
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', theirs)
})
