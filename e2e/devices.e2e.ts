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
  await expect(connection).toContainText('LTE', { timeout: 30_000 })
  await expect(connection).toContainText('wwan0, eth0')
  await expect(page.getByRole('region', { name: 'System' })).toContainText('Raspberry Pi 5')
  await expectAccessible()
  await page.getByRole('link', { name: 'Configuration and maintenance' }).click()
  const configuration = page.getByRole('region', { name: 'Configuration' })
  await expect(configuration).toContainText('Priority of networks')
  await expectAccessible()
  const steps = page.getByRole('list', { name: 'Steps to the internet' })
  await expect(steps.getByRole('listitem')).toHaveCount(7)
  await expect(steps.getByRole('listitem').last()).toContainText('over cellular')
  await expect(page.getByRole('region', { name: 'Connection, step by step' })).toContainText('It solved 3 faults')
  await expect(page.getByRole('list', { name: 'Repair, step by step' }).getByRole('listitem')).toHaveCount(5)
  const location = page.getByRole('region', { name: 'Location' })
  await expect(location).toContainText('204-08, LTE')
  await page.getByRole('region', { name: 'Interfaces' }).getByRole('button', { name: 'Order' }).click()
  const order = page.getByRole('dialog', { name: /^Order of interfaces of/ })
  await expect(order.getByRole('radio', { name: 'Cellular, Ethernet, Wi-Fi' })).toBeChecked()
  await expectAccessible()
  await order.getByRole('radio', { name: 'Ethernet, Cellular, Wi-Fi' }).check()
  await order.getByRole('button', { name: 'Send order' }).click()
  await expect(configuration.getByRole('listitem').filter({ hasText: 'Priority of networks' })).toContainText(
    'wanted Cellular 30, Ethernet 10'
  )
  await configuration.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog', { name: /^Configuration of/ })
  const seconds = dialog.getByRole('textbox', { name: 'Check internet every (s)' })
  await seconds.fill('5')
  await dialog.getByRole('button', { name: 'Send changes' }).click()
  await expect(dialog).toContainText('10 to 3600')
  const wanted = String(60 + Math.ceil(Math.random() * 1000))
  await seconds.fill(wanted)
  const alone = dialog.getByRole('textbox', { name: 'Interfaces left alone' })
  await alone.fill('tun 0')
  await dialog.getByRole('button', { name: 'Send changes' }).click()
  await expect(dialog).toContainText('Name interfaces, like tun0')
  await alone.fill('tun0\ndocker0')
  await dialog.getByRole('button', { name: 'Send changes' }).click()
  await expect(dialog).toBeHidden()
  await expect(configuration.getByRole('listitem').filter({ hasText: 'Check internet every' })).toContainText(`reported ${wanted}`, {
    timeout: 40_000,
  })
  await expect(configuration.getByRole('listitem').filter({ hasText: 'Interfaces left alone' })).toContainText('wanted tun0, docker0')
  await page.getByRole('button', { name: 'Update agent' }).click()
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /^From the beta channel/ })
    .check()
  await page.getByRole('dialog').getByRole('button', { name: 'Update', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Maintenance' })).toContainText(/Downloads|Restarts|Waits/)
  await expect(page.getByRole('region', { name: 'Maintenance' })).toContainText('Update of agent, beta')
  const progress = page.getByRole('list', { name: 'Progress of the update' })
  await expect(progress.getByRole('listitem').filter({ hasText: 'Restarts' })).toContainText(/now|done/, { timeout: 30_000 })
  await expectAccessible()
})

test('what a device measured is drawn over a day, a week or a month, and can be read as a table', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  const id = await page.evaluate(async () => {
    for (const type of ['alpon_x4', 'alpon_x5_ai', 'axis_gw']) {
      const list = (await (await fetch(`/v1/assets?type=${type}&page_size=100`)).json()) as { items: { id: string }[] }
      for (const asset of list.items) {
        const { device } = (await (await fetch(`/v1/assets/${asset.id}/device`)).json()) as { device: { reported: object } | null }
        if (device && 'vitals' in device.reported) return asset.id
      }
    }
    return undefined
  })
  expect(id, 'a simulated device measures').toBeDefined()
  await open(`/assets/${id}/device`)
  const history = page.getByRole('region', { name: 'Vitals over time' })
  await expect(history.getByRole('figure', { name: 'Processor of the device' })).toBeVisible()
  await expect(history).toContainText(/Between \d+\.\d % and \d+\.\d %/)
  await expectAccessible()
  await history.getByRole('button', { name: '7 d', exact: true }).click()
  await expect(page).toHaveURL(/vitals=week/)
  await expect(history).toContainText(/Not measured for [\d.]+ % of the time/)
  const processor = history.getByRole('figure', { name: 'Processor of the device' })
  await processor.getByRole('button', { name: 'Show as a table' }).click()
  await expect(processor.getByRole('table').getByRole('row').nth(1)).toContainText('UTC')
  await history.getByRole('button', { name: '30 d', exact: true }).click()
  await processor.getByRole('button', { name: 'Show as a table' }).click()
  // The first hours of a new demo's month are not measured.
  await expect(processor.getByRole('table').getByRole('row').filter({ hasText: '%' }).first()).toContainText('UTC')
  await expectAccessible()
})
