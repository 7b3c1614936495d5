import { afterAll, beforeAll, expect, test } from 'vitest'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { getAsset } from '@masthead/contract/assets/operations'
import { mostWaitingChanges, type ConfigChange } from '@masthead/contract/devices/config'
import { configureDevice, getDevice } from '@masthead/contract/devices/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { addAsset } from '../test-stock.ts'
import { addCore } from './test-many.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
  ada = await house.newOwner()
})
afterAll(() => house[Symbol.asyncDispose]())

const deviceOf = async (asset_id: string) => (await ada.call(getDevice, { params: { asset_id } })).body.device!
const configure = (asset_id: string, body: ConfigChange) => ada.call(configureDevice, { params: { asset_id }, body })

/** The device has received all changes, and reports this. */
async function reports(asset_id: string, config: Record<string, unknown>) {
  await sql`update device_config set sent_at = created_at, received_at = created_at, acked_at = created_at
    where device_id in (select id from device where asset_id = ${asset_id})`.execute(house.db)
  await sql`update device set reported = ${JSON.stringify({ config })}::jsonb where asset_id = ${asset_id}`.execute(house.db)
}

test('CORE devices are sent a change; those that have it, or cannot take it, stay, and the preview says so', async () => {
  const [fresh, same, drifted, waiting, full, bare] = [
    await addCore(house, ada),
    await addCore(house, ada),
    await addCore(house, ada),
    await addCore(house, ada),
    await addCore(house, ada),
    await addAsset(house, ada),
  ]
  const core_config = { check_internet_interval: 120, network_priority: { TYPE_E: 1, TYPE_C: 2 } }
  for (const { id } of [same, drifted, waiting]) await configure(id, core_config)
  await reports(same.id, { network_priority: { TYPE_C: 2, TYPE_E: 1 }, check_internet_interval: 120 })
  await reports(drifted.id, { check_internet_interval: 60 })
  for (let i = 0; i < mostWaitingChanges; i++) expect((await configure(full.id, { ping_timeout: i + 1 })).status).toBe(200)
  const body = {
    action: 'configure_core' as const,
    core_config,
    asset_ids: [...[fresh, same, drifted, waiting, full, bare].map(({ id }) => id), 'ast_nothing'],
  }
  const left = expect.arrayContaining([
    { reason: 'already', count: 2 },
    { reason: 'too_many_changes', count: 1 },
    { reason: 'no_core', count: 1 },
    { reason: 'gone', count: 1 },
  ]) as never
  const preview = await ada.call(bulk.previewBulkChange, { body })
  expect(preview.body, preview.text).toMatchObject({ total: 7, changed: 2, left })
  const { body: change, text } = await ada.call(bulk.startBulkChange, { body })
  expect(change, text).toMatchObject({ total: 7, changed: 2, left, can_undo: false })
  for (const { id } of [fresh, drifted]) {
    const device = await deviceOf(id)
    expect(device.desired).toMatchObject(core_config)
    expect(device.configs[0]).toMatchObject({ state: 'created', configs: core_config, by: ada.email })
  }
  // One on its way already is not sent twice.
  expect((await deviceOf(waiting.id)).configs).toHaveLength(1)
  // Asked again, and for a part of it: nothing is left to do.
  expect((await ada.call(bulk.startBulkChange, { body })).body).toMatchObject({ changed: 0 })
  const part = { ...body, core_config: { check_internet_interval: 120 } }
  expect((await ada.call(bulk.previewBulkChange, { body: part })).body).toMatchObject({ changed: 0 })
  const events = (await house.events(ada.account_id)).filter(({ name }) => name === 'devices.device_configured')
  const ofFresh = events.filter(({ detail }) => detail.asset_id === fresh.id)
  expect(ofFresh).toMatchObject([{ detail: { keys: 'network_priority, check_internet_interval' } }])
})

test('a later change of the same second comes after the earlier one, and a private APN brings the list of those it accepts', async () => {
  const { id } = await addCore(house, ada)
  const start = (core_config: ConfigChange) =>
    ada.call(bulk.startBulkChange, { body: { action: 'configure_core', core_config, asset_ids: [id] } })
  await configure(id, { logger_level: 'debug' })
  expect((await start({ apn: 'iot.example' })).body).toMatchObject({ changed: 1 })
  expect((await start({ logger_level: 'info' })).body).toMatchObject({ changed: 1 })
  const { desired, configs } = await deviceOf(id)
  expect(desired).toEqual({ logger_level: 'info', apn: 'iot.example', acceptable_apns: ['super', 'de1.super', 'sg1.super', 'iot.example'] })
  expect(configs.map((each) => Object.keys(each.configs)[0])).toEqual(['logger_level', 'apn', 'logger_level'])
})

test('an action says what it must be given, and what a device would not take is refused', async () => {
  const { id } = await addCore(house, ada)
  const start = (more: object) => ada.call(bulk.startBulkChange, { body: { action: 'configure_core', asset_ids: [id], ...more } as never })
  expect(await start({})).toMatchObject({ status: 400, body: { fields: { core_config: expect.any(String) } } })
  expect(await start({ core_config: {} })).toMatchObject({ status: 400 })
  expect(await start({ core_config: { ping_timeout: 61 } })).toMatchObject({ status: 400 })
  expect(await start({ action: 'update_core', core_config: { ping_timeout: 6 } })).toMatchObject({ status: 400 })
})

test('a file configures each device in its own way, whole rows or none', async () => {
  const [first, second, bare] = [await addCore(house, ada), await addCore(house, ada), await addAsset(house, ada)]
  const text = [
    'asset,name,apn,network_priority,ping_timeout,debug_mode,network_interface_exceptions',
    `${first.serial},Weir,super,TYPE_E=1; TYPE_C=2,12,yes,tun0; docker0`,
    `${second.id},,,,30,,None`,
    `${bare.id},Bare,super,,,,`,
    `${second.id},,,,90,,`,
    `${second.id},,,eth0,,,`,
    `${second.id},,,,,perhaps,`,
    `${second.id},,-,,,,`,
    `${second.id},,,,,,tun 0`,
  ].join('\n')
  const { body, text: answer } = await ada.call(bulk.startCsvChange, { body: text } as never)
  expect(body, answer).toMatchObject({ total: 8, changed: 2, can_undo: true })
  const { items } = (await ada.call(bulk.listLeftAssets, { params: { bulk_id: body.id } })).body
  expect(items.map(({ line, reason, words }) => [line, reason, words])).toEqual([
    [4, 'no_core', null],
    [5, 'bad_row', 'ping_timeout: Enter whole seconds from 1 to 60'],
    [6, 'bad_row', 'network_priority: Name interfaces or types with a number of 1 to 1000 each, like "TYPE_E=1;TYPE_C=2"'],
    [7, 'bad_row', 'debug_mode: Write yes or no'],
    [8, 'bad_row', 'apn: Enter an APN, like super or iot.example'],
    [9, 'bad_row', 'network_interface_exceptions: Name at most 16 interfaces, like "tun0;docker0", or write none'],
  ])
  const wanted = {
    apn: 'super',
    network_priority: { TYPE_E: 1, TYPE_C: 2 },
    ping_timeout: 12,
    debug_mode: true,
    network_interface_exceptions: ['tun0', 'docker0'],
  }
  expect((await deviceOf(first.id)).desired).toEqual(wanted)
  expect((await deviceOf(second.id)).desired).toEqual({ ping_timeout: 30, network_interface_exceptions: [] })
  expect((await ada.call(getAsset, { params: { asset_id: bare.id } })).body.name).toBe(bare.name)
  // What a device was sent stays; the name comes back.
  const undone = (await ada.call(bulk.undoBulkChange, { params: { bulk_id: body.id } })).body
  expect(undone).toMatchObject({ changed: 1, left: [{ reason: 'not_undoable', count: 1 }] })
  expect((await deviceOf(first.id)).desired).toEqual(wanted)
})

test('whoever may change assets but no CORE devices is refused, by a file too, and when the right is lost on the way', async () => {
  const core = await addCore(house, ada)
  const body = { action: 'configure_core' as const, core_config: { ping_timeout: 7 }, asset_ids: [core.id] }
  const rows = Array.from({ length: 500 }, (_, i) => `nothing-${i},7`)
  const text = ['asset,ping_timeout', ...rows, `${core.id},7`].join('\n')
  const member = await house.newMember(ada, ['assets.view', 'assets.edit'])
  for (const op of [bulk.previewBulkChange, bulk.startBulkChange]) {
    const refused = await member.call(op, { body })
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  }
  expect(await member.call(bulk.startCsvChange, { body: text } as never)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const may = (permissions: string[]) =>
    house.db.updateTable('membership').set({ permissions }).where('account_id', '=', ada.account_id).execute()
  const byFile = async (after: string[]) => {
    await may(['assets.view', 'assets.edit', 'core.edit'])
    const { id } = (await member.call(bulk.startCsvChange, { body: text } as never)).body as { id: string }
    await may(after)
    await house.settle()
    return (await ada.call(bulk.getBulkChange, { params: { bulk_id: id } })).body
  }
  expect(await byFile(['assets.view', 'assets.edit'])).toMatchObject({ changed: 0, left: [{ reason: 'not_allowed', count: 501 }] })
  expect(await byFile(['assets.view', 'assets.edit', 'core.edit'])).toMatchObject({ changed: 1, left: [{ reason: 'gone', count: 500 }] })
})
