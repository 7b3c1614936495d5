import { enter } from './backoffice-page.ts'
import { expect, test } from './fixtures.ts'

test('staff see what the broker counts, find a device and are asked why before they cut it off', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('staff')
  await enter(page)
  await open('/masa/broker')
  await expect(page.getByText('Messages in')).toBeVisible()
  const table = page.getByRole('table', { name: 'Devices' })
  await expect(table.getByRole('row').nth(1)).toContainText('owner@demo.test')
  await expectAccessible()
  await page.setViewportSize({ width: 360, height: 800 })
  await expectAccessible()
  await page.setViewportSize({ width: 1280, height: 900 })
  await table.getByRole('row').nth(1).getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Cut off' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cut off', exact: true }).click()
  await expect(dialog).toContainText('Say why')
  await expectAccessible()
})
