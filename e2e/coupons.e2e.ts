import { enter } from './backoffice-page.ts'
import { expect, signInAs, test } from './fixtures.ts'
import { openAccount, switchBillingOn } from './new-account.ts'

test('staff create a coupon, a customer redeems it once, and staff see who did', async ({ page, signIn, open, expectAccessible }) => {
  // Three people, one after the other.
  test.slow()
  const password = 'correct horse'
  const email = await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password, team_name: 'Couponed' })
  await switchBillingOn(email)
  await signIn('staff')
  await enter(page)
  await open('/masa/coupons')
  const code = `GIFT-${crypto.randomUUID().slice(0, 6).toUpperCase()}`
  await page.getByRole('button', { name: 'Create coupon' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Code' }).fill(code)
  // A per cent that was typed for the other kind does not stand in the way, where nobody sees it.
  await dialog.getByRole('button', { name: 'Per cent bonus' }).click()
  await dialog.getByRole('textbox', { name: 'Bonus' }).fill('10')
  await dialog.getByRole('button', { name: 'Amount', exact: true }).click()
  await dialog.getByRole('textbox', { name: /^Credits(?! end)/ }).fill('15')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Create coupon' }).click()
  const row = page.getByRole('row', { name: new RegExp(code) })
  await expect(row).toContainText('$15.00 of credits')
  await expect(row).toContainText('Open')
  await expectAccessible()
  // Beside it, what all customers paid by card, and what of it was taken back.
  await page.getByRole('link', { name: 'Payments' }).click()
  await expect(page.getByRole('row', { name: /Visa ending in 4242/ }).first()).toContainText('Paid')
  await expectAccessible()
  await open('/masa/payments?returned=disputed&source=auto_refill')
  await expect(page.getByRole('button', { name: 'Remove filter Taken back' })).toBeVisible()

  await signInAs(page, email, password)
  await open('/billing/addcredits')
  const panel = page.getByRole('region', { name: 'Coupon' })
  await panel.getByRole('textbox', { name: 'Code' }).fill('not-a-code')
  await panel.getByRole('button', { name: 'Redeem' }).click()
  await expect(panel).toContainText('This code cannot be redeemed')
  await panel.getByRole('textbox', { name: 'Code' }).fill(code.toLowerCase())
  await panel.getByRole('button', { name: 'Redeem' }).click()
  await expect(panel.getByRole('list', { name: 'Redeemed coupons' })).toContainText('$15.00 were added')
  await expectAccessible()
  await panel.getByRole('textbox', { name: 'Code' }).fill(code)
  await panel.getByRole('button', { name: 'Redeem' }).click()
  await expect(panel).toContainText('This coupon was redeemed on your account already')
  await page.setViewportSize({ width: 360, height: 800 })
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await page.setViewportSize({ width: 1280, height: 800 })

  await signIn('staff')
  await enter(page)
  await open('/masa/coupons')
  await expect(row).toContainText('1')
  await page.getByRole('button', { name: code, exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('Couponed')
  await expectAccessible()
  await page.keyboard.press('Escape')
  // On a telephone as well.
  await page.setViewportSize({ width: 360, height: 800 })
  await page.getByRole('button', { name: `Actions for ${code}` }).click()
  await page.getByRole('menuitem', { name: 'End coupon' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End coupon' }).click()
  await expect(row).toContainText('Ended')
})
