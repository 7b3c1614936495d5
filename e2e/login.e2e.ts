import { enter } from './backoffice-page.ts'
import { expect, test, signInAs } from './fixtures.ts'
import { openAccount } from './new-account.ts'

test('signs in and goes where one wanted to go', async ({ page }) => {
  await page.goto('/#/assets?type=core')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('textbox', { name: 'E-mail' }).fill('Owner@demo.test ')
  await page.getByLabel('Password', { exact: true }).fill('masthead-demo')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
  await expect(page).toHaveURL(/#\/assets\?.*type=core/)
  // The way over the sign-in left nothing to go back to.
  await page.goto('/#/activities')
  await expect(page.getByRole('heading', { level: 1, name: 'Recent Activities' })).toBeVisible()
  const before = await page.evaluate<number>('history.length')
  await page.request.post('/v1/auth/logout')
  await page.reload()
  await page.getByRole('textbox', { name: 'E-mail' }).fill('owner@demo.test')
  await page.getByLabel('Password', { exact: true }).fill('masthead-demo')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Recent Activities' })).toBeVisible()
  expect(await page.evaluate<number>('history.length')).toBe(before)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
})

test('without an answer the sign-in says so, and goes on where one wanted to go when there is one', async ({ page, signIn }) => {
  await signIn('owner')
  await page.route('**/v1/**', (route) => route.abort())
  const logged = page.waitForEvent('console', (message) => message.text().includes('Could not read who is signed in'))
  await page.goto('/#/activities')
  await logged
  await expect(page.getByRole('alert').filter({ hasText: 'The server did not answer' })).toBeVisible({ timeout: 20_000 })
  await page.unroute('**/v1/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Recent Activities' })).toBeVisible()
})

test('says the same for a wrong password and an unknown e-mail', async ({ page }) => {
  const words: (string | null)[] = []
  for (const email of ['owner@demo.test', 'nobody@demo.test']) {
    await page.goto('/#/login')
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
    // But for the number of the request.
    words.push((await page.getByRole('main').getByRole('alert').textContent())!.replace(/req_\w+/, ''))
  }
  expect(words[0]).toContain('wrong')
  expect(words[1]).toBe(words[0])
})

test('opens an account, with the mistakes beside their fields', async ({ page, expectAccessible }) => {
  await page.goto('/#/login?mode=register')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Enter the name of your company or team')).toBeVisible()
  await page.getByRole('textbox', { name: 'Company or team' }).fill('Harbour Lights')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(`harbour-${Date.now()}@example.test`)
  await page.getByLabel('Password', { exact: true }).fill('password123')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('one of the commonest passwords')).toBeVisible()
  await expectAccessible()
  await page.getByLabel('Password', { exact: true }).fill('four lamps on the pier')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
})

test('a taken e-mail is said, and what was written is kept; whoever comes by an invitation reads what it takes', async ({ page }) => {
  const redirect = encodeURIComponent('/notifications?tab=invitations')
  await page.goto(`/#/login?mode=register&email=owner%40demo.test&redirect=${redirect}`)
  await expect(page.getByText('create an account with the address it was sent to')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toHaveValue('owner@demo.test')
  await page.getByRole('textbox', { name: 'Company or team' }).fill('Second Acme')
  await page.getByLabel('Password', { exact: true }).fill('four lamps on the pier')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('An account with this e-mail already exists')
  await expect(page.getByRole('textbox', { name: 'Company or team' })).toHaveValue('Second Acme')
})

test('signing out ends the session here and on the server', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect((await page.request.get('/v1/auth/user_info')).status()).toBe(401)
})

test('signing out inside the backoffice leads to the sign-in alone, wherever one stands', async ({ page, signIn, open }) => {
  for (const path of ['/masa', '/masa/accounts/owner@demo.test?tab=assets', '/masa/logs?result=refused']) {
    await signIn('staff')
    await enter(page)
    await open(path)
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expect(page).toHaveURL(/#\/login$/)
    expect(await page.evaluate<unknown>(`localStorage.getItem('masthead-backoffice-token')`)).toBeNull()
  }
})

test('a stay that is refused while one signs out does not stand in the way', async ({ page, signIn, open }) => {
  await signIn('staff')
  const headers = await enter(page)
  await open('/masa/logs')
  const refused = page.waitForResponse((response) => response.status() === 403 && response.url().includes('/backoffice/'))
  await page.route('**/v1/auth/logout', async (route) => {
    expect((await page.request.post('/v1/backoffice/logout', { headers })).status()).toBe(200)
    await page.evaluate(`document.querySelector('button[aria-label="Next page"]')?.click()`)
    await refused
    await route.continue()
  })
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page).toHaveURL(/#\/login$/)
})

test('an answer without a session to one call signs out, and says why', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/faq')
  // Asked by a browser that has no cookie, the server says that nobody is signed in.
  await page.route('**/v1/assets?*', (route) => route.continue({ url: route.request().url().replace('127.0.0.1', 'localhost') }))
  await page.getByRole('link', { name: 'Assets', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('You are signed out because your session was ended')).toBeVisible()
})

test('where it cannot be found out who is signed in, the sign-in says so, and asks again', async ({ page, signIn }) => {
  await signIn('owner')
  await page.route('**/v1/auth/user_info', (route) => route.abort())
  await page.goto('/#/activities')
  await expect(page.getByText('It could not be found out whether you are signed in.')).toBeVisible()
  await page.unroute('**/v1/auth/user_info')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Recent Activities' })).toBeVisible()
})

test('a browser that keeps no session is said', async ({ page }) => {
  await page.goto('/#/login')
  // Asked by another name of this machine, the browser sends no cookie along.
  await page.route('**/v1/auth/user_info', (route) => route.continue({ url: route.request().url().replace('127.0.0.1', 'localhost') }))
  await page.getByRole('textbox', { name: 'E-mail' }).fill('empty@demo.test')
  await page.getByLabel('Password', { exact: true }).fill('masthead-demo')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('your browser did not keep the session')).toBeVisible()
})

test('a session that ended elsewhere leads to the sign-in with the way back', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/assets')
  await page.request.post('/v1/auth/logout')
  await page.goto('/#/activities')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page).toHaveURL(/redirect=%2Factivities/)
  await expect(page.getByText('You are signed out because your session was ended')).toBeVisible()
})

test('a forgotten password: the same words for every address, and a link that sets another once', async ({
  page,
  browser,
  baseURL,
  expectAccessible,
}) => {
  const email = `forgot-${Date.now()}@example.test`
  await openAccount(page, { email, password: 'four lamps on the pier', team_name: 'Harbour Lights' })
  await page.request.post('/v1/auth/logout')
  // Another browser of the same person reads the demo's mail.
  const mailbox = await browser.newContext({ baseURL: baseURL! })
  await signInAs(await mailbox.newPage(), email, 'four lamps on the pier')
  await page.goto('/#/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByRole('textbox', { name: 'E-mail' }).fill('nobody@example.test')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText('If there is an account with nobody@example.test')).toBeVisible()
  await expectAccessible()
  await page.getByRole('link', { name: 'Back to the sign-in' }).click()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText(`If there is an account with ${email}`)).toBeVisible()

  const link = async () => /reset-password\?token=[\w-]+/.exec(await (await mailbox.request.get('/v1/demo/mail')).text())?.[0]
  await expect.poll(link).toBeTruthy()
  await page.goto(`/#/${await link()}`)
  await page.getByLabel('New password', { exact: true }).fill('five lamps on the pier')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  expect((await mailbox.request.get('/v1/auth/user_info')).status()).toBe(401)
  await mailbox.close()
  await page.getByRole('link', { name: 'Go to the sign-in' }).click()
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill('five lamps on the pier')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
})

test('a link of a mail that is over says so and offers another', async ({ page }) => {
  await page.goto('/#/reset-password?token=made-up')
  // At once: nobody thinks of a password for nothing.
  await expect(page.getByText('This link has been used or has expired.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ask for a new link' })).toBeVisible()
  await page.goto('/#/confirm-email?token=made-up')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('This link has been used or cancelled, or it has expired.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to your profile' })).toBeVisible()
})
