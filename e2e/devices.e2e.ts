import { expect, test } from './fixtures.ts'

test('a device says how it is; a change of its configuration goes from pending to applied', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  const id = await page.evaluate(async () => {
    const list = (await (await fetch('/v1/assets?type=core&page_size=100')).json()) as { items: { id: string }[] }
    for (const asset of list.items) {
      const { device } = (await (await fetch(`/v1/assets/${asset.id}/device`)).json()) as { device: { presence: string } | null }
      if (device?.presence === 'online') return asset.id
    }
    return undefined
  })
  expect(id, 'a simulated CORE device is online').toBeDefined()
  await open(`/assets/${id}/device`)
  const connection = page.getByRole('region', { name: 'Connection' })
  await expect(connection).toContainText('Online')
  await expect(connection).toContainText('E-UTRAN', { timeout: 30_000 })
  await expect(page.getByRole('region', { name: 'System' })).toContainText('Raspberry Pi 5')
  await expectAccessible()
  await page.getByRole('link', { name: 'Configuration and maintenance' }).click()
  const configuration = page.getByRole('region', { name: 'Configuration' })
  await expect(configuration).toContainText('network_priority')
  await expectAccessible()
  await configuration.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog', { name: /^Configuration of/ })
  const seconds = dialog.getByRole('textbox', { name: 'Check internet every (s)' })
  await seconds.fill('5')
  await dialog.getByRole('button', { name: 'Send changes' }).click()
  await expect(dialog).toContainText('10 to 3600')
  const wanted = String(60 + Math.ceil(Math.random() * 1000))
  await seconds.fill(wanted)
  await dialog.getByRole('button', { name: 'Send changes' }).click()
  await expect(dialog).toBeHidden()
  await expect(configuration.getByRole('listitem').filter({ hasText: 'check_internet_interval' })).toContainText(`reported ${wanted}`, {
    timeout: 40_000,
  })
  await page.getByRole('button', { name: 'Update agent' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Update', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Maintenance' })).toContainText(/Downloads|Restarts|Waits/)
})
