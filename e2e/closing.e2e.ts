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
