import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

test('where nothing was charged, it says so', async ({ page, open, expectAccessible }) => {
  await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Costs' })
  await open('/usage/cost-summary')
  await expect(page.getByText('Nothing was charged in these months')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Where it goes' }).getByText('No data found')).toBeVisible()
  await expectAccessible()
})
