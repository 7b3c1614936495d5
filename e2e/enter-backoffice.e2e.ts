import type { Page } from '@playwright/test'
import { dialog, enter } from './backoffice-page.ts'
import { expect, test } from './fixtures.ts'

// The ways into the backoffice and out of it.

const password = 'masthead-demo'

test('staff without assets of their own begin at the backoffice, and find it from everywhere', async ({
  page,
  open,
  signIn,
  expectAccessible,
}) => {
  await page.goto('/#/login')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('staff@demo.test')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Backoffice Access' })).toBeVisible()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('textbox', { name: 'Reason' }).fill('Ticket 24: the first screen')
  await page.getByRole('button', { name: 'Enter the backoffice' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Backoffice', exact: true })).toBeVisible()

  // Their own overview says where customers are.
  await signIn('staff')
  await open('/')
  await expect(page.getByText('Customers and their assets are in the backoffice.')).toBeVisible()
  await expectAccessible()
  await page.getByRole('banner').getByRole('link', { name: 'Backoffice' }).click()
  await expect(page).toHaveURL(/#\/masa/)
  await page.setViewportSize({ width: 360, height: 740 })
  await open('/faq')
  await expect(page.getByRole('heading', { level: 1, name: 'Frequently Asked Questions' })).toBeVisible()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'Backoffice' })).toBeVisible()
})

test('the way in asks who one is and why, leads where one wanted, and only to our own addresses', async ({
  page,
  signIn,
  expectAccessible,
}) => {
  await signIn('staff')
  await page.goto('/#/masa/gateways')
  await expect(page.getByRole('heading', { level: 1, name: 'Backoffice Access' })).toBeVisible()
  await expect(page).toHaveURL(/redirect_url=%2Fmasa%2Fgateways/)
  // No row of the backoffice before one is in it.
  await expect(page.getByRole('group', { name: 'Backoffice' })).toBeHidden()
  await expectAccessible()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Ticket 5: a test')
  await page.getByRole('textbox', { name: 'Your password' }).fill('wrong')
  await page.getByRole('button', { name: 'Enter the backoffice' }).click()
  await expect(page.getByRole('main')).toContainText('The password is wrong')
  await page.getByRole('textbox', { name: 'Your password' }).fill('masthead-demo')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Gateways' })).toBeVisible()
  await expect(page.getByRole('banner').or(page.getByRole('main'))).toContainText([/Backoffice ends in 30 min/])
  // With a valid token the access screen leads back.
  await page.goto('/#/masa')
  await expect(page.getByRole('heading', { level: 1, name: 'Backoffice' })).toBeVisible()
  await page.goto('/#/masa/access?redirect_url=https://elsewhere.test')
  await expect(page.getByRole('heading', { level: 1, name: 'Backoffice', exact: true })).toBeVisible()
  // One may stay longer, and leaving ends it.
  await page.getByRole('button', { name: 'Extend' }).click()
  await dialog(page, 'Stay signed in for another 30 minutes').getByRole('textbox', { name: 'Your password' }).fill('masthead-demo')
  await dialog(page, 'Stay signed in for another 30 minutes').getByRole('button', { name: 'Extend' }).click()
  await expect(dialog(page, 'Stay signed in for another 30 minutes')).toBeHidden()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click()
  await dialog(page, 'Leave the backoffice?').getByRole('button', { name: 'Leave the backoffice' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
  await expect.poll(() => page.evaluate(`localStorage.getItem('masthead-backoffice-token')`)).toBeNull()
  await page.goto('/#/masa')
  await expect(page.getByRole('heading', { level: 1, name: 'Backoffice Access' })).toBeVisible()
})

test('an ended or forged token leads to the access screen; a customer does not get that far', async ({ page, signIn }) => {
  await signIn('staff')
  const headers = await enter(page)
  await page.request.post('/v1/backoffice/logout', { headers })
  await page.goto('/#/masa/accounts')
  await expect(page.getByRole('heading', { level: 1, name: 'Backoffice Access' })).toBeVisible()
  await expect(page).toHaveURL(/redirect_url=%2Fmasa%2Faccounts/)
  await signIn('owner')
  await page.goto('/#/masa')
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
})

test('an unknown path of the backoffice leads to its first screen, and the token stays', async ({ page, signIn, open }) => {
  await signIn('staff')
  await enter(page)
  await open('/masa/accounts')
  await page.goto('/#/masa/no-such-screen')
  await expect(page.getByRole('heading', { level: 1, name: 'Backoffice', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/#\/masa$/)
  expect(await page.evaluate(`localStorage.getItem('masthead-backoffice-token')`)).not.toBeNull()
  // Nor does an account that is no staff come in by one.
  await signIn('owner')
  await page.goto('/#/masa/no-such-screen')
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
})

test('a customer sees no way in, and begins at the overview', async ({ page }) => {
  await page.goto('/#/login')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('empty@demo.test')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Backoffice' })).toHaveCount(0)
})

test('whoever leaves the backoffice is asked first, for it costs password and reason to come back', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('staff')
  await enter(page)
  await open('/masa')
  const kept = () => page.evaluate<unknown>(`localStorage.getItem('masthead-backoffice-token')`)
  const question = page.getByRole('dialog', { name: 'Leave the backoffice?' })
  const menu = page.getByRole('navigation', { name: 'Main' })
  // Inside nothing is asked.
  await menu.getByRole('link', { name: 'Accounts' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Accounts' })).toBeVisible()
  await menu.getByRole('link', { name: 'Assets' }).click()
  await expect(question).toBeVisible()
  await expectAccessible()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(page).toHaveURL(/#\/masa\/accounts$/)
  expect(await kept()).toBeTruthy()

  // A glance in a new tab ends nothing.
  await menu.getByRole('link', { name: 'Assets' }).click()
  const [glance] = await Promise.all([page.waitForEvent('popup'), question.getByRole('link', { name: 'Open in a new tab' }).click()])
  await expect(glance.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
  await glance.close()
  await expect(question).toBeHidden()
  expect(await kept()).toBeTruthy()

  const ended = page.waitForRequest('**/v1/backoffice/logout')
  await menu.getByRole('link', { name: 'Assets' }).click()
  await question.getByRole('button', { name: 'Leave the backoffice' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
  await ended
  expect(await kept()).toBeNull()
})

test('signing out of the backoffice asks nothing', async ({ page, signIn, open }) => {
  await signIn('staff')
  await enter(page)
  await open('/masa')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/#\/login/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

const kept = (page: Page) => page.evaluate<unknown>(`localStorage.getItem('masthead-backoffice-token')`)

// An address that is typed into the address bar has an entry in the history that is not the router's.
const typed = [
  { name: 'into an address that was typed', before: '/activities', heading: 'Recent Activities' },
  { name: 'out of one, into an entry of the router', before: null, heading: 'Contact' },
]
for (const { name, before, heading } of typed)
  test(`Back asks before the backoffice is left, ${name}`, async ({ page, signIn, open }) => {
    const title = (words: string) => page.getByRole('heading', { level: 1, name: words, exact: true })
    const question = page.getByRole('dialog', { name: 'Leave the backoffice?' })
    const type = (address: string) => page.evaluate(`location.hash = '${address}'`)
    const back = () => page.evaluate('history.back()')
    await signIn('staff')
    await enter(page)
    await open('/faq')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' }).click()
    await expect(title('Contact')).toBeVisible()
    if (before) await type(before)
    await expect(title(heading)).toBeVisible()
    await type('/masa/logs')
    await expect(title('Backoffice Audit Logs')).toBeVisible()
    await back()
    await question.getByRole('button', { name: 'Stay' }).click()
    // Where they were, and not one screen before.
    await expect(page).toHaveURL(/#\/masa\/logs$/)
    await expect(title('Backoffice Audit Logs')).toBeVisible()
    expect(await kept(page)).toBeTruthy()
    await back()
    await question.getByRole('button', { name: 'Leave the backoffice' }).click()
    await expect(title(heading)).toBeVisible()
    expect(await kept(page)).toBeNull()
  })

test('an address that loads the page anew ends the stay, and in another tab it does not', async ({ page, signIn, open }) => {
  await signIn('staff')
  await enter(page)
  await open('/masa')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Backoffice', exact: true })).toBeVisible()
  const other = await page.context().newPage()
  await other.goto('/#/assets')
  await expect(other.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
  await other.close()
  expect(await kept(page)).toBeTruthy()
  const ended = page.waitForRequest('**/v1/backoffice/logout')
  await page.goto('about:blank')
  await page.goto('/#/assets?search=x')
  await expect(page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()
  expect((await ended).headers()['x-backoffice-token']).toBeTruthy()
  expect(await kept(page)).toBeNull()
  await expect(page).toHaveURL(/#\/assets$/)
})
