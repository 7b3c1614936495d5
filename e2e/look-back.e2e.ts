import { expect, test } from './fixtures.ts'

test('the service path moves back in time: it had service until its limit, and comes back to now', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  const { items } = (await (await page.request.get('/v1/assets?search=reefer-truck-0147')).json()) as { items: { id: string }[] }
  await open(`/assets/${items[0]!.id}`)
  const service = page.getByRole('region', { name: 'Service' })
  const back = service.getByRole('group', { name: 'Look back' })
  await expect(back.getByRole('img', { name: /No service, data limit reached, from / })).toBeVisible()
  await expect(service.getByRole('button', { name: 'Change after' })).toBeDisabled()
  await service.getByRole('slider', { name: 'Look back' }).focus()
  await page.keyboard.press('Home')
  await expect(service.getByRole('heading', { name: /: this SIM had service$/ })).toBeVisible()
  await expect(service).toContainText(/The next step to break was data limit reached, at /)
  await expect(service.getByRole('button', { name: 'Raise limit' })).toHaveCount(0)
  await expectAccessible()
  await back.getByRole('button', { name: 'Change after' }).click()
  await expect(service.getByRole('heading', { name: /: no service, data limit reached$/ })).toBeVisible()
  await expect(service.getByRole('listitem').filter({ hasText: 'Data limit reached: not fulfilled' })).toBeVisible()
  await page.setViewportSize({ width: 360, height: 800 })
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await back.getByRole('button', { name: 'Back to now' }).click()
  await expect(service.getByRole('heading', { name: 'No service: data limit reached' })).toBeVisible()
})

test('another limit is tried without changing anything', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  const { items } = (await (await page.request.get('/v1/assets?search=reefer-truck-0147')).json()) as { items: { id: string }[] }
  await open(`/assets/${items[0]!.id}`)
  const panel = page.getByRole('region', { name: 'What if' })
  await expect(panel.getByRole('status')).toContainText(/With [\d.]+ [MG]B it would last /)
  await panel.getByRole('button', { name: /^Limit/ }).click()
  await page.getByRole('option', { name: 'No limit', exact: true }).click()
  await expect(panel.getByRole('status')).toContainText('With no limit it would last.')
  await expectAccessible()
})
