import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

/** Charges of data that are in the ledger: what is not settled yet stands before them. */
const entriesOf = (page: Page) =>
  page
    .getByRole('table', { name: 'Cost activity' })
    .getByRole('row')
    .filter({ hasNotText: 'Not settled' })
    .getByRole('button', { name: /^Data in zone/ })

test('a month’s costs are temporary until it is closed, stand by type, and are told apart by country and asset', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  await open('/usage/cost-summary')
  await expect(page.getByText('Provisional')).toBeVisible()
  const types = page.getByRole('region', { name: 'By type' })
  await expect(types.getByRole('row', { name: /Pay-as-you-go/ })).toContainText('$')
  // Below it each zone of the price list.
  await expect(types.getByRole('row', { name: /Europe/ })).toContainText('$')
  await expect(types.getByRole('row', { name: /Active SIMs/ })).toContainText('$')
  await expect(types.getByRole('row', { name: /Tax on payments/ })).toContainText('$')
  const goes = page.getByRole('region', { name: 'Where it goes' })
  await expect(goes.getByRole('row').nth(1)).toContainText('$')
  await goes.getByRole('button', { name: 'Zone' }).click()
  await expect(goes.getByRole('row', { name: /Europe/ })).toContainText('$')
  await goes.getByRole('button', { name: 'Asset' }).click()
  await expect(goes.getByRole('columnheader', { name: 'Asset' })).toBeVisible()
  await expect(goes.getByRole('link').first()).toBeVisible()
  await expect(page).toHaveURL(/by=asset/)
  const packages = page.getByRole('region', { name: 'On another package' })
  await expect(packages.getByRole('row').nth(1)).toContainText(/\$[\d,.]+ (less|more)/)
  await expectAccessible()
  // Two months ago it is closed.
  await page.getByRole('button', { name: /^Month/ }).click()
  await page.getByRole('option').nth(2).click()
  await expect(page.getByText('Provisional')).toHaveCount(0)
  await expect(page.getByText(/^closed/)).toBeVisible()
  // So is one that is not among the last twelve.
  await open('/usage/cost-summary?month=2025-02')
  await expect(page.getByRole('button', { name: /^Month/ })).toContainText('February 2025')
  await expect(page.getByRole('region', { name: 'On another package' })).toContainText('No SIM used data in February 2025.')
})

test('a charge says by which version of which price list it was made, and how it was computed', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  await open('/usage/cost-activity?type=charge')
  await entriesOf(page).first().click()
  const entry = page.getByRole('dialog')
  await expect(entry).toContainText('Standard, version 1')
  await expect(entry).toContainText(/\d MB ×/)
  const charged = entry.getByRole('table', { name: 'What was charged' })
  await expect(charged.getByRole('row').nth(1)).toContainText(/\d B/)
  await expect(entry).toContainText(/[\d,]+ B ÷ 1,000² × \$[\d.]+ = \$[\d.]+/)
  await expect(entry.getByRole('region', { name: 'Records' })).toBeVisible()
  await expectAccessible()
  const asset = await entry.getByRole('link').first().textContent()
  await entry.getByRole('button', { name: 'Only this asset' }).click()
  await expect(page).toHaveURL(/asset_id=ast_/)
  await expect(page.getByRole('button', { name: 'Remove filter Asset' })).toBeVisible()
  const lines = page.getByRole('table', { name: 'Cost activity' }).getByRole('row').filter({ hasText: 'Data in zone' })
  await expect(lines.first()).toContainText(asset!)
  await expect(lines.filter({ hasNotText: asset! })).toHaveCount(0)
  await expectAccessible()
})

test('an account that is not billed is shown so, and sees no amounts', async ({ page, open, expectAccessible }) => {
  await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Costs' })
  await open('/usage/cost-summary')
  await expect(page.getByRole('heading', { name: 'No data found' })).toBeVisible()
  await expect(page.getByText('Once your provider switches billing on')).toBeVisible()
  await expect(page.getByText('$')).toHaveCount(0)
  await expectAccessible()
})

test('an entry that is not there, or did not come, is said so', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/usage/cost-activity?entry=txn_00000000000000000000000000')
  const missing = page.getByRole('dialog', { name: 'Entry not found' })
  await expect(missing).toContainText('Your account has no entry with this id')
  await expectAccessible()
  await missing.getByRole('button', { name: 'Close' }).click()
  await page.route('**/v1/billing/transactions/*', (route) => route.abort())
  await entriesOf(page).first().click()
  const entry = page.getByRole('dialog', { name: 'Entry', exact: true })
  await expect(entry).toContainText('The entry could not be loaded', { timeout: 20_000 })
  await page.unroute('**/v1/billing/transactions/*')
  await entry.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog')).toContainText('Balance after')
})

test('days in the wrong order are read in the right one; days with nothing in them are said', async ({ page, signIn, open }) => {
  await signIn('owner')
  const today = new Date().toISOString().slice(0, 10)
  await open(`/usage/cost-activity?from=${today}&to=2020-01-01`)
  const list = page.getByRole('table', { name: 'Cost activity' })
  await expect(list.getByRole('button', { name: /^Data in zone/ }).first()).toBeVisible()
  await open('/usage/cost-activity?from=2020-01-01&to=2020-01-02&page=3')
  await expect(page.getByRole('main')).toContainText('Nothing was added to the balance, and nothing was charged, on these days.')
  await page.getByRole('button', { name: 'Show all days' }).click()
  await expect(list.getByRole('button', { name: /^Data in zone/ }).first()).toBeVisible()
  await expect(page).not.toHaveURL(/from=|page=/)
})

test('what is not settled yet is listed and opens; entries are found by how much they come to, and by data pool', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  await open('/usage/cost-activity')
  // The largest of them stand greyed before the entries, and lead to all of them.
  const list = page.getByRole('table', { name: 'Cost activity' })
  await expect(list.getByRole('row', { name: /Not settled.*−\$/ }).first()).toBeVisible({ timeout: 60_000 })
  await list
    .getByRole('row', { name: /Not settled/ })
    .first()
    .getByRole('button', { name: /^Data/ })
    .click()
  const first = page.getByRole('dialog')
  await expect(first).toContainText(/it may still grow|Nothing of it is left to settle/)
  await first.getByRole('button', { name: 'Close' }).click()
  await expectAccessible()
  await page.getByRole('tab', { name: 'Not settled yet' }).click()
  const pending = page.getByRole('table', { name: 'Not settled yet' })
  await expect(pending.getByRole('row', { name: /Not settled.*−\$/ }).first()).toBeVisible({ timeout: 60_000 })
  await expectAccessible()
  await pending.getByRole('button', { name: /^Data/ }).first().click()
  const charge = page.getByRole('dialog')
  await expect(charge).toContainText(/it may still grow|Nothing of it is left to settle/)
  await expectAccessible()
  await charge.getByRole('button', { name: 'Close' }).click()
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.getByRole('tab', { name: 'Entries' }).click()
  const entries = page.getByRole('table', { name: 'Cost activity' })
  await expect(entries.getByRole('button', { name: /^Data in zone/ }).first()).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('textbox', { name: 'At least' }).fill('100')
  await page.getByRole('textbox', { name: 'At least' }).press('Enter')
  await expect(page).toHaveURL(/least=100/)
  await expect(entries.getByRole('row', { name: /[+−]\$[1-9][\d,]{2,}\./ }).first()).toBeVisible()
  // What data costs is charged in far smaller steps.
  await expect(entries.getByRole('button', { name: /^Data in zone/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const filters = page.getByRole('dialog', { name: 'Filters' })
  await filters.getByRole('button', { name: 'Data pool' }).click()
  await filters.getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/pool_id=/)
  await expect(page.getByRole('button', { name: 'Remove filter Data pool' })).toBeVisible()
  await expectAccessible()
})
