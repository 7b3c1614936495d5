import { connectAgent } from './agent-device.ts'
import { expect, test } from './fixtures.ts'

test('a fleet is made, gets assets and a pilot, is renamed and deleted', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  const name = `Ships ${crypto.randomUUID().slice(0, 8)}`
  await open('/alpon-fleets')
  await page.getByRole('button', { name: 'New fleet' }).click()
  const create = page.getByRole('dialog', { name: 'New fleet' })
  await create.getByRole('button', { name: 'Create fleet' }).click()
  await expect(create.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription('Enter a name')
  await create.getByRole('textbox', { name: 'Name' }).fill(name)
  await create.getByRole('button', { name: 'Create fleet' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(page.getByText('No pilot is chosen')).toBeVisible()
  await expectAccessible()

  const free = await freeDevices(page)
  await page.getByRole('tab', { name: 'Assets' }).click()
  await expect(page).toHaveURL(/\/assets$/)
  await page.getByRole('button', { name: 'Add the first assets' }).click()
  const add = page.getByRole('dialog', { name: `Add assets to ${name}` })
  await add.getByRole('textbox', { name: 'Assets' }).fill(`${free[0]!.serial}\n${free[1]!.serial}\nNO-SUCH-ASSET`)
  await add.getByRole('button', { name: 'Add assets' }).click()
  const refused = page.getByRole('dialog', { name: '1 asset was not added' })
  await expect(refused).toContainText('2 assets were added')
  await expect(refused.getByRole('listitem')).toContainText('There is no such asset')
  await expectAccessible()
  await refused.getByRole('button', { name: 'Close' }).last().click()

  const row = page.getByRole('row', { name: new RegExp(free[0]!.serial) })
  await row.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Make it the pilot' }).click()
  await expect(row).toContainText('Pilot')
  await page.getByRole('tab', { name: 'Fleet details' }).click()
  await expect(page.getByText('is the pilot: what is new is tried there first')).toBeVisible()
  await page.reload()
  await expect(page.getByText('is the pilot: what is new is tried there first')).toBeVisible()

  await page.getByRole('tab', { name: 'Assets' }).click()
  await row.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Take out' }).click()
  const out = page.getByRole('dialog', { name: /^Take / })
  await expect(out).toContainText('The fleet has no pilot after it')
  await out.getByRole('button', { name: 'Take out' }).click()
  await expect(row).toHaveCount(0)

  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(`${name} 2`)
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} 2`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete fleet' }).click()
  await expect(page).toHaveURL(/alpon-fleets$/)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toHaveCount(0)
})

test('assets ticked in the list are put into a fleet', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  const name = `Trains ${crypto.randomUUID().slice(0, 8)}`
  const made = await page.request.post('/v1/alpon-fleets', { data: { name } })
  const { id } = (await made.json()) as { id: string }
  const [asset] = await freeDevices(page)
  await open(`/assets?search=${asset!.serial}`)
  await page.getByRole('checkbox', { name: /^Select (?!all)/ }).check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Add to fleet' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add 1 asset to a fleet' })
  await dialog.getByRole('searchbox', { name: 'Find a fleet' }).fill(name)
  await dialog.getByRole('radio', { name: new RegExp(name) }).check()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Add to fleet' }).click()
  await expect(page.getByText('1 asset was added', { exact: true })).toBeVisible()
  await open(`/alpon-fleets/${id}/assets`)
  const row = page.getByRole('row', { name: new RegExp(asset!.serial) })
  await expect(row).toBeVisible()

  // Out of it again by the list of assets, all that match.
  await open('/assets?type=alpon_x4&type=alpon_x5_ai')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await bar.getByRole('button', { name: /^Select all \d+/ }).click()
  await bar.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Take out of fleet' }).click()
  const out = page.getByRole('dialog', { name: /out of a fleet$/ })
  await out.getByRole('searchbox', { name: 'Find a fleet' }).fill(name)
  await out.getByRole('radio', { name: new RegExp(name) }).check()
  await out.getByRole('button', { name: 'Take out' }).click()
  await expect(page.getByText('1 asset was taken out', { exact: true })).toBeVisible()
  await open(`/alpon-fleets/${id}/assets`)
  await expect(page.getByRole('button', { name: 'Add the first assets' })).toBeVisible()

  // And by a file.
  await page.request.post(`/v1/alpon-fleets/${id}/assets`, { data: { assets: [asset!.id] } })
  await expect(row).toBeVisible()
  await page.getByRole('button', { name: 'Take assets out' }).click()
  const form = page.getByRole('dialog', { name: `Take assets out of ${name}` })
  await form
    .locator('input[type=file]')
    .setInputFiles({ name: 'out.csv', mimeType: 'text/csv', buffer: Buffer.from(`name,serial\nx,${asset!.serial}\ny,NO-SUCH-ASSET\n`) })
  await expect(form.getByRole('textbox', { name: 'Assets' })).toHaveValue(`${asset!.serial}\nNO-SUCH-ASSET`)
  await expectAccessible()
  await form.getByRole('button', { name: 'Take out' }).click()
  const refused = page.getByRole('dialog', { name: '1 asset was not taken out' })
  await expect(refused).toContainText('1 asset was taken out')
  await expect(refused.getByRole('listitem')).toContainText('There is no such asset')
  await refused.getByRole('button', { name: 'Close' }).last().click()
  await expect(row).toHaveCount(0)
  await page.request.delete(`/v1/alpon-fleets/${id}`)
})

test('a fleet that is not there says so, and an account without fleets says what one is, at 360 px', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn('empty')
  await open('/alpon-fleets/flt_none')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fleet not found')
  await open('/alpon-fleets')
  await expect(page.getByText('One of them is its pilot')).toBeVisible()
  await expectAccessible()
})

test('what the pilot runs is published, and rolled out in a maintenance window', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  const [bare, pilot] = await freeDevices(page)
  const call = async (path: string, data: object) => (await page.request.post(`/v1/${path}`, { data })).json() as Promise<{ id: string }>
  const { id } = await call('alpon-fleets', { name: `Pilots ${crypto.randomUUID().slice(0, 8)}` })
  await call(`alpon-fleets/${id}/assets`, { assets: [bare!.id, pilot!.id] })
  await page.request.patch(`/v1/alpon-fleets/${id}`, { data: { pilot_asset_id: pilot!.id } })
  const { code } = (await call(`assets/${pilot!.id}/alpon/claim-code`, {})) as unknown as { code: string }
  const agent = await connectAgent(page, code)
  await call(`assets/${pilot!.id}/alpon/containers`, { name: 'relay', image: 'acme/relay:1' })
  await agent.report(null, 'running', 60)
  await open(`/alpon-fleets/${id}`)
  await page.getByRole('button', { name: 'Publish version' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish version' }).click()
  await expect(page.getByText('Version 1 is published', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Roll out' }).click()
  const form = page.getByRole('dialog', { name: /^Roll out to/ })
  await expect(form.getByText(/^It goes to \d+ devices?\./)).toBeVisible()
  await expect(form.getByText(/ in all\.$|^No device has to download an image\.$/)).toBeVisible()
  const [beside] = await Promise.all([
    page.waitForEvent('popup'),
    form.getByRole('link', { name: 'Which have no agent (opens beside)' }).click(),
  ])
  await expect(beside.getByRole('row', { name: new RegExp(bare!.serial) })).toBeVisible()
  await expect(beside.getByRole('row', { name: new RegExp(pilot!.serial) })).toBeHidden()
  await beside.close()
  await form.getByRole('checkbox', { name: 'Start devices in a maintenance window only' }).check()
  await expect(form.getByRole('textbox', { name: 'From' })).toHaveValue('22:00')
  await form.getByRole('textbox', { name: 'To' }).fill('25:00')
  await form.getByRole('button', { name: 'Start rollout' }).click()
  await expect(form.getByRole('textbox', { name: 'To' })).toHaveAccessibleDescription('Enter a time such as 22:00')
  await form.getByRole('textbox', { name: 'To' }).fill('4:30')
  await form.getByRole('checkbox', { name: 'Sat' }).uncheck()
  await form.getByRole('checkbox', { name: 'Sun' }).uncheck()
  await expectAccessible()
  await form.getByRole('button', { name: 'Start rollout' }).click()
  await expect(page.getByText('in its maintenance window only: Mon to Fri, 22:00 to 04:30')).toBeVisible()
  await page.getByRole('button', { name: 'Abort', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Abort rollout' }).click()
  await expect(page.getByText('Aborted').first()).toBeVisible()
  // Any version can be rolled out again, from the list of all.
  await page.getByRole('button', { name: 'Actions for version 1' }).click()
  await page.getByRole('menuitem', { name: 'Roll out' }).click()
  await expect(form.getByRole('button', { name: 'Version Version 1' })).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('tab', { name: 'Assets' }).click()
  await expect(page.getByRole('row', { name: new RegExp(pilot!.serial) })).toContainText('Online')
  await agent.end()
})

/** Two devices of the signed-in account that run containers and are in no fleet. */
async function freeDevices(page: import('@playwright/test').Page): Promise<{ id: string; serial: string }[]> {
  const get = async (path: string) => (await (await page.request.get(`/v1/${path}`)).json()) as { items: { id: string; serial: string }[] }
  const fleets = (await get('alpon-fleets?page_size=100')).items
  const taken = new Set<string>()
  for (const { id } of fleets) for (const asset of (await get(`alpon-fleets/${id}/assets?page_size=100`)).items) taken.add(asset.id)
  const { items } = await get('assets?type=alpon_x4&type=alpon_x5_ai&page_size=100')
  return items.filter(({ id }) => !taken.has(id)).slice(0, 2)
}

test('the demo has a fleet with versions, and a rollout that halted because one device cannot run the newest', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  const { items } = (await (await page.request.get('/v1/alpon-fleets')).json()) as { items: { id: string; name: string }[] }
  const { id } = items.find(({ name }) => name === 'Depots Europe')!
  await open(`/alpon-fleets/${id}`)
  await expect(page.getByText('Halted').first()).toBeVisible()
  await expect(page.getByText('Doors that bounce are counted once').first()).toBeVisible()
  await expect(page.getByText(/door-sensor: image .+0\.4\.2 to .+0\.5\.0-rc1/).first()).toBeVisible()
  await expectAccessible()
  const failed = page.getByRole('table', { name: 'Devices of the rollout' }).getByRole('row', { name: /Failed/ })
  await failed.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Tries' }).click()
  const tries = page.getByRole('dialog', { name: /^Tries on/ })
  await expect(tries.getByRole('row', { name: /door-sensor: / })).toHaveCount(2)
  await expectAccessible()
  await tries.getByRole('button', { name: 'Close' }).click()
  await open(`/alpon-fleets/${id}/assets`)
  await expect(page.getByRole('columnheader', { name: 'Tries' })).toBeVisible()
  await expect(page.getByRole('row', { name: /failed/ })).toContainText('door-sensor: ')
  await expectAccessible()
  await open('/alpon-fleets')
  await expect(page.getByRole('row', { name: /Depots Europe/ })).toContainText(/\d online.*Halted.*version \d+: \d+ of \d+ done, 1 failed/)
})
