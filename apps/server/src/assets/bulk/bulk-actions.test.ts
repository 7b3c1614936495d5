import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Asset } from '@masthead/contract/assets/asset'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { getAsset } from '@masthead/contract/assets/operations'
import { setSimLimit } from '@masthead/contract/assets/sim-operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../test-stock.ts'
import { addMany, holdByRule } from './test-many.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const start = (body: unknown) => ada.call(bulk.startBulkChange, { body: body as never })
const preview = (body: unknown) => ada.call(bulk.previewBulkChange, { body: body as never })
const undo = (bulk_id: string) => ada.call(bulk.undoBulkChange, { params: { bulk_id } })
const csv = (text: string, headers = {}) => ada.call(bulk.startCsvChange, { body: text } as never, headers)
const simOf = async ({ id }: Asset) => (await ada.call(getAsset, { params: { asset_id: id } })).body.sim!
const left = async (bulk_id: string) => (await ada.call(bulk.listLeftAssets, { params: { bulk_id } })).body.items

/** One SIM of each state, one without a SIM, one limited, one locked, one tagged. */
async function everyKind() {
  const tag = (await ada.call(createTag, { body: { name: 'cold' } })).body.id
  const assets: Asset[] = []
  for (const state of ['ready', 'active', 'inactive', 'standby', 'terminated', 'inventory'] as const) {
    const asset = await addAsset(house, ada, { name: state })
    const activated_at = state === 'ready' || state === 'inventory' ? null : house.clock.now()
    await house.db.updateTable('sim').set({ state, activated_at }).where('id', '=', asset.sim!.id).execute()
    assets.push(asset)
  }
  const [limited, locked, tagged] = [await addAsset(house, ada), await addAsset(house, ada), await addAsset(house, ada, { tags: [tag] })]
  await ada.call(setSimLimit, { params: { asset_id: limited.id }, body: { bytes: 2e9 } })
  await house.db
    .updateTable('sim')
    .set({ imei_lock: 'lock', imeis: [locked.sim!.imei!] })
    .where('id', '=', locked.sim!.id)
    .execute()
  const bare = await addAsset(house, ada, { iccid: null })
  return { tag, limited, assets: [...assets, limited, locked, tagged, bare] }
}

test('what a preview says of each action is what the action does', async () => {
  for (const more of [
    { action: 'activate_sim' },
    { action: 'deactivate_sim' },
    { action: 'standby_sim' },
    { action: 'ready_sim' },
    { action: 'terminate_sim', confirm: 'terminate' },
    { action: 'set_limit', limit: { bytes: 2e9, period: 'month' } },
    { action: 'set_limit', limit: null },
    { action: 'raise_limit', raise_bytes: 3e9 },
    { action: 'raise_limit', raise_bytes: 1e9 },
    { action: 'imei_lock', imei_lock: 'lock' },
    { action: 'imei_lock', imei_lock: 'off' },
    { action: 'imei_lock', imei_lock: null },
    { action: 'set_network_group', network_group: '1 GB' },
    { action: 'set_network_group', network_group: 'default' },
    { action: 'switch_off' },
    { action: 'switch_on' },
    { action: 'add_tags', tags: ['cold'] },
    { action: 'remove_tags', tags: ['cold'] },
    { action: 'release', to: null, confirm: 'release' },
  ]) {
    ada = await house.newOwner()
    const { assets } = await everyKind()
    const held = await addAsset(house, ada)
    await holdByRule(house, held)
    assets.push(held)
    const { confirm: _, ...asked } = { confirm: undefined, ...more }
    const body = { ...asked, asset_ids: [...assets.map(({ id }) => id), 'ast_nothing'] }
    const said = (await preview(body)).body
    const { status, body: did } = await start({ ...body, ...more })
    const sorted = (reasons: typeof said.left) => reasons.toSorted((a, b) => (a.reason < b.reason ? -1 : 1))
    expect([status, did.total, did.changed, sorted(did.left)], JSON.stringify(more)).toEqual([
      200,
      said.total,
      said.changed,
      sorted(said.left),
    ])
    // Again, nothing is left to do.
    expect((await start({ ...body, ...more })).body.changed, JSON.stringify(more)).toBe(0)
  }
})

test('an action says what it must be given, and a termination asks for its word', async () => {
  const { id } = await addAsset(house, ada)
  expect(await start({ action: 'set_limit', asset_ids: [id] })).toMatchObject({
    status: 400,
    body: { fields: { limit: expect.any(String) } },
  })
  expect(await start({ action: 'activate_sim', raise_bytes: 1e9, asset_ids: [id] })).toMatchObject({ status: 400 })
  expect(await start({ action: 'terminate_sim', asset_ids: [id] })).toMatchObject({
    status: 400,
    body: { fields: { confirm: expect.any(String) } },
  })
})

test('a change is undone where it can be; what somebody changed since stays', async () => {
  const { assets } = await everyKind()
  const [, active, inactive, standby] = assets as [Asset, Asset, Asset, Asset]
  const asset_ids = [active, inactive, standby].map(({ id }) => id)
  const { body } = await start({ action: 'deactivate_sim', asset_ids })
  expect(body).toMatchObject({ changed: 2, can_undo: true, undoes: null })
  await start({ action: 'activate_sim', asset_ids: [standby.id] })
  const undone = await undo(body.id)
  expect(undone.body).toMatchObject({
    action: 'undo',
    undoes: body.id,
    total: 2,
    changed: 1,
    left: [{ reason: 'changed_since', count: 1 }],
  })
  expect([(await simOf(active)).state, (await simOf(inactive)).state, (await simOf(standby)).state]).toEqual([
    'active',
    'inactive',
    'active',
  ])
  expect(await undo(body.id)).toMatchObject({ status: 409, body: { detail: 'Somebody has undone it already' } })
  expect((await ada.call(bulk.getBulkChange, { params: { bulk_id: body.id } })).body.can_undo).toBe(false)
  const gone = (await start({ action: 'terminate_sim', asset_ids: [active.id], confirm: 'terminate' })).body
  expect(await undo(gone.id)).toMatchObject({ status: 409, body: { detail: 'A terminated SIM has left the network for ever' } })
  const list = (await ada.call(bulk.listBulkChanges)).body
  expect(list.items.map(({ action }) => action)).toEqual(['terminate_sim', 'undo', 'activate_sim', 'deactivate_sim'])
})

test('limits, locks and tags come back as each was', async () => {
  const { assets, limited, tag } = await everyKind()
  const asset_ids = assets.map(({ id }) => id)
  const settings = async () =>
    Promise.all(
      assets.map(async ({ id }) => {
        const { sim, tags } = (await ada.call(getAsset, { params: { asset_id: id } })).body
        return [sim?.usage.limit_bytes, sim?.imei_lock, tags.map((each) => each.id)]
      })
    )
  const before = await settings()
  for (const body of [
    { action: 'set_limit', limit: { bytes: 5e9, period: 'day' } },
    { action: 'imei_lock', imei_lock: 'lock' },
    { action: 'add_tags', tags: [tag] },
  ]) {
    const change = (await start({ ...body, asset_ids })).body
    expect(await settings()).not.toEqual(before)
    expect((await undo(change.id)).body).toMatchObject({ left: [], changed: change.changed })
    expect(await settings(), body.action).toEqual(before)
  }
  expect((await simOf(limited)).usage.limit_period).toBe('month')
})

test('a file gives each asset its own values, whole rows or none, and says what is wrong with which line', async () => {
  await ada.call(createTag, { body: { name: 'Cold' } })
  const [pump, valve, tank] = [await addAsset(house, ada), await addAsset(house, ada), await addAsset(house, ada)]
  const text = [
    'asset,name,state,limit,imei_lock,add_tags',
    `${pump.serial.toLowerCase()},Pump,active,500 MB,490154203237518,cold`,
    `${valve.sim!.iccid},"Valve, north",inactive,2 GB/day,watch,`,
    `${tank.id},Tank,standby,none,,`,
    `${pump.id},Again,,,,`,
    'X4-nothing,Nobody,,,,',
    `${tank.id},,terminated,,,`,
    `${tank.id},,,12 KB,,`,
    `${tank.id},,,,,warm`,
    '',
  ].join('\r\n')
  const { status, body } = await csv(text)
  expect([status, body.total, body.changed, body.done]).toEqual([200, 8, 2, 8])
  const told = (await ada.call(getAsset, { params: { asset_id: pump.id } })).body
  expect(told).toMatchObject({
    name: 'Pump',
    tags: [{ name: 'Cold' }],
    sim: { state: 'active', usage: { limit_bytes: 5e8, limit_period: 'month' } },
  })
  expect(told.sim!.imei_lock).toEqual({ mode: 'lock', own: 'lock', imeis: ['490154203237518'] })
  expect((await ada.call(getAsset, { params: { asset_id: valve.id } })).body).toMatchObject({
    name: 'Valve, north',
    sim: { state: 'inactive', usage: { limit_bytes: 2e9, limit_period: 'day' }, imei_lock: { own: 'watch' } },
  })
  // From ready there is no standby: nothing of the row was done.
  expect((await ada.call(getAsset, { params: { asset_id: tank.id } })).body.name).toBe(tank.name)
  expect((await left(body.id)).map(({ line, reason, words }) => [line, reason, words])).toEqual([
    [4, 'wrong_state', null],
    [5, 'twice', null],
    [6, 'gone', null],
    [7, 'bad_row', 'The column state terminates no SIM: select them in the list'],
    [8, 'bad_row', 'A limit is like "500 MB", "2 GB/day" or "none", of 1 MB to 2 TB'],
    [9, 'bad_row', 'There is no tag "warm"'],
  ])
  const results = await ada.call(bulk.exportBulkResults, { params: { bulk_id: body.id } })
  expect(results.text.split('\r\n').slice(0, 2)).toEqual([
    'line,asset_id,name,serial,iccid,outcome,words',
    `2,${pump.id},Pump,${pump.serial},${pump.sim!.iccid},changed,`,
  ])
  expect(results.text).toMatch(/^6,.*,gone,No such asset here\r$/m)
  expect((await undo(body.id)).body).toMatchObject({ changed: 1, left: [{ reason: 'not_undoable', count: 1 }] })
  expect((await ada.call(getAsset, { params: { asset_id: valve.id } })).body).toMatchObject({ name: valve.name, sim: { state: 'ready' } })
})

test('a file that cannot be read is refused whole, and one that is sent twice is done once', async () => {
  const asset = await addAsset(house, ada)
  for (const [text, words] of [
    ['', 'The file is empty'],
    ['asset,state\n', 'The file has a header and no rows'],
    ['serial,state\nX,active\n', 'The column "asset" is missing'],
    ['asset,colour\nX,red\n', 'There is no column "colour"'],
    ['asset;state\nX;active\n', 'Columns have commas between them, not semicolons.'],
  ] as const) {
    expect(await csv(text)).toMatchObject({ status: 400, body: { code: 'invalid_request', detail: expect.stringContaining(words) } })
  }
  const text = `asset,state\n${asset.id},active\n`
  const key = { 'Idempotency-Key': 'file-1' }
  const [first, second] = [await csv(text, key), await csv(text, key)]
  expect(second.body).toEqual(first.body)
  expect((await csv(`${text}\n`, key)).status).toBe(409)
  expect(await house.db.selectFrom('bulk_change').select('id').where('account_id', '=', ada.account_id).execute()).toHaveLength(1)
})

test('a long file goes on in the background, and its undo too', async () => {
  await addMany(house, ada, 1201)
  const assets = await house.db.selectFrom('asset').select('id').where('account_id', '=', ada.account_id).execute()
  const { body } = await csv(['asset,state,limit', ...assets.map(({ id }, i) => `${id},active,${i + 1} MB`)].join('\n'))
  expect(body).toMatchObject({ total: 1201, done: 0, finished_at: null })
  await house.settle()
  expect((await ada.call(bulk.getBulkChange, { params: { bulk_id: body.id } })).body).toMatchObject({ changed: 1201, left: [] })
  const limits = await house.db
    .selectFrom('usage_limit')
    .select('bytes')
    .where('account_id', '=', ada.account_id)
    .where('sim_id', 'is not', null)
    .execute()
  expect(limits.map(({ bytes }) => bytes / 1e6).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1201 }, (_, i) => i + 1))
  const undone = (await undo(body.id)).body
  await house.settle()
  // From ready to active is where a SIM begins to cost: nobody takes that back, and a row is undone whole or not at all.
  expect((await ada.call(bulk.getBulkChange, { params: { bulk_id: undone.id } })).body.left).toEqual([
    { reason: 'not_undoable', count: 1201 },
  ])
})

test('SIMs are put into a group, and back into the one that each was in', async () => {
  const { id } = await addAsset(house, ada)
  const { body } = await start({ action: 'set_network_group', network_group: '1 GB', asset_ids: [id] })
  expect(body).toMatchObject({ changed: 1, network_group: { id: 'default_1gb', name: '1 GB' }, can_undo: true })
  expect((await simOf({ id } as Asset)).network_group.id).toBe('default_1gb')
  expect((await undo(body.id)).body.changed).toBe(1)
  expect((await simOf({ id } as Asset)).network_group.id).toBe('default')
  // By a file each has its own; what is so already comes after what went wrong.
  const other = await addAsset(house, ada)
  const file = await csv(['asset,network_group', `${other.id},Default`, `${id},1 gb`, 'nothing,'].join('\n'))
  expect((await simOf({ id } as Asset)).network_group.id).toBe('default_1gb')
  const lines = (await left(file.body.id)).map(({ line, reason }) => [line, reason])
  expect(lines).toEqual([
    [4, 'gone'],
    [2, 'already'],
  ])
  const { body: unknown } = await csv(`asset,network_group\n${id},nowhere`)
  expect((await left(unknown.id)).map(({ words }) => words)).toEqual(['There is no network group "nowhere"'])
  expect((await undo(file.body.id)).body.changed).toBe(1)
})
