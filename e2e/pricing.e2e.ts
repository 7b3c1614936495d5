import type { Page } from '@playwright/test'
import { enter, dialog, table } from './backoffice-page.ts'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

test('the prices of an account: its own beside the list’s, expensive zones with a warning, found by country and by zone', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  await open('/billing/pricing')
  const zones = page.getByRole('region', { name: 'Zones' })
  const europe = zones.getByRole('row', { name: /EU1/ })
  await expect(europe).toContainText('Yours')
  await expect(europe).toContainText('$0.016')
  await expect(europe).toContainText('$0.012')
  await expect(zones.getByRole('row', { name: /SEA/ })).toContainText('Expensive: $8.90')
  await expect(zones).toContainText('The data of each session is rounded up to 1 KB')
  await expect(page.getByText(/Prices change on/).locator('..')).toContainText('R2 falls to $0.28 per MB')
  await expect(page.getByRole('region', { name: 'SIM fees' })).toContainText('SIM 1 to 10')
  // 10 × $2.00 + 2 × $1.60, and 12 × 50 MB × $0.012.
  const calculator = page.getByRole('region', { name: 'Calculator' })
  await calculator.getByRole('textbox', { name: 'SIMs' }).fill('12')
  await expect(calculator).toContainText('$23.20')
  await expect(calculator).toContainText('$7.20')
  await expect(calculator).toContainText('$30.40')
  const networks = table(page, 'Prices by network')
  await page.getByRole('searchbox').fill('switzerland')
  await expect(networks.getByRole('row').nth(1)).toContainText('Switzerland')
  await expect(networks.getByRole('row').nth(1)).toContainText('$0.35')
  await page.getByRole('searchbox').fill('262-01')
  await expect(networks.getByRole('row').nth(1)).toContainText('Germany')
  await expect(networks.getByRole('row').nth(1)).toContainText(/\d+ groups?/)
  await page.getByRole('searchbox').fill('')
  const map = page.getByRole('figure', { name: 'Price per MB by country' })
  await map.scrollIntoViewIfNeeded()
  await expect(map.locator('.map-country[data-step]').first()).toBeAttached()
  await map.getByRole('button', { name: 'Show as a list' }).click()
  await expect(map.getByRole('row', { name: /^South Africa/ })).toContainText('$1.40')
  await map.getByRole('button', { name: 'Switzerland' }).click()
  await expect(page).toHaveURL(/country=CH/)
  await expect(networks.getByRole('row').nth(1)).toContainText('Switzerland')
  await expect(networks.getByRole('row', { name: /Germany/ })).toHaveCount(0)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  expect((await downloading).suggestedFilename()).toBe('prices.csv')
  const offers = page.getByRole('region', { name: 'Packages' })
  await offers.getByRole('button', { name: /^Buy / }).first().click()
  await expect(dialog(page, 'Buy data').getByRole('button', { name: /^Package .* a month/ })).toBeVisible()
  await expectAccessible()
})

test('an account without a price list is shown so, and sees the general one', async ({ page, open, expectAccessible }) => {
  await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Prices' })
  await open('/billing/pricing')
  await page.getByRole('link', { name: 'general price list' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Pricing' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Zones' }).getByRole('row', { name: /EU1/ })).toContainText('$0.016')
  await expect(page.getByText('Yours')).toHaveCount(0)
  await expectAccessible()
})

/** A price list with one zone, by the API; its name. */
async function createList(page: Page, headers: Record<string, string>) {
  const name = `Fleet ${crypto.randomUUID().slice(0, 6)}`
  const version = {
    effective_from: new Date().toISOString().slice(0, 10),
    block_bytes: 1000,
    rounding_scope: 'session',
    kb: 1000,
    zones: [{ id: 'A', name: 'Everywhere', networks: ['*'], price_micros: 50_000 }],
    fees: { active_monthly: [{ from: 1, price_micros: 0 }] },
  }
  const answer = await page.request.post('/v1/backoffice/tariffs', { headers, data: { name, currency: 'USD', version } })
  expect(answer.ok(), await answer.text()).toBe(true)
  return name
}

test('staff create a price list, plan a version of it, and withdraw that', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('staff')
  await enter(page)
  await open('/masa/pricing')
  const name = `Fleet ${crypto.randomUUID().slice(0, 6)}`
  await page.getByRole('button', { name: 'Create price list' }).click()
  const creating = dialog(page, 'Create price list')
  await creating.getByRole('textbox', { name: 'Name' }).first().fill(name)
  const zone = creating.getByRole('group', { name: 'Zone 1' })
  await zone.getByRole('textbox', { name: 'Id' }).fill('A')
  await zone.getByRole('textbox', { name: 'Name' }).fill('Everywhere')
  await zone.getByRole('textbox', { name: 'Price per MB' }).fill('0.05')
  await expectAccessible()
  await creating.getByRole('button', { name: 'Create price list' }).click()
  await expect(creating).toBeHidden()
  const details = page.getByRole('region', { name })
  await expect(details.getByText('Valid', { exact: true })).toBeVisible()
  await details.getByRole('button', { name: 'New version' }).click()
  const planning = dialog(page, `New version of ${name}`)
  await planning.getByRole('group', { name: 'Zone 1' }).getByRole('textbox', { name: 'Price per MB' }).fill('0.04')
  await planning.getByRole('button', { name: 'Show the effect on accounts' }).click()
  await expect(planning.getByRole('region', { name: 'Effect' })).toContainText('No account pays by this price list.')
  await planning.getByRole('button', { name: 'Plan version' }).click()
  await expect(planning).toBeHidden()
  await details.getByRole('button', { name: `Version of ${name}` }).click()
  await page.getByRole('option', { name: /^2, from/ }).click()
  await expect(details.getByRole('row', { name: /A, Everywhere/ })).toContainText('−20 %')
  await expect(details.getByText('Planned')).toBeVisible()
  await expectAccessible()
  await details.getByRole('button', { name: 'Effect' }).click()
  const effect = page.getByRole('dialog', { name: 'Effect of version 2' })
  await expect(effect).toContainText('No account pays by this price list')
  await expectAccessible()
  await page.keyboard.press('Escape')
  // The next one begins after the planned one, unless somebody types another day.
  await details.getByRole('button', { name: 'New version' }).click()
  await planning.getByRole('button', { name: 'Show the effect on accounts' }).click()
  await expect(planning.getByRole('region', { name: 'Effect' })).toContainText('No account pays by this price list.')
  await planning.getByRole('button', { name: 'Cancel' }).click()
  await details.getByRole('button', { name: 'Withdraw' }).click()
  await dialog(page, `Withdraw version 2 of ${name}?`).getByRole('button', { name: 'Withdraw' }).click()
  await expect(details.getByText('Valid', { exact: true })).toBeVisible()
})

test('staff give a price list to a customer, with a price of their own', async ({ page, signIn, open, expectAccessible }) => {
  const email = await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Priced' })
  await signIn('staff')
  const name = await createList(page, await enter(page))
  await open('/masa/pricing')
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('button', { name: 'Give to an account' }).click()
  const giving = dialog(page, 'Give an account a price list')
  await giving.getByRole('textbox', { name: 'E-mail of the account’s owner' }).fill(email)
  await giving.getByRole('button', { name: 'Add price' }).click()
  await giving.getByRole('textbox', { name: 'Zone' }).fill('A')
  await giving.getByRole('textbox', { name: 'Price per MB' }).fill('0.03')
  await giving.getByRole('textbox', { name: 'Reason' }).fill('Contract 12')
  await expectAccessible()
  await giving.getByRole('button', { name: 'Give price list' }).click()
  await expect(giving).toBeHidden()
  await expect(
    table(page, 'Price lists')
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('cell')
      .last()
  ).toHaveText('1')
  await open(`/masa/accounts/${encodeURIComponent(email)}?tab=money`)
  await expect(page.getByRole('region', { name: 'Price list' })).toContainText(/Since .*, with A at \$0\.03 per MB\./)
})
