import { connectAgent } from './agent-device.ts'
import { expect, test } from './fixtures.ts'

test('the network of a device is ordered by keys, tried by the device, kept or undone, and never said to be more than it said', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  test.setTimeout(240_000)
  await signIn('owner')
  const registered = await page.request.get('/v1/assets?type=alpon_x5_ai&page_size=100&sort=-name')
  const { items } = (await registered.json()) as { items: { id: string }[] }
  let id = ''
  for (const item of items) {
    const { device } = (await (await page.request.get(`/v1/assets/${item.id}/alpon/network`)).json()) as { device: object | null }
    if (device === null) id = item.id
  }
  expect(id).not.toBe('')
  await open(`/assets/${id}/network`)
  await expect(page.getByText('No device is set up yet')).toBeVisible()
  const made = await page.request.post(`/v1/assets/${id}/alpon/claim-code`)
  const { code } = (await made.json()) as { code: string }
  const device = await connectAgent(page, code)
  await device.reportNetwork(null)
  const interfaces = page.getByRole('region', { name: 'Interfaces' })
  await expect(interfaces.getByText('Has internet, in use')).toBeVisible()
  await expectAccessible()

  // By keys, put back, and by a button.
  const grip = interfaces.getByRole('button', { name: 'Move wwan0', exact: true })
  await grip.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await expect(interfaces.getByText('Not sent yet:')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(interfaces.getByText('Not sent yet:')).toBeHidden()
  await interfaces.getByRole('button', { name: 'Move wwan0 up' }).click()
  await expect(interfaces.getByText('wwan0, wlan0, eth0')).toBeVisible()
  await interfaces.getByRole('button', { name: 'Send order' }).click()
  await expect(page.getByRole('heading', { name: /Waits for the device|The device has it/ })).toBeVisible()
  await expect.poll(async () => (await device.wanted()).network?.priority).toEqual(['wwan0', 'wlan0', 'eth0'])
  await expect(page.getByRole('heading', { name: 'The device has it' })).toBeVisible()

  await device.reportNetwork({ state: 'trial', until: new Date(Date.now() + 90_000).toISOString() })
  await expect(page.getByRole('heading', { name: /On trial/ })).toBeVisible()
  await expect(page.getByText(/^1:[0-3]\d$/)).toBeVisible()
  const { width, height } = page.viewportSize()!
  await page.setViewportSize({ width: 360, height })
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await page.setViewportSize({ width, height })
  await expectAccessible()
  await device.reportNetwork({ state: 'undone', words: 'The server was not reached with it' })
  await expect(page.getByText('The device put back the network settings')).toBeVisible()
  await expectAccessible()
  // It stands among the alerts until it is set again, and leads there.
  await open('/notifications')
  const alert = page.getByRole('row').filter({ hasText: 'went back to its previous network settings' })
  await expect(alert).toContainText('Devices')
  await alert
    .getByRole('link', { name: /went back/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('link', { name: 'Open the asset' }).click()
  await expect(page.getByText('The device put back the network settings')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect
    .poll(async () => {
      const answer = await page.request.get('/v1/notifications/alerts?state=open&source=device')
      return ((await answer.json()) as { items: { asset_id: string }[] }).items.filter(({ asset_id }) => asset_id === id).length
    })
    .toBe(0)
  await expect.poll(() => device.directives.filter(({ command }) => command === 'look').length).toBeGreaterThan(1)
  await device.reportNetwork({ state: 'kept' })
  await expect(page.getByText('The device has set what is wanted')).toBeVisible()

  await page.getByRole('button', { name: 'Set an APN' }).click()
  const form = page.getByRole('dialog', { name: /^APN of/ })
  await form.getByRole('textbox', { name: 'APN', exact: true }).fill('not an apn')
  await form.getByLabel('Password').fill('very-secret')
  await form.getByRole('button', { name: 'Send APN' }).click()
  await expect(form.getByText('Enter an APN, like super or iot.example')).toBeVisible()
  await form.getByRole('textbox', { name: 'APN', exact: true }).fill('iot.example')
  await form.getByRole('textbox', { name: 'User' }).fill('device')
  await expectAccessible()
  await form.getByRole('button', { name: 'Send APN' }).click()
  await expect(form).toBeHidden()
  await expect
    .poll(async () => (await device.wanted()).network?.apn)
    .toEqual({ name: 'iot.example', user: 'device', password: 'very-secret' })
  await page.getByRole('button', { name: 'Set a SIM PIN' }).click()
  const pin = page.getByRole('dialog', { name: /^SIM PIN of/ })
  await pin.getByLabel('PIN').fill('12')
  await pin.getByRole('button', { name: 'Send PIN' }).click()
  await expect(pin.getByText('A PIN has 4 to 8 digits')).toBeVisible()
  await pin.getByLabel('PIN').fill('1234')
  await pin.getByRole('button', { name: 'Send PIN' }).click()
  await expect(page.getByText('Set, never shown again')).toBeVisible()
  const shown = await page.request.get(`/v1/assets/${id}/alpon/network`)
  expect(await shown.text()).not.toMatch(/very-secret|1234"/)
  const networks = [
    { ssid: 'acme-yard', signal_pct: 62, security: 'wpa2', in_use: false, own: false },
    { ssid: 'eduroam', signal_pct: 40, security: 'enterprise', in_use: false, own: false },
  ]
  const wifi = { scanned_at: new Date().toISOString(), networks }
  await device.reportNetwork({ state: 'kept' }, { wifi })
  await page.getByRole('button', { name: 'Scan', exact: true }).click()
  await expect.poll(() => device.directives.some((each) => each.command === 'run' && each.data.do === 'scan')).toBe(true)
  await page.getByRole('button', { name: 'Connect to acme-yard' }).click()
  const join = page.getByRole('dialog', { name: /acme-yard$/ })
  await join.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(join.getByText('Enter the password of this network')).toBeVisible()
  await join.getByLabel('Password').fill('wifi-secret')
  await expectAccessible()
  await join.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect
    .poll(async () => (await device.wanted()).network?.wifi)
    .toEqual([{ ssid: 'acme-yard', security: 'wpa2', hidden: false, password: 'wifi-secret' }])
  await device.reportNetwork({ state: 'kept' }, { wifi: { ...wifi, networks: networks.map((each, i) => ({ ...each, in_use: i === 0 })) } })
  await expect(page.getByRole('button', { name: 'Forget acme-yard' })).toBeVisible()
  await page.getByRole('button', { name: 'Forget acme-yard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click()
  await expect.poll(async () => (await device.wanted()).network?.wifi).toEqual([])
  const profile = (iccid: string, provider: string, enabled: boolean) => ({ aid: null, iccid, provider, name: null, enabled })
  const profiles = [profile('8931082017004430677', 'Home', true), profile('8931440400002815534', 'Abroad', false)]
  const esim = { words: null, eid: null, profiles, job: null }
  await device.reportNetwork({ state: 'kept' }, { esim })
  await page.getByRole('button', { name: 'Add profile' }).click()
  const add = page.getByRole('dialog', { name: /eSIM/ })
  await add.getByRole('textbox', { name: 'Activation code' }).fill('smdp.example.com')
  await add.getByRole('button', { name: 'Add profile' }).click()
  await expect(add.getByText('Enter an activation code, like')).toBeVisible()
  await add.getByRole('textbox', { name: 'Activation code' }).fill('LPA:1$smdp.example.com$MATCH-ME')
  await expectAccessible()
  await add.getByRole('button', { name: 'Add profile' }).click()
  await expect(page.getByText(/Adding a profile: the device (does not know|asked)/)).toBeVisible()
  await expect.poll(async () => (await device.wanted()).network?.esim?.do).toBe('add')
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await expectAccessible()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(page.getByText('Adding a profile: the device')).toBeHidden()
  expect((await device.wanted()).network?.esim).toBeNull()
  await page.request.post(`/v1/assets/${id}/alpon/esim`, { data: { act_code: 'LPA:1$smdp.example.com$MATCH-ME' } })
  await expect(page.getByText('Adding a profile: the device')).toBeVisible()
  const job = {
    generation: (await device.wanted()).network!.esim!.generation,
    do: 'add',
    percent: 57,
    words: null,
    at: new Date().toISOString(),
  }
  await device.reportNetwork({ state: 'kept' }, { esim: { ...esim, job: { ...job, state: 'running', step: 'es10b_prepare_download' } } })
  await expect(page.getByText('es10b_prepare_download')).toBeVisible()
  await expectAccessible()
  const done = { ...job, state: 'done', step: null, percent: 100, iccid: '8931440400002815534', words: 'It has no name: lpac said nothing' }
  await device.reportNetwork({ state: 'kept' }, { esim: { ...esim, job: done } })
  await expect(page.getByText('Abroad was added')).toBeVisible()
  await expect(page.getByText('It has no name: lpac said nothing')).toBeVisible()
  await page.getByRole('button', { name: 'Switch to Abroad' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch', exact: true }).click()
  await expect.poll(async () => (await device.wanted()).network?.profile).toBe('8931440400002815534')
  await expect(page.getByText('Wanted, and not in use as the device says')).toBeVisible()
  await device.reportNetwork({ state: 'kept' }, { apn: { name: 'iot.example', user: 'device', has_password: true } })
  await expect(page.getByText('user device, with a password')).toHaveCount(2)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 900 })
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
  // What lies half below the bar at the top would be called too small.
  await page.evaluate('scrollTo(0, 0)')
  await expectAccessible()
  await device.end()
  await expect(page.getByRole('status').filter({ hasText: 'what is shown here is as it was before' })).toBeVisible()
  await expectAccessible()
})
