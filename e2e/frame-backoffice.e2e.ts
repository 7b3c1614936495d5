import type { Page } from '@playwright/test'
import { enter } from './backoffice-page.ts'
import { expect, signInAs, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const kept = (page: Page) => page.evaluate<unknown>(`localStorage.getItem('masthead-backoffice-token')`)

test('leaving the backoffice ends its session and resets filters and search', async ({ page, signIn, open }) => {
  await signIn('staff')
  await enter(page)
  await open('/activities')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('group', { name: 'Backoffice' })).toBeHidden()
  await page.goto('/#/masa/logs')
  await expect(heading(page, 'Backoffice Audit Logs')).toBeVisible()
  await expect(menu.getByRole('group', { name: 'Backoffice' }).getByRole('link', { name: 'Dashboard' })).toBeVisible()
  // Its rows come last in the sidebar, and are in view all the same.
  await expect(menu.getByRole('link', { name: 'Remote Support' })).toBeInViewport()
  // Where the token is got, there is nothing to get: one step back.
  await page.goto('/#/masa/access')
  await expect(page).toHaveURL(/#\/masa\/logs/)
  await expect(heading(page, 'Backoffice Audit Logs')).toBeVisible()
  // An address that is typed asks as a link does.
  const question = page.getByRole('dialog', { name: 'Leave the backoffice?' })
  // `goto` would wait for a page that does not come.
  const type = (address: string) => page.evaluate(`location.hash = '${address}'`)
  await type('/assets?type=core&search=x')
  await expect(question.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', /#\/assets\?type=core&search=x$/)
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(page).toHaveURL(/#\/masa\/logs$/)
  await expect(heading(page, 'Backoffice Audit Logs')).toBeVisible()
  expect(await kept(page)).toBeTruthy()
  // Inside the backoffice it asks nothing.
  await page.goto('/#/masa/accounts')
  await expect(heading(page, 'Accounts')).toBeVisible()
  const ended = page.waitForRequest('**/v1/backoffice/logout')
  await type('/assets?type=core&search=x')
  await question.getByRole('button', { name: 'Leave the backoffice' }).click()
  await expect(heading(page, 'Assets')).toBeVisible()
  expect((await ended).headers()['x-backoffice-token']).toBeTruthy()
  await expect(page).toHaveURL(/#\/assets$/)
  expect(await kept(page)).toBeNull()
})

test('the audit log keeps its order while staff read it', async ({ page, signIn, open }) => {
  await signIn('staff')
  const headers = await enter(page)
  const ask = async (path: string) => expect((await page.request.get(`/v1/backoffice/${path}`, { headers })).ok()).toBe(true)
  // A whole page of the log, whatever was done before: each search is an entry of its own.
  for (let at = 0; at < 10; at++) await ask(`search?search=audit-${at}`)
  await open('/masa/logs')
  const times = () => page.evaluate<string[]>(`[...document.querySelectorAll('table time')].map((one) => one.dateTime)`)
  await expect.poll(async () => (await times()).length).toBe(10)
  const before = await times()
  for (let at = 0; at < 3; at++) await ask('accounts/owner@demo.test')
  const fresh = page.getByRole('button', { name: /^\d+ new/ })
  await expect(fresh).toBeVisible()
  expect(await times()).toEqual(before)
  await fresh.click()
  await expect.poll(async () => (await times())[0]! > before[0]!).toBe(true)
  const now = await times()
  expect(now).toEqual(now.toSorted().toReversed())
})

test('a refusal in the backoffice leads to its door, with the way back', async ({ page, signIn }) => {
  await signIn('staff')
  const headers = await enter(page)
  // The stay ended elsewhere; this page keeps its token.
  expect((await page.request.post('/v1/backoffice/logout', { headers })).status()).toBe(200)
  await page.goto('/#/masa/logs')
  await expect(heading(page, 'Backoffice Access')).toBeVisible()
  await expect(page).toHaveURL(/#\/masa\/access\?redirect_url=%2Fmasa%2Flogs/)
  expect(await kept(page)).toBeNull()
})

test('what staff look for and is not there is said so, and leads on', async ({ page, signIn, open }) => {
  await signIn('staff')
  await enter(page)
  await open('/masa/assets/ast_nothing')
  await expect(heading(page, 'Asset not found')).toBeVisible()
  await open('/masa/accounts/nobody@demo.test')
  await expect(heading(page, 'Account not found')).toBeVisible()
  await page.getByRole('link', { name: 'Search the list' }).click()
  await expect(page).toHaveURL(/masa\/accounts\?search=nobody/)
  await expect(page.getByRole('main')).toContainText('Nothing matches')
})

test('staff who may not read a screen of the backoffice are shown which permission it needs', async ({
  page,
  signIn,
  expectAccessible,
}) => {
  const [email, password] = [`no-networks-${Date.now()}@example.test`, 'a long way round the harbour']
  await openAccount(page, { email, password, team_name: 'Third line' })
  await signIn('staff')
  const headers = await enter(page)
  const data = { permissions: ['backoffice'], reason: 'Joins the third line' }
  expect((await page.request.patch(`/v1/backoffice/accounts/${email}/staff`, { headers, data })).status()).toBe(200)
  await signInAs(page, email, password)
  await enter(page, { password })
  await page.goto('/#/masa/gateways')
  await expect(heading(page, 'Hello')).toBeVisible()
  await expect(page.getByText('“Gateways” needs the permission “Manage networks and gateways”, which you do not have.')).toBeVisible()
  await expectAccessible()
  // A customer is notified of nothing in the backoffice.
  await signIn('empty')
  await page.goto('/#/masa/gateways')
  await expect(heading(page, 'Hello')).toBeVisible()
  await expect(page).toHaveURL(/#\/$/)
})
