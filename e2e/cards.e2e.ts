import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'
import { watchCardNumbers } from './no-card-numbers.ts'

test('a card is typed into the provider’s own fields: refused in its words, asked by its bank, kept, and removed', async ({
  page,
  open,
  expectAccessible,
}) => {
  await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Cards' })
  await open('/billing')
  const numbers = watchCardNumbers(page)
  const panel = page.getByRole('region', { name: 'Cards' })
  await expect(panel.getByText('No data found')).toBeVisible()
  await expectAccessible()
  await panel.getByRole('button', { name: 'Add card' }).click()
  const fields = page.frameLocator('iframe[title="Card details"]')
  const type = async (number: string) => {
    for (const [label, text] of Object.entries({ 'Card number': number, 'Expiry date': '1240', 'Security code': '123' }))
      await fields.getByRole('textbox', { name: label }).fill(text)
    await panel.getByRole('button', { name: 'Keep card' }).click()
  }
  await type('4000000000009995')
  await expect(panel.getByText('Your card has insufficient funds.')).toBeVisible()
  await expectAccessible()

  await type('4000002500003155')
  await page.frameLocator('iframe[title="Confirm the payment with your bank"]').getByRole('button', { name: 'Complete' }).click()
  await expect(panel.getByText('Visa ending in 3155')).toBeVisible()
  await expect(panel.getByText('Default')).toBeVisible()
  await expect(fields.getByRole('textbox', { name: 'Card number' })).toHaveCount(0)
  // Nothing of the number is in our page, or went to us.
  expect(await page.content()).not.toContain('0000003155')
  await numbers.expectNone()

  await panel.getByRole('button', { name: 'Actions for Visa ending in 3155' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove card' }).click()
  await expect(panel.getByText('No data found')).toBeVisible()
})

test('where the provider’s script does not come, the card is entered on the provider’s own page', async ({
  page,
  open,
  expectAccessible,
}) => {
  await page.route('**/v3/**', (route) => route.abort())
  await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Hosted' })
  await open('/billing')
  const panel = page.getByRole('region', { name: 'Cards' })
  await panel.getByRole('button', { name: 'Add card' }).click()
  await expect(panel.getByText('The card form could not be loaded')).toBeVisible()
  await panel.getByRole('button', { name: 'Use the card provider’s page' }).click()
  await expect(panel.getByRole('link', { name: 'Continue to the card provider' })).toBeVisible()
  await expectAccessible()
  await page.unroute('**/v3/**')
  await panel.getByRole('link', { name: 'Continue to the card provider' }).click()
  for (const [label, text] of Object.entries({ 'Card number': '4242424242424242', 'Expiry date': '1240', 'Security code': '123' }))
    await page.getByRole('textbox', { name: label }).fill(text)
  await page.getByRole('button', { name: 'Keep card' }).click()
  await expect(panel.getByText('Visa ending in 4242')).toBeVisible()
})
