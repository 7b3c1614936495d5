import type { Page } from '@playwright/test'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { Secret, TOTP } from 'otpauth'
import { expect, test, signInAs } from './fixtures.ts'
import { discardPage } from './kept-page.ts'
import { openAccount } from './new-account.ts'

const password = 'four lamps on the pier'
const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
test.afterAll(() => db.destroy())
let count = 0

const newPerson = (page: Page) =>
  openAccount(page, { email: `profile-${Date.now()}-${++count}@example.test`, password, team_name: 'Harbour Lights' })

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({ timestamp: Date.now() + steps * 30_000 })

async function signInByPassword(page: Page, email: string, given = password) {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(given)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('the profile shows account, sign-in, sessions and team, and is accessible', async ({ page, open, expectAccessible }) => {
  await newPerson(page)
  await open('/profile')
  const shows = async (...names: string[]) => {
    for (const name of names) await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible()
    await expectAccessible()
  }
  await shows('Sign-in', 'Two-factor authentication', 'Passkeys', 'Sessions')
  await expect(page.getByRole('row', { name: /This one/ })).toContainText('Chrome on Linux')
  await page.getByRole('tab', { name: 'Team' }).click()
  await shows('Team', 'Your teams')
  await page.getByRole('tab', { name: 'Account' }).click()
  await shows('Account', 'Appearance')
  // Each tab has its address, and the way back goes through them.
  await expect(page).toHaveURL(/#\/profile\?tab=account$/)
  await page.reload()
  await shows('Account', 'Appearance')
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Team' })).toHaveAttribute('aria-selected', 'true')
  await page.goForward()
  await page.getByRole('textbox', { name: 'Team name' }).fill('Lighthouse')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('banner').getByText('Lighthouse')).toBeVisible()
  await page.getByRole('tab', { name: 'Sign-in' }).click()
  const own = page.getByRole('textbox', { name: 'Your name' })
  await own.fill(' Grace Holm ')
  await page.getByRole('button', { name: 'Save name' }).click()
  // As the server keeps it.
  await expect(own).toHaveValue('Grace Holm')
  // Nothing is left to save, and whoever saves by the keyboard is where they were.
  await expect(page.getByRole('button', { name: 'Save name' })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('button', { name: 'Save name' })).toBeFocused()
  await page.getByRole('tab', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('two-factor authentication: switched on, asked for, replaced by a recovery code, switched off', async ({
  page,
  open,
  expectAccessible,
}) => {
  const email = await newPerson(page)
  await open('/profile')
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByLabel('Your password').fill('not the password')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('The password is wrong')).toBeVisible()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent())!
  await page.getByLabel('Code from the app').fill(codeOf(secret, -1))
  await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click()
  const list = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(list).toHaveCount(10)
  const codes = await list.allTextContents()
  await page.getByRole('checkbox', { name: 'I have saved these codes' }).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('10 of 10')).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await signInByPassword(page, email)
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('The code is wrong or has been used already')).toBeVisible()
  await expectAccessible()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code', { exact: true }).fill(codes[0]!)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()

  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(page.getByText('9 of 10')).toBeVisible()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByLabel('Code from your authenticator app').fill(codeOf(secret))
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await expect(page.getByRole('button', { name: 'Switch on' })).toBeVisible()
})

test('a passkey: added, signs in without a password, removed', async ({ page, baseURL }) => {
  // Passkeys belong to a name.
  const base = baseURL!.replace('127.0.0.1', 'localhost')
  discardPage()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  const email = `passkey-${Date.now()}@example.test`
  await openAccount(page, { email, password, team_name: 'Key Works' }, base)
  await page.goto(`${base}/#/profile`)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('dialog', { name: 'Name your passkey' }).getByLabel('Name').fill('Laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click()
  await expect(page.getByRole('row', { name: /Laptop/ })).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Continue with a passkey' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()

  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('button', { name: 'Actions for Laptop' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(page.getByText('Verified with a passkey.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(page.getByText('You have no passkeys')).toBeVisible()
})

test('password and e-mail change; the other session ends', async ({ page, open, browser, baseURL }) => {
  const email = await newPerson(page)
  const elsewhere = await browser.newContext({ baseURL: baseURL! })
  await signInAs(await elsewhere.newPage(), email, password)
  await open('/profile')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByLabel('New password', { exact: true }).fill('five lamps on the pier')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Your password is changed.').first()).toBeVisible()
  expect((await elsewhere.request.get('/v1/auth/user_info')).status()).toBe(401)
  await elsewhere.close()
  await expect(page.getByRole('row', { name: /This one/ })).toBeVisible()

  await page.getByRole('button', { name: 'Change e-mail' }).click()
  await dialog.getByLabel('New e-mail').fill(`new-${email}`)
  await dialog.getByLabel('Your password').fill('five lamps on the pier')
  await dialog.getByRole('button', { name: 'Mail the link' }).click()
  await expect(page.getByText(`A link was mailed to new-${email}. Your e-mail changes`)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel change' }).click()
  await expect(page.getByText('Your e-mail changes')).toBeHidden()
})

test('the profile is hidden while acting on another account', async ({ page, signIn, open }) => {
  await signIn('operator')
  const switched = await page.request.post('/v1/auth/switch_account', { data: { team_member_email: 'owner@demo.test' } })
  expect(switched.ok(), await switched.text()).toBe(true)
  await open('/')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Profile' })).toBeHidden()
})

test('other sessions end once one has proved oneself', async ({ page }) => {
  const email = await newPerson(page)
  await page.context().clearCookies()
  await signInAs(page, email, password)
  // The sign-in is some time ago.
  const own = db.selectFrom('person').select('id').where('email', '=', email)
  await db.updateTable('session').set({ proved_at: null }).where('person_id', 'in', own).execute()
  await page.goto('/#/profile')
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign out everywhere else?' })
  await dialog.getByLabel('Your password').fill('not the password')
  await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(dialog.getByText('The password is wrong')).toBeVisible()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toHaveAttribute('aria-disabled', 'true')
})
