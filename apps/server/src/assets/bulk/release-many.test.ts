import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { getAsset, listAssets, registerAsset } from '@masthead/contract/assets/operations'
import { setSimLimit } from '@masthead/contract/assets/sim-operations'
import { addPoolAssets, getDataPool } from '@masthead/contract/datapools/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { putPool } from '../../datapools/test-pools.ts'
import { addAsset, addSession } from '../test-stock.ts'
import { addMany } from './test-many.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const start = (body: object, who = ada) => who.call(bulk.startBulkChange, { body: { action: 'release', ...body } as never })
const preview = (body: object, who = ada) => who.call(bulk.previewBulkChange, { body: { action: 'release', ...body } as never })
const register = (who: Person, token: string) => who.call(registerAsset, { body: { token } })

test('many assets are handed over: what cannot leave stays and says why, and the preview says what the rest means', async () => {
  const bob = await house.newOwner()
  const eve = await house.newOwner()
  const add = () => addAsset(house, ada)
  const [first, second, ended, held, open, bare] = [
    await add(),
    await add(),
    await add(),
    await add(),
    await add(),
    await addAsset(house, ada, { iccid: null }),
  ]
  const pool_id = await putPool(house, ada)
  await ada.call(addPoolAssets, { params: { pool_id }, body: { assets: [first.id, second.id, held.id] } })
  for (const { id } of [first, ended]) await ada.call(setSimLimit, { params: { asset_id: id }, body: { bytes: 1e9 } })
  const month = `${house.clock.now().toISOString().slice(0, 7)}-01`
  const fee = { account_id: ada.account_id, month, kind: 'sim_active' as const, micros: 1, charged_at: house.clock.now() }
  for (const { sim } of [second, open])
    await house.db
      .insertInto('sim_fee')
      .values({ ...fee, sim_id: sim!.id })
      .execute()
  await house.db.updateTable('sim').set({ state: 'terminated' }).where('id', '=', ended.sim!.id).execute()
  const block = { code: 'staff', since: house.clock.now().toISOString(), by: 'staff', words: 'Fraud', clears: 'When staff lift it' }
  await house.db
    .updateTable('sim')
    .set({ blocks: JSON.stringify([block]) })
    .where('id', '=', held.sim!.id)
    .execute()
  await addSession(house, open, ada.account_id)
  const all = [first, second, ended, held, open, bare]
  const body = { to: ` ${bob.email.toUpperCase()} `, asset_ids: [...all.map(({ id }) => id), 'ast_nothing'] }
  const left = ['terminated', 'held', 'in_session', 'gone'].map((reason) => ({ reason, count: 1 }))
  const outcome = { total: 7, changed: 3, left: expect.arrayContaining(left) as unknown }
  const leaving = { sims: 2, in_pools: 2, own_limits: 1, fees_charged: 1 }
  expect((await preview(body)).body).toEqual({ ...outcome, still_blocked: 0, leaving })
  expect((await ada.call(listAssets)).body.total).toBe(6)
  const { body: change, text } = await start({ ...body, confirm: 'release' })
  expect(change, text).toMatchObject({ ...outcome, to: bob.email, can_undo: false })
  expect((await ada.call(listAssets)).body.total).toBe(3)
  expect((await ada.call(getDataPool, { params: { pool_id } })).body.sims).toBe(1)
  // Its new account alone may register each, and this one until then.
  expect((await register(eve, first.serial)).body).toMatchObject({ code: 'asset_taken' })
  expect((await register(bob, first.serial)).body.sim).toMatchObject({ iccid: first.sim!.iccid, state: 'ready' })
  expect((await register(ada, second.serial)).status).toBe(200)
  const { items } = (await ada.call(bulk.listLeftAssets, { params: { bulk_id: change.id } })).body
  expect(Object.fromEntries(items.map(({ asset_id, reason }) => [asset_id, reason]))).toEqual({
    [ended.id]: 'terminated',
    [held.id]: 'held',
    [open.id]: 'in_session',
    ast_nothing: 'gone',
  })
  // The rows say what left by the names it had here.
  const results = await ada.call(bulk.exportBulkResults, { params: { bulk_id: change.id } })
  expect(results.text).toContain(`,${first.id},${first.name},${first.serial},${first.sim!.iccid},changed,`)
  const events = await house.events(ada.account_id)
  const released = events.filter(({ name }) => name === 'assets.asset_released')
  expect(new Set(released.map(({ detail }) => (detail as { serial: string }).serial))).toEqual(
    new Set([first.serial, second.serial, bare.serial])
  )
  expect(events.find(({ name }) => name === 'assets.assets_changed')!.detail).toMatchObject({
    action: 'release',
    changed: 3,
    to: bob.email,
  })
  expect(await ada.call(bulk.undoBulkChange, { params: { bulk_id: change.id } })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('have left the account') as unknown },
  })
})

test('it asks for its word, for where they go, and for the permission that one asset asks for', async () => {
  const asset = await addAsset(house, ada)
  const asset_ids = [asset.id]
  expect(await start({ to: null, asset_ids })).toMatchObject({ status: 400, body: { fields: { confirm: expect.any(String) as unknown } } })
  expect(await start({ asset_ids, confirm: 'release' })).toMatchObject({
    status: 400,
    body: { fields: { to: expect.any(String) as unknown } },
  })
  expect((await start({ to: 'nobody', asset_ids, confirm: 'release' })).status).toBe(400)
  const member = await house.newMember(ada, ['assets.view', 'assets.edit'])
  for (const call of [preview, start]) expect((await call({ to: null, asset_ids, confirm: undefined }, member)).status).toBe(403)
  expect((await ada.call(getAsset, { params: { asset_id: asset.id } })).status).toBe(200)
  const allowed = await house.newMember(ada, ['assets.view', 'assets.edit', 'assets.register'])
  expect((await start({ to: null, asset_ids, confirm: 'release' }, allowed)).body).toMatchObject({ to: null, changed: 1, left: [] })
  // Back in stock, whoever has it registers it.
  expect((await register(await house.newOwner(), asset.serial)).status).toBe(200)
})

test('by a filter it goes on in the background, and each asset leaves once', async () => {
  await addMany(house, ada, 1101)
  const { body } = await start({ to: null, filter: {}, count: 1101, confirm: 'release' })
  expect(body).toMatchObject({ total: 1101, done: 0, finished_at: null })
  await house.settle()
  expect((await ada.call(bulk.getBulkChange, { params: { bulk_id: body.id } })).body).toMatchObject({ done: 1101, changed: 1101, left: [] })
  expect((await ada.call(listAssets)).body.total).toBe(0)
  const events = await house.events(ada.account_id)
  expect(events.filter(({ name }) => name === 'assets.asset_released')).toHaveLength(1101)
})
