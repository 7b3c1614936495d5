import { afterAll, beforeAll, expect, test } from 'vitest'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { getAsset } from '@masthead/contract/assets/operations'
import { setImeiLock, setSimLimit } from '@masthead/contract/assets/sim-operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../test-stock.ts'
import { holdByRule } from './test-many.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
  ada = await house.newOwner()
})
afterAll(() => house[Symbol.asyncDispose]())

test('a word that every object of the language has is no IMEI lock, and the other rows of the file are done', async () => {
  const assets = [await addAsset(house, ada), await addAsset(house, ada), await addAsset(house, ada)]
  const locks = ['constructor', '__proto__', 'watch']
  const text = ['asset,imei_lock', ...assets.map(({ serial }, i) => `${serial},${locks[i]}`)].join('\n')
  expect((await ada.call(bulk.startCsvChange, { body: text as never })).body).toMatchObject({
    changed: 1,
    left: [{ reason: 'bad_row', count: 2 }],
  })
})

test('a row in another encoding than UTF-8 is refused, and the other rows are done', async () => {
  const [first, second] = [await addAsset(house, ada), await addAsset(house, ada)]
  const payload = Buffer.from(`asset,name\n${first.serial},Köln\n${second.serial},Bonn\n`, 'latin1')
  const headers = { cookie: ada.cookie, 'content-type': 'text/csv' }
  const answer = await house.server.inject({ method: 'POST', url: `/v1${bulk.startCsvChange.path}`, headers, payload })
  expect(answer.json()).toMatchObject({ changed: 1, left: [{ reason: 'bad_row', count: 1 }] })
  const params = { bulk_id: answer.json<{ id: string }>().id }
  const { items } = (await ada.call(bulk.listLeftAssets, { params })).body
  expect(items).toMatchObject([{ line: 2, words: 'The line is not UTF-8: save the file as CSV UTF-8' }])
})

test('a file takes off what alert rules hold against the SIMs that it activates, and not against those that are active as it says', async () => {
  const [active, inactive] = [await addAsset(house, ada), await addAsset(house, ada)]
  const held = { code: 'rule', since: house.clock.now().toISOString(), by: 'system', words: 'Held', clears: 'Later' }
  for (const [asset, state] of [
    [active, 'active'],
    [inactive, 'inactive'],
  ] as const) {
    await house.db
      .updateTable('sim')
      .set({ state, activated_at: house.clock.now(), blocks: JSON.stringify([held]) })
      .where('id', '=', asset.sim!.id)
      .execute()
  }
  const text = ['asset,name,state', `${active.serial},Pump,active`, `${inactive.serial},,active`].join('\n')
  expect((await ada.call(bulk.startCsvChange, { body: text as never })).body).toMatchObject({ changed: 2, still_blocked: 0 })
  const seen = async (asset_id: string) => (await ada.call(getAsset, { params: { asset_id } })).body
  expect(await seen(active.id)).toMatchObject({ name: 'Pump', sim: { state: 'active', blocks: [{ code: 'rule' }] } })
  expect(await seen(inactive.id)).toMatchObject({ sim: { state: 'active', blocks: [] } })
  const again = (await ada.call(bulk.startCsvChange, { body: `asset,state\n${active.serial},active` as never })).body
  expect(again).toMatchObject({ changed: 0, left: [{ reason: 'already', count: 1 }] })
})

test('a row that also moves its SIM raises the limit of the group where that goes, and one that takes its own limit away that of its group', async () => {
  const assets = await Promise.all(Array.from({ length: 6 }, () => addAsset(house, ada)))
  const [free, small, large, again, own, mine] = assets.map(({ serial }) => serial)
  const groups = assets.map(({ serial }, i) => `${serial},${i === 0 ? 'default' : i === 5 ? 'default_unlimited' : 'default_1gb'}`)
  expect((await ada.call(bulk.startCsvChange, { body: ['asset,network_group', ...groups].join('\n') as never })).body.total).toBe(6)
  for (const asset of assets.slice(4)) await ada.call(setSimLimit, { params: { asset_id: asset.id }, body: { bytes: 5e9 } })
  const text = [
    'asset,network_group,limit,raise',
    `${free},default_1gb,,2 GB`,
    `${small},default,,2 GB`,
    `${large},default_10gb,,2 GB`,
    `${again},default_1gb,,2 GB`,
    `${own},,none,2 GB`,
    `${mine},default_1gb,,6 GB`,
  ].join('\n')
  const { body, text: said } = await ada.call(bulk.startCsvChange, { body: text as never })
  expect(body, said).toMatchObject({ total: 6, changed: 4 })
  const { items } = (await ada.call(bulk.listLeftAssets, { params: { bulk_id: body.id } })).body
  expect(items.map(({ line, reason }) => [line, reason])).toEqual([
    [3, 'no_limit'],
    [4, 'not_higher'],
  ])
  const seen = await Promise.all(assets.map(async ({ id }) => (await ada.call(getAsset, { params: { asset_id: id } })).body.sim!))
  expect(seen.map(({ network_group, usage }) => [network_group.id, usage.limit_bytes])).toEqual([
    ['default_1gb', 2e9],
    ['default_1gb', 1e9],
    ['default_1gb', 1e9],
    ['default_1gb', 2e9],
    ['default_1gb', 2e9],
    ['default_1gb', 6e9],
  ])
})

test.each(['activate_sim', 'deactivate_sim'])(
  'to undo %s brings back what an alert rule held against a SIM, with its name',
  async (action) => {
    const asset = await addAsset(house, ada)
    await holdByRule(house, asset)
    const { id, ...done } = (await ada.call(bulk.startBulkChange, { body: { action, asset_ids: [asset.id] } as never })).body
    expect(done).toMatchObject({ changed: 1, still_blocked: 0 })
    const sim = async () => (await ada.call(getAsset, { params: { asset_id: asset.id } })).body.sim!
    expect((await sim()).blocks).toEqual([])
    expect((await ada.call(bulk.undoBulkChange, { params: { bulk_id: id } })).body).toMatchObject({
      changed: 1,
      still_blocked: action === 'deactivate_sim' ? 1 : 0,
    })
    expect(await sim()).toMatchObject({
      state: 'active',
      blocks: [{ code: 'rule', words: 'The alert rule Heavy fired', rule_id: 'rul_heavy' }],
    })
  }
)

test('of two who undo a change at once, one does and the other is refused in words', async () => {
  const asset = await addAsset(house, ada)
  const body = { action: 'imei_lock' as const, imei_lock: 'watch' as const, asset_ids: [asset.id] }
  const { id: bulk_id } = (await ada.call(bulk.startBulkChange, { body })).body
  const undo = () => ada.call(bulk.undoBulkChange, { params: { bulk_id } })
  const answers = await Promise.all([undo(), undo()])
  expect(answers.map(({ status, body: { code } }) => code ?? status).toSorted()).toEqual([200, 'bulk_not_undoable'])
})

test('devices that somebody accepted or took back since a lock was set stay, and the others come back', async () => {
  const imeis = ['490154203237518', '356938035643809']
  const assets = [await addAsset(house, ada), await addAsset(house, ada), await addAsset(house, ada)]
  const asset_ids = assets.map(({ id }) => id)
  await house.db
    .updateTable('sim')
    .set({ imei: imeis[0]! })
    .where(
      'id',
      'in',
      assets.map(({ sim }) => sim!.id)
    )
    .execute()
  const lockOf = async (asset_id: string) => (await ada.call(getAsset, { params: { asset_id } })).body.sim!.imei_lock
  for (const imei_lock of ['lock', 'watch'] as const) {
    const { id } = (await ada.call(bulk.startBulkChange, { body: { action: 'imei_lock', imei_lock, asset_ids } })).body
    // The lock stays the same; only the devices are others.
    await ada.call(setImeiLock, { params: { asset_id: assets[0]!.id }, body: { mode: imei_lock, imeis } })
    await ada.call(setImeiLock, { params: { asset_id: assets[1]!.id }, body: { mode: imei_lock, imeis: [] } })
    const undone = (await ada.call(bulk.undoBulkChange, { params: { bulk_id: id } })).body
    expect(undone, imei_lock).toMatchObject({ changed: 1, left: [{ reason: 'changed_since', count: 2 }] })
    expect((await lockOf(assets[0]!.id)).imeis.toSorted()).toEqual(imeis.toSorted())
    expect(await lockOf(assets[1]!.id)).toMatchObject({ own: imei_lock, imeis: [] })
    expect((await lockOf(assets[2]!.id)).own).toBeNull()
    for (const asset_id of asset_ids) await ada.call(setImeiLock, { params: { asset_id }, body: { mode: null, imeis: [imeis[0]!] } })
  }
})
