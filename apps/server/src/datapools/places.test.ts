import { readdirSync, readFileSync } from 'node:fs'
import { releaseAsset, swapSim } from '@masthead/contract/assets/sim-operations'
import { growPool, listCustomerPools } from '@masthead/contract/backoffice/pool-operations'
import { registerAsset, updateAsset } from '@masthead/contract/assets/operations'
import {
  addPoolAssets,
  getDataPool,
  listDataPools,
  listPackages,
  setPoolTags,
  updateDataPool,
} from '@masthead/contract/datapools/operations'
import { buyingClosedWords, poolClosedWords } from '@masthead/contract/datapools/pool'
import { mostPoolsOfSim } from '@masthead/contract/datapools/problems'
import type { Asset } from '@masthead/contract/assets/asset'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemActor, type Tx } from '../kernel/app.ts'
import { addAsset, addStock, blockedAssets } from '../assets/test-stock.ts'
import { enterStaff } from '../backoffice/test-backoffice.ts'
import { loadNetworks } from '../networks/index.ts'
import { correctPools, takeUsage } from './index.ts'
import { followPools } from './follow-pools.ts'
import { removePoolAssets } from './pool-members.ts'
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
/** What its SIM used just now. */
const use = (asset: Asset, { bytes, mccmnc = '' }: { bytes: number; mccmnc?: string }) =>
  house.db.transaction().execute((tx) => {
    const [at, now] = [house.clock.now(), house.clock.now().getTime()]
    return takeUsage(tx as Tx, [{ account_id: ada.account_id, sim_id: asset.sim!.id, from: now, at: now, bytes, mccmnc }], at)
  })

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

test('a SIM that leaves the account and comes back in the same term brings no second share', async () => {
  const asset = await addAsset(house, ada)
  const pool_id = await putPool(house, ada, { kind: 'dynamic', size_bytes: 100, validity_count: 7, validity_unit: 'day' })
  await join(pool_id, asset)
  const body = { to: null, serial: asset.serial }
  expect((await ada.call(releaseAsset, { params: { asset_id: asset.id }, body })).status).toBe(200)
  const again = await ada.call(registerAsset, { body: { token: asset.serial } })
  expect(again.status).toBe(200)
  await join(pool_id, again.body)
  expect(await see(pool_id)).toMatchObject({ sims: 1, size_bytes: 100 })
  house.clock.set(new Date((await see(pool_id)).term_end))
  await renewDuePools(house.app)
  expect((await see(pool_id)).size_bytes).toBe(100)
})

/** Takes an asset out of a pool, and has others wait for that until it is committed. */
async function leaveBeside<Answer>(pool_id: string, asset: { id: string }, others: () => Promise<Answer>): Promise<Answer> {
  let beside: Promise<Answer> | undefined
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await house.app.db.transaction().execute(async (tx) => {
    await removePoolAssets(tx, systemActor(ada.account_id, house.clock.now()), pool_id, [asset.id])
    beside = others()
    await expect.poll(async () => (await waiting.execute(house.db)).rows.length).toBe(1)
  })
  return beside!
}

test('a SIM that is taken out of a pool while a tag brings it to another is in that other alone', async () => {
  const asset = await addAsset(house, ada)
  const week = { validity_count: 7, validity_unit: 'day' } as const
  const [first, second] = [await putPool(house, ada, week), await putPool(house, ada, week)]
  await ada.call(createTag, { body: { name: 'moved' } })
  await ada.call(setPoolTags, { params: { pool_id: second }, body: { tags: ['moved'] } })
  await join(first, asset)
  const tag = () => ada.call(updateAsset, { params: { asset_id: asset.id }, body: { tags: ['moved'] } })
  expect((await leaveBeside(first, asset, tag)).status).toBe(200)
  expect([(await see(first)).sims, (await see(second)).sims]).toEqual([0, 1])
})

test('a SIM that is taken out of the pool that comes to be its first one meanwhile is not shown with it', async () => {
  const asset = await addAsset(house, ada)
  const [first, second] = [await putPool(house, ada, { priority: 1 }), await putPool(house, ada, { priority: 2 })]
  await join(first, asset)
  await join(second, asset)
  await house.settle()
  await house.db.updateTable('data_pool').set({ priority: 0 }).where('id', '=', second).execute()
  await leaveBeside(second, asset, () => followPools(house.app, ada))
  const { pool_id } = await house.db.selectFrom('sim').select('pool_id').where('id', '=', asset.sim!.id).executeTakeFirstOrThrow()
  expect(pool_id).toBe(first)
})

test('a SIM that stayed in a pool where nothing brings it leaves it by the migration', async () => {
  const [lost, kept] = [await addAsset(house, ada), await addAsset(house, ada)]
  const pool_id = await putPool(house, ada)
  await join(pool_id, kept)
  const { account_id } = ada
  await house.db.insertInto('data_pool_sim').values({ account_id, pool_id, sim_id: lost.sim!.id, joined_at: house.clock.now() }).execute()
  const folder = new URL('../../db/migrations/', import.meta.url)
  const name = readdirSync(folder).find((each) => each.endsWith('-members-of-pools.sql'))!
  await house.app.pool.query(readFileSync(new URL(name, folder), 'utf8'))
  const { rows } = await sql<{ sim_id: string }>`select sim_id from data_pool_sim where pool_id = ${pool_id}`.execute(house.db)
  expect(rows).toEqual([{ sim_id: kept.sim!.id }])
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
  await use(asset, { bytes: 100 })
  expect((await see(pool_id)).used_bytes).toBe(100)
  // A share beyond it is more than the database counts to.
  await ada.call(updateDataPool, { params: { pool_id }, body: { overage_policy: 'payg', thresholds: [500] } })
  await house.db.updateTable('data_pool_term').set({ size_bytes: 2e18 }).where('pool_id', '=', pool_id).execute()
  await use(asset, { bytes: 100 })
  expect((await see(pool_id)).used_bytes).toBe(200)
})

test('SIMs follow a pool that is used up, however large another pool of their account is', async () => {
  const asset = await addAsset(house, ada)
  const large = await putPool(house, ada, { overage_policy: 'percent', overage_percent: 50 })
  await house.db.updateTable('data_pool_term').set({ size_bytes: 2e17 }).where('pool_id', '=', large).execute()
  await join(await putPool(house, ada, { size_bytes: 100 }), asset)
  await use(asset, { bytes: 100 })
  expect(await blockedAssets(house, ada)).toEqual([asset.id])
})

test('a SIM draws from so many pools, also by tags; those of others are changed as ever', async () => {
  const [mine, other] = [await addAsset(house, ada), await addAsset(house, ada)]
  await ada.call(createTag, { body: { name: 'all' } })
  await ada.call(updateAsset, { params: { asset_id: mine.id }, body: { tags: ['all'] } })
  const tagged = async () => {
    const pool_id = await putPool(house, ada)
    return { pool_id, ...(await ada.call(setPoolTags, { params: { pool_id }, body: { tags: ['all'] } })) }
  }
  const first = await tagged()
  for (let i = 1; i < mostPoolsOfSim - 1; i++) await tagged()
  await house.settle()
  expect((await join(await putPool(house, ada), mine)).status).toBe(200)
  expect(await tagged()).toMatchObject({ status: 409, body: { code: 'sim_in_many_pools' } })
  const another = await putPool(house, ada)
  expect((await join(another, mine)).body).toMatchObject({ code: 'sim_in_many_pools' })
  // As a SIM that was tagged afterwards may be in more.
  await ada.call(setPoolTags, {
    params: { pool_id: another },
    body: { tags: [(await ada.call(createTag, { body: { name: 'late' } })).body.id] },
  })
  await ada.call(updateAsset, { params: { asset_id: mine.id }, body: { tags: ['all', 'late'] } })
  expect((await join(first.pool_id, other)).status).toBe(200)
})

test('what staff subtract in one zone is given back by no pool of another', async () => {
  await loadNetworks(house.db)
  const zones = { '262-01': `near ${ada.account_id}`, '310-260': `far ${ada.account_id}` }
  const rates = Object.entries(zones).map(([mccmnc, zone]) => ({
    mccmnc,
    zone,
    effective_from: '2020-01-01',
    cost_micros: 0,
    price_micros: 0,
  }))
  await house.db
    .insertInto('network_rate')
    .values(rates.map((rate) => ({ ...rate, set_by: 'staff@example.test', set_at: house.clock.now() })))
    .execute()
  const asset = await addAsset(house, ada)
  const pool_id = await putPool(house, ada, { zone: zones['262-01'] })
  await join(pool_id, asset)
  await use(asset, { bytes: 400, mccmnc: '262-01' })
  await use(asset, { bytes: 300, mccmnc: '310-260' })
  expect((await see(pool_id)).used_bytes).toBe(400)
  const day = house.clock.now().toISOString().slice(0, 10)
  const correct = (mccmnc: string, bytes: number) =>
    house.db
      .transaction()
      .execute((tx) => correctPools(tx as Tx, { account_id: ada.account_id, sim_id: asset.sim!.id, day, mccmnc }, bytes, house.clock.now()))
  await correct('310-260', -300)
  expect((await see(pool_id)).used_bytes).toBe(400)
  await correct('262-01', -100)
  expect((await see(pool_id)).used_bytes).toBe(300)
})

test('what is given or said after the end of a term is of the next one, also before the job that renews', async () => {
  const pool_id = await putPool(house, ada, { validity_count: 1, validity_unit: 'day', size_bytes: 5e6 })
  const { term_end } = await see(pool_id)
  house.clock.set(new Date(term_end))
  const staff = await enterStaff(house)
  const grown = await staff.call(growPool, { params: { any_pool_id: pool_id }, body: { bytes: 1e6, reason: 'An outage of ours' } })
  expect(grown.body).toMatchObject({ term_start: term_end, size_bytes: 6e6 })
  await renewDuePools(house.app)
  expect(await see(pool_id)).toMatchObject({ term_start: term_end, size_bytes: 6e6 })
})

test('a member limited by tags changes no pool that others draw from', async () => {
  const tag = (await ada.call(createTag, { body: { name: 'mine' } })).body
  const asset = await addAsset(house, ada, { tags: ['mine'] })
  const pool_id = await putPool(house, ada)
  await join(pool_id, asset, await addAsset(house, ada))
  const member = await house.newMember(ada, ['datapools.view', 'datapools.edit', 'assets.view'], [tag.id])
  const change = (who: Person) => who.call(updateDataPool, { params: { pool_id }, body: { auto_renew: false } })
  expect(await change(member)).toMatchObject({ status: 403, body: { code: 'forbidden', detail: poolClosedWords(true) } })
  // What the console closes its buttons by.
  expect((await member.call(getDataPool, { params: { pool_id } })).body).toMatchObject({ limited: true })
  expect((await member.call(listDataPools)).body.closed).toBe(buyingClosedWords(true))
  expect((await ada.call(listDataPools)).body.closed).toBeNull()
  expect(await see(pool_id)).toMatchObject({ limited: false, auto_renew: true })
  expect((await change(ada)).status).toBe(200)
})

test('a price is for who sees billing or may buy; a member limited by tags reads of the whole pool, and no price', async () => {
  const tag = (await ada.call(createTag, { body: { name: 'mine' } })).body
  const [mine, other] = [await addAsset(house, ada, { tags: ['mine'] }), await addAsset(house, ada)]
  const pool_id = await putPool(house, ada, { price_micros: 5_000_000 })
  await join(pool_id, mine, other)
  await use(mine, { bytes: 100 })
  await use(other, { bytes: 300 })
  const read = async (who: Person) => {
    const pool = (await who.call(getDataPool, { params: { pool_id } })).body
    const listed = (await who.call(listDataPools)).body.items.find(({ id }) => id === pool_id)!
    const offered = (await who.call(listPackages)).body.items.find(({ id }) => id === pool.package.id)!
    const added = await who.call(addPoolAssets, { params: { pool_id }, body: { assets: [mine.id] } })
    return { pool, prices: [pool.price_micros, listed.price_micros, offered.price_micros], paid: added.body.paid_micros }
  }
  const member = (permissions: string[], tags: string[] = []) =>
    house.newMember(ada, ['assets.view', 'datapools.view', ...permissions], tags)
  const none = [null, null, null]
  const all = [5_000_000, 5_000_000, 5_000_000]
  const limited = await read(await member(['datapools.edit'], [tag.id]))
  expect(limited).toMatchObject({ pool: { limited: true, used_bytes: 400 }, prices: none, paid: null })
  expect((await read(await member(['billing.view'], [tag.id]))).prices).toEqual(all)
  expect((await read(await member([]))).prices).toEqual(none)
  expect(await read(await member(['datapools.edit']))).toMatchObject({ prices: all, paid: 0 })
  const staff = await enterStaff(house)
  const seen = (await staff.call(listCustomerPools, { query: { search: ada.email } })).body.items
  expect(seen.map(({ price_micros }) => price_micros)).toEqual([5_000_000])
})

test('several people change several pools at once, and nobody is sent away', async () => {
  const assets = await Promise.all(Array.from({ length: 4 }, () => addAsset(house, ada)))
  const pools: string[] = []
  for (let i = 0; i < 3; i++) pools.push(await putPool(house, ada, { kind: 'dynamic', size_bytes: 100 }))
  const joins = await Promise.all(pools.flatMap((pool_id) => assets.map((asset) => join(pool_id, asset))))
  expect(joins.map(({ status }) => status)).toEqual(joins.map(() => 200))
})
