import { openProductDatabase } from '@masthead/testkit/product-database'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

const password = 'four lamps on the pier'

test('an owner exports everything, closes the account and reopens it', async ({ page, open, expectAccessible }) => {
  test.setTimeout(180_000)
  const email = await openAccount(page, { email: `closing-${Date.now()}@example.test`, password, team_name: 'Last Harbour' })
  await open('/profile?tab=account')
  const panel = page.getByRole('region', { name: 'Your data' })
  await expect(panel.getByText('No data found')).toBeVisible()
  await panel.getByRole('button', { name: 'Export everything' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(panel.getByRole('link', { name: 'Download' })).toBeVisible({ timeout: 30_000 })
  const download = page.waitForEvent('download')
  await panel.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/^masthead-exp_\w+\.ndjson$/)

  // Its time ends while the list stands there: that is said, and no page takes the place of the screen.
  const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
  const { account_id } = await db.selectFrom('person').select('account_id').where('email', '=', email).executeTakeFirstOrThrow()
  await db.updateTable('account_export').set({ expires_at: new Date() }).where('account_id', '=', account_id).execute()
  await db.destroy()
  await panel.getByRole('link', { name: 'Download' }).click()
  const toasts = page.getByRole('region', { name: 'Notifications' })
  await expect(toasts).toContainText('There is no such export, or its time is over: ask for another')
  await expect(toasts).toContainText(/Request \S+/)

  await panel.getByRole('button', { name: 'Close the account' }).click()
  await expect(page.getByRole('dialog').getByText('At once no SIM has service')).toBeVisible()
  await expectAccessible()
  await page.getByLabel('Your password').fill(password)
  await page.getByLabel(/^Type .* to confirm/).fill('yes')
  await page.getByRole('dialog').getByRole('button', { name: 'Close the account' }).click()
  await expect(page.getByRole('dialog').getByText(`Type ${email} to confirm`).last()).toBeVisible()
  await page.getByLabel(/^Type .* to confirm/).fill(email)
  // Who tries often waits a little between tries.
  await expect(async () => {
    const close = page.getByRole('dialog').getByRole('button', { name: 'Close the account' })
    if (await close.isVisible()) await close.click({ timeout: 2000 })
    await expect(page.getByText('This account is closed. You can reopen it')).toBeVisible({ timeout: 3000 })
  }).toPass()
  // What the banner covers by half counts as too small to be hit.
  await page.evaluate('scrollTo(0, 0)')
  await expectAccessible()

  await open('/assets')
  await expect(page.getByRole('button', { name: 'Register asset' })).toHaveAccessibleDescription(/The account is closed\. Reopen it/)
  await page.getByRole('status').getByRole('link', { name: 'your profile' }).click()
  await panel.getByRole('button', { name: 'Reopen the account' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Reopen', exact: true }).click()
  await expect(page.getByText('This account is closed. You can reopen it')).toHaveCount(0)
  await expect(panel.getByRole('button', { name: 'Close the account' })).toBeVisible()
})
