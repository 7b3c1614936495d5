import type { Page } from '@playwright/test'
import { enter } from './backoffice-page.ts'
import { expect, leaveConsole, test } from './fixtures.ts'
import { openAccount, switchBillingOn } from './new-account.ts'
import { watchCardNumbers } from './no-card-numbers.ts'

/** Adds a card whose bank asks each time; what is returned is the bank's window, which comes again with a payment. */
async function addCard(page: Page) {
  await page.getByRole('button', { name: 'Add card' }).click()
  const fields = page.frameLocator('iframe[title="Card details"]')
  for (const [label, text] of Object.entries({ 'Card number': '4000002760003184', 'Expiry date': '1240', 'Security code': '123' }))
    await fields.getByRole('textbox', { name: label }).fill(text)
  await page.getByRole('button', { name: 'Keep card' }).click()
  const bank = page.frameLocator('iframe[title="Confirm the payment with your bank"]')
  await bank.getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByRole('radio', { name: /Visa ending in 3184/ })).toBeChecked()
  return bank
}

test('credits: off in words, then bought with a card whose bank asks, refused in its words, and read in Cost Activity', async ({
  page,
  open,
  expectAccessible,
}) => {
  const email = await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Credits' })
  for (const path of ['/billing/addcredits', '/usage/cost-activity', '/billing']) {
    await open(path)
    await expect(page.getByText('Billing is not switched on')).toBeVisible()
  }
  await expectAccessible()
  // Staff do that elsewhere; it is read with the page.
  await leaveConsole(page)
  await switchBillingOn(email)

  await open('/billing')
  await expect(page.getByText('No credits are left.')).toBeVisible()
  await expect(page.getByText('Your account pays by no price list yet')).toBeVisible()
  await open('/billing/addcredits')
  const numbers = watchCardNumbers(page)
  const bank = await addCard(page)
  await expectAccessible()

  await page.getByRole('textbox', { name: 'Or your own' }).fill('12.50')
  await page.getByRole('button', { name: 'Pay $12.50' }).click()
  await bank.getByRole('button', { name: 'Fail' }).click()
  await expect(page.getByText(/unable to authenticate/)).toBeVisible()
  await page.getByRole('button', { name: 'Back to the form' }).click()
  await page.getByRole('radio', { name: '$100' }).check()
  await page.getByRole('button', { name: 'Pay $100.00' }).click()
  await bank.getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByText('$100.00 of credits were added.')).toBeVisible()
  await numbers.expectNone()
  await expectAccessible()

  await page.getByRole('link', { name: 'See the entry' }).click()
  await expect(page.getByRole('dialog')).toContainText('+$100.00, Credits, Visa ending in 3184')
  await expectAccessible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('row', { name: /Credits, Visa ending in 3184/ })).toContainText('$100.00')
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible()
  for (const path of ['/usage/cost-activity', '/billing', '/billing/addcredits']) {
    await open(path)
    await expect(page.getByText('$100.00').first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  for (const path of ['/usage/cost-activity', '/billing', '/billing/addcredits']) {
    await open(path)
    await expect(page.getByText('$100.00').first()).toBeVisible()
  }
})

test('where the provider’s script does not come, the bank asks on a page of its own and leads back', async ({
  page,
  open,
  expectAccessible,
}) => {
  const email = await openAccount(page, {
    email: `${crypto.randomUUID()}@example.test`,
    password: 'correct horse',
    team_name: 'Scriptless',
  })
  await leaveConsole(page)
  await switchBillingOn(email)
  await open('/billing/addcredits')
  await addCard(page)

  await leaveConsole(page)
  await page.route('**/v3/**', (route) => route.abort())
  await open('/billing/addcredits')
  await page.getByRole('button', { name: 'Pay $50.00' }).click()
  // While the payment is begun anew nobody is told that it was given up.
  const begin = Promise.withResolvers<void>()
  await page.route('**/v1/billing/top-ups', async (route) => {
    if (route.request().method() === 'POST') await begin.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Use the bank’s own page' }).click()
  await expect(page.getByText('The bank’s page is being asked for.')).toBeVisible()
  await expect(page.getByText('The payment was given up')).toHaveCount(0)
  begin.resolve()
  await expect(page.getByRole('link', { name: 'Continue to the bank’s page' })).toBeVisible()
  await expectAccessible()
  await page.getByRole('link', { name: 'Continue to the bank’s page' }).click()
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByText('$50.00 of credits were added.')).toBeVisible()
  await page.getByRole('button', { name: 'Add more' }).click()
  await expect(page.getByRole('button', { name: 'Pay $50.00' })).toBeVisible()
})

test('staff switch billing on, give credits, take them back, and prove the ledger', async ({ page, signIn, open, expectAccessible }) => {
  const email = await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Staffed' })
  await signIn('staff')
  await enter(page)
  await open(`/masa/accounts/${encodeURIComponent(email)}?tab=money`)
  await page.getByRole('button', { name: 'Switch billing on' }).click()
  const ask = page.getByRole('dialog')
  await ask.getByRole('textbox', { name: 'Reason' }).fill('They signed')
  await expectAccessible()
  await ask.getByRole('button', { name: 'Switch billing on' }).click()
  // Lists that stand below each other say what they are.
  for (const name of ['Entries', 'Payments', 'Invoices and receipts'])
    await expect(page.getByRole('region', { name }).getByRole('table')).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Price list' })).toContainText('Nothing is charged, and no SIM is stopped')
  const zero = page.getByRole('region', { name: 'At zero' })
  await zero.getByRole('button', { name: 'Change' }).click()
  await ask.getByRole('button', { name: /^Then/ }).click()
  await page.getByRole('option', { name: 'Service goes on' }).click()
  await ask.getByRole('textbox', { name: 'Reason' }).fill('They pay by invoice')
  await ask.getByRole('button', { name: 'Save' }).click()
  await expect(zero.getByText('Service goes on')).toBeVisible()
  const tax = page.getByRole('region', { name: 'Tax' })
  await tax.getByRole('button', { name: 'Set' }).click()
  await ask.getByRole('textbox', { name: 'Rate' }).fill('25')
  await ask.getByRole('textbox', { name: 'Reason' }).fill('In Sweden')
  await expectAccessible()
  await ask.getByRole('button', { name: 'Save' }).click()
  await expect(tax.getByText('VAT 25 %')).toBeVisible()
  await page.getByRole('button', { name: 'Give credit' }).click()
  await ask.getByRole('textbox', { name: 'Amount' }).fill('20')
  await ask.getByRole('textbox', { name: 'Reason' }).fill('The outage of 7 Nov')
  await expectAccessible()
  await ask.getByRole('button', { name: 'Give credit' }).click()
  await expect(page.getByRole('row', { name: /Credits from Masthead/ })).toContainText('+$20.00')
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText('Holds')).toBeVisible()
  await expectAccessible()
  await page.getByRole('button', { name: 'Credits from Masthead' }).click()
  await page.getByRole('button', { name: 'Take back' }).click()
  const again = page.getByRole('dialog', { name: 'Take back these credits?' })
  await again.getByRole('textbox', { name: 'Reason' }).fill('Entered twice')
  await again.getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByRole('row', { name: /Taken back/ })).toContainText('−$20.00')
})
