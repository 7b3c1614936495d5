import { swapSim } from '@masthead/contract/assets/sim-operations'
import { addPoolAssets, getDataPool, setPoolTags } from '@masthead/contract/datapools/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addAsset, addStock } from '../assets/test-stock.ts'
import { takeUsage } from './index.ts'
import { renewDuePools } from './renew-pools.ts'
import { putPool } from './test-pools.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const see = async (pool_id: string) => (await ada.call(getDataPool, { params: { pool_id } })).body
const join = (pool_id: string, ...assets: { id: string }[]) =>
  ada.call(addPoolAssets, { params: { pool_id }, body: { assets: assets.map(({ id }) => id) } })

test('an asset brings one share to a dynamic pool and takes one place, however often its SIM is swapped', async () => {
  const asset = await addAsset(house, ada)
  const swap = async (before: 'deactivate' | 'terminate') => {
    const { serial } = await addStock(house, { type: 'plastic_sim' })
    expect((await ada.call(swapSim, { params: { asset_id: asset.id }, body: { token: serial, before } })).status).toBe(200)
  }
  await swap('deactivate')
  const pool_id = await putPool(house, ada, { kind: 'dynamic', size_bytes: 100, max_sims: 2, validity_count: 7, validity_unit: 'day' })
  expect((await join(pool_id, asset)).status).toBe(200)
  expect((await see(pool_id)).size_bytes).toBe(100)
  await swap('terminate')
  await swap('deactivate')
  expect((await see(pool_id)).size_bytes).toBe(100)
  expect((await join(pool_id, await addAsset(house, ada))).status).toBe(200)
  expect((await see(pool_id)).size_bytes).toBe(200)
  house.clock.set(new Date((await see(pool_id)).term_end))
  await renewDuePools(house.app)
  expect((await see(pool_id)).size_bytes).toBe(200)
})

test('a pool that is full takes no asset that a tag brings', async () => {
  const pool_id = await putPool(house, ada, { kind: 'dynamic', size_bytes: 100, max_sims: 2 })
  await ada.call(createTag, { body: { name: 'fleet' } })
  await ada.call(setPoolTags, { params: { pool_id }, body: { tags: ['fleet'] } })
  for (let i = 0; i < 3; i++) await addAsset(house, ada, { tags: ['fleet'] })
  expect(await see(pool_id)).toMatchObject({ sims: 2, size_bytes: 200 })
  expect((await join(pool_id, await addAsset(house, ada))).body).toMatchObject({ code: 'pool_full' })
  expect(await see(pool_id)).toMatchObject({ sims: 2, size_bytes: 200 })
})

test('a pool larger than what a percentage of it fits in is taken from like any other', async () => {
  const asset = await addAsset(house, ada)
  const pool_id = await putPool(house, ada, { kind: 'dynamic', size_bytes: 1e15 })
  await join(pool_id, asset)
  // As 200 more SIMs would bring it.
  await house.db.updateTable('data_pool_term').set({ size_bytes: 2e17 }).where('pool_id', '=', pool_id).execute()
  const now = house.clock.now()
  const used = { account_id: ada.account_id, sim_id: asset.sim!.id, from: now.getTime(), at: now.getTime(), bytes: 100, mccmnc: '' }
  await house.db.transaction().execute((tx) => takeUsage(tx as never, [used], now))
  expect((await see(pool_id)).used_bytes).toBe(100)
})
