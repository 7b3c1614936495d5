import { readFile } from 'node:fs/promises'
import { expect, test } from './fixtures.ts'
import { openAccount, switchBillingOn } from './new-account.ts'
import { watchCardNumbers } from './no-card-numbers.ts'

test('a low balance is shown, and the account is filled by itself with the kept card', async ({ page, open, expectAccessible }) => {
  const email = `${crypto.randomUUID()}@example.test`
  await openAccount(page, { email, password: 'correct horse', team_name: 'Refilled' })
  await switchBillingOn(email)
  await open('/billing')
  const low = page.getByRole('region', { name: 'Low-balance alerts' })
  const dialog = page.getByRole('dialog')
  await low.getByRole('button', { name: 'Change' }).click()
  await dialog.getByRole('textbox', { name: 'Warn below' }).fill('30')
  await dialog.getByRole('textbox', { name: 'Warn urgently below' }).fill('40')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('The urgent threshold must be lower than the first')).toBeVisible()
  await expectAccessible()
  await dialog.getByRole('textbox', { name: 'Warn urgently below' }).fill('10')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(low.getByText('Below $10.00')).toBeVisible()

  const costs = page.getByRole('region', { name: 'Cost limits' })
  await expect(costs.getByText('No limit', { exact: true })).toHaveCount(2)
  await costs.getByRole('button', { name: 'Change' }).click()
  await dialog.getByRole('textbox', { name: 'Most for a megabyte' }).fill('0.35')
  await dialog.getByRole('button', { name: /^Data that costs more/ }).click()
  await page.getByRole('option', { name: /^Refuse it/ }).click()
  await dialog.getByRole('textbox', { name: 'Most for the data of a SIM on a day' }).fill('5')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(costs.getByText('Refused above $0.35 per MB')).toBeVisible()
  await expect(costs.getByText('Blocked at $5.00 until 00:00 UTC')).toBeVisible()

  const refill = page.getByRole('region', { name: 'Auto-refill' })
  await refill.getByRole('button', { name: 'Switch on' }).click()
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  await expect(dialog.getByText('Add a card first')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const cards = page.getByRole('region', { name: 'Cards' })
  const numbers = watchCardNumbers(page)
  await cards.getByRole('button', { name: 'Add card' }).click()
  const fields = page.frameLocator('iframe[title="Card details"]')
  for (const [label, text] of Object.entries({ 'Card number': '4242424242424242', 'Expiry date': '1240', 'Security code': '123' }))
    await fields.getByRole('textbox', { name: label }).fill(text)
  await cards.getByRole('button', { name: 'Keep card' }).click()
  await expect(cards.getByText('Default')).toBeVisible()
  await numbers.expectNone()

  await refill.getByRole('button', { name: 'Switch on' }).click()
  await dialog.getByRole('textbox', { name: 'Fill up to' }).fill('120')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  await expect(refill.getByText('$120.00 of at most $1,000.00')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Balance' }).getByText('$120.00', { exact: true }).first()).toBeVisible()
  await expect(refill.getByText('added')).toBeVisible()
  await expectAccessible()

  // The receipt of it, as a file.
  const receipt = page.getByRole('row', { name: /Receipt: Credits/ })
  await expect(receipt).toContainText('$120.00')
  await receipt.getByRole('button', { name: /^Actions for RC-/ }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Download PDF' }).click()])
  expect(file.suggestedFilename()).toMatch(/^RC-\d{4}-\d{4}\.pdf$/)
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
  // Its name fetches it as well.
  await Promise.all([page.waitForEvent('download'), receipt.getByRole('button', { name: /^Receipt: Credits/ }).click()])

  const profile = page.getByRole('region', { name: 'Billing profile' })
  await profile.getByRole('button', { name: 'Fill in' }).click()
  await dialog.getByRole('textbox', { name: 'Company or name' }).fill('Acme Telemetry AB')
  await dialog.getByRole('textbox', { name: 'Street or box' }).fill('Hamngatan 4')
  await dialog.getByRole('textbox', { name: 'City' }).fill('Malmö')
  await dialog.getByRole('textbox', { name: 'Mail invoices and receipts to' }).fill('accounting@acme.example')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Choose a country')).toBeVisible()
  await expectAccessible()
  await dialog.getByRole('button', { name: /^Country/ }).click()
  await page.getByRole('option', { name: 'Sweden' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(profile.getByText('Hamngatan 4, Malmö, Sweden')).toBeVisible()

  // A month's limit that is used up is said.
  await refill.getByRole('button', { name: 'Change' }).click()
  await dialog.getByRole('textbox', { name: 'At most in a month' }).fill('125')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(refill.getByText(/The month’s limit has no room for another: nothing is bought before 1 /)).toBeVisible()

  await refill.getByRole('button', { name: 'Switch off' }).click()
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await expect(refill.getByText('Off', { exact: true })).toBeVisible()
})
