import {
  addPoolAssets,
  listDataPools,
  listPoolSims,
  removePoolAssets,
  setPoolTags,
  updateDataPool,
} from '@masthead/contract/datapools/operations'
import { listActivities } from '@masthead/contract/activities/operations'
import { correctUsage } from '@masthead/contract/backoffice/correction-operations'
import { endPool } from '@masthead/contract/backoffice/pool-operations'
import { createTag } from '@masthead/contract/tags/operations'
import { getAsset, updateAsset } from '@masthead/contract/assets/operations'
import { dictionary } from '@masthead/radius/dictionary'
import { codes, find } from '@masthead/radius/packet'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enterStaff } from '../backoffice/test-backoffice.ts'
import { packetOf, type TestSim } from '../metering/test-network.ts'
import { rollUpAll } from '../usage/roll-ups/test-roll-up-all.ts'
import { followPools } from './follow-pools.ts'
import { renewDuePools } from './renew-pools.ts'
import { blocksOf, confirmCuts, join, openPooledHouse, poolOf, week } from './test-pooled-house.ts'
import { putPool } from './test-pools.ts'

test('a pool that is used up rejects its SIMs at once, their rows follow, their sessions are cut, and more data brings them back', async () => {
  await using house = await openPooledHouse()
  const sims = [await house.newSim(), await house.newSim(), await house.newSim()]
  const [first, second, third] = sims as [TestSim, TestSim, TestSim]
  const other = await house.newSim()
  confirmCuts(house)
  const pool_id = await putPool(house, house.owner, week)
  expect((await join(house, pool_id, sims)).body).toMatchObject({ added: 3, already: 0 })
  expect((await join(house, pool_id, [first])).body).toMatchObject({ added: 0, already: 1 })
  await house.client.account(packetOf(first, 'interim', { id: 'a', time: 60, up: 600 }))
  await house.client.account(packetOf(second, 'interim', { id: 'b', time: 60, up: 399 }))
  await house.client.account(packetOf(other, 'interim', { id: 'c', time: 60, up: 5000 }))
  expect((await house.client.access({ imsi: third.imsi })).code).toBe(codes.access_accept)
  await house.client.account(packetOf(second, 'interim', { id: 'b', time: 120, up: 410 }))
  // The decision counts before any row of a SIM has followed.
  expect(await blocksOf(house, ...sims)).toEqual(['', '', ''])
  const reply = await house.client.access({ imsi: third.imsi })
  expect([reply.code, find(reply, dictionary.reply_message)]).toEqual([
    codes.access_reject,
    'This SIM is blocked: The data pool is used up',
  ])
  expect((await house.client.access({ imsi: other.imsi })).code).toBe(codes.access_accept)
  await house.settle()
  expect(await blocksOf(house, ...sims, other)).toEqual(['pool_exhausted', 'pool_exhausted', 'pool_exhausted', ''])
  expect(await poolOf(house, pool_id)).toMatchObject({
    state: 'exhausted',
    used_bytes: 1010,
    overage_bytes: 10,
    remaining_bytes: 0,
    sims: 3,
    sims_used: 2,
  })
  const { items } = (await house.owner.call(listPoolSims, { params: { pool_id } })).body
  expect(items.map(({ sim_id, bytes, overage_bytes, by_asset }) => [sim_id, bytes, overage_bytes, by_asset])).toEqual([
    [first.id, 600, 0, true],
    [second.id, 410, 10, true],
    [third.id, 0, 0, true],
  ])
  // Why none of them has service.
  expect(items.map(({ status, blocks }) => [status, blocks])).toEqual(Array(3).fill(['blocked', ['pool_exhausted']]))
  // Another policy gives data again.
  const changed = await house.owner.call(updateDataPool, { params: { pool_id }, body: { overage_policy: 'percent', overage_percent: 50 } })
  expect(changed.body).toMatchObject({ state: 'overage', overage_percent: 50 })
  await house.settle()
  expect(await blocksOf(house, ...sims)).toEqual(['', '', ''])
  await house.client.account(packetOf(third, 'interim', { id: 'd', time: 60, up: 490 }))
  await house.settle()
  expect(await blocksOf(house, ...sims)).toEqual(['pool_exhausted', 'pool_exhausted', 'pool_exhausted'])
  // One that leaves has nothing held against it.
  const nonsense = await house.owner.call(removePoolAssets, { params: { pool_id }, body: { assets: ['nonsense'] } })
  expect(nonsense.body).toMatchObject({ detail: 'No asset has the serial number, ICCID or id "nonsense". Nothing was taken out' })
  await house.owner.call(removePoolAssets, { params: { pool_id }, body: { assets: [third.asset_id] } })
  await house.settle()
  expect(await blocksOf(house, ...sims)).toEqual(['pool_exhausted', 'pool_exhausted', ''])
  // The next term.
  house.clock.set('2026-11-27T00:00:01Z')
  await renewDuePools(house.app)
  await house.settle()
  expect(await blocksOf(house, ...sims)).toEqual(['', '', ''])
  expect(await poolOf(house, pool_id)).toMatchObject({
    state: 'active',
    used_bytes: 0,
    term_start: '2026-11-27T00:00:00.000Z',
    term_end: '2026-12-04T00:00:00.000Z',
  })
  const actions = (await house.owner.call(listActivities, { query: { category: ['datapools'] } })).body.items.map(
    ({ metadata }) => metadata.action
  )
  expect(actions.toReversed()).toEqual([
    'pool_assets_added',
    'pool_threshold_reached',
    'pool_exhausted',
    'pool_changed',
    'pool_refilled',
    'pool_exhausted',
    'pool_assets_removed',
    'pool_renewed',
  ])
})

test('a SIM draws from several pools in their order, and loses its service only with the last one', async () => {
  await using house = await openPooledHouse()
  const sim = await house.newSim()
  const [later, sooner] = [
    await putPool(house, house.owner, { size_bytes: 500 }),
    await putPool(house, house.owner, { size_bytes: 100, priority: 1 }),
  ]
  for (const pool_id of [later, sooner]) await join(house, pool_id, [sim])
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 130 }))
  await house.settle()
  expect([(await poolOf(house, sooner)).used_bytes, (await poolOf(house, later)).used_bytes]).toEqual([100, 30])
  expect((await poolOf(house, sooner)).state).toBe('exhausted')
  expect(await blocksOf(house, sim)).toEqual([''])
  expect((await house.client.access({ imsi: sim.imsi })).code).toBe(codes.access_accept)
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 630 }))
  await house.settle()
  expect(await blocksOf(house, sim)).toEqual(['pool_exhausted'])
  expect((await poolOf(house, later)).overage_bytes + (await poolOf(house, sooner)).overage_bytes).toBe(30)
})

test('tags bring SIMs into a pool and take them out of it', async () => {
  await using house = await openPooledHouse()
  const [one, two] = [await house.newSim(), await house.newSim()]
  const pool_id = await putPool(house, house.owner)
  const tag = (sim: TestSim, tags: string[]) => house.owner.call(updateAsset, { params: { asset_id: sim.asset_id }, body: { tags } })
  await house.owner.call(createTag, { body: { name: 'fleet' } })
  await tag(one, ['fleet'])
  expect((await house.owner.call(setPoolTags, { params: { pool_id }, body: { tags: ['fleet'] } })).status).toBe(200)
  await house.settle()
  const members = async () =>
    (await house.owner.call(listPoolSims, { params: { pool_id }, query: { sort: 'name' } })).body.items.map(({ sim_id, by_tag }) => [
      sim_id,
      by_tag,
    ])
  expect(await members()).toEqual([[one.id, 'fleet']])
  await tag(two, ['fleet'])
  await tag(one, [])
  expect(await members()).toEqual([[two.id, 'fleet']])
  await house.owner.call(setPoolTags, { params: { pool_id }, body: { tags: [] } })
  await house.settle()
  expect(await members()).toEqual([])
})

test('a dynamic pool grows with each SIM, once in a term, and renews with those it has', async () => {
  await using house = await openPooledHouse()
  const sims = [await house.newSim(), await house.newSim()]
  const pool_id = await putPool(house, house.owner, { ...week, kind: 'dynamic', size_bytes: 100 })
  await join(house, pool_id, sims)
  const again = { params: { pool_id }, body: { assets: [sims[0]!.asset_id] } }
  await house.owner.call(removePoolAssets, again)
  expect((await poolOf(house, pool_id)).size_bytes).toBe(200)
  await house.owner.call(addPoolAssets, again)
  expect((await poolOf(house, pool_id)).size_bytes).toBe(200)
  await house.owner.call(removePoolAssets, again)
  house.clock.set('2026-11-28T00:00:00Z')
  // Usage of the new term comes before the job that renews.
  await house.client.account(packetOf(sims[1]!, 'interim', { time: 60, up: 40 }))
  expect(await poolOf(house, pool_id)).toMatchObject({ size_bytes: 100, used_bytes: 40, term_start: '2026-11-27T00:00:00.000Z' })
})

test('a pool that does not renew ends, and its SIMs go on without it', async () => {
  await using house = await openPooledHouse()
  const sim = await house.newSim()
  const pool_id = await putPool(house, house.owner, { ...week, auto_renew: false, size_bytes: 10 })
  await join(house, pool_id, [sim])
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 40 }))
  await house.settle()
  expect(await blocksOf(house, sim)).toEqual(['pool_exhausted'])
  house.clock.set('2026-11-27T00:00:00Z')
  await renewDuePools(house.app)
  await house.settle()
  expect(await blocksOf(house, sim)).toEqual([''])
  expect((await house.owner.call(listDataPools)).body.items).toEqual([])
  expect((await house.owner.call(listDataPools, { query: { state: 'ended' } })).body.items).toMatchObject([{ id: pool_id, state: 'ended' }])
})

test('what many SIMs use of a pool at once adds up exactly, also at its edge', async () => {
  await using house = await openPooledHouse()
  const sims = await Promise.all(Array.from({ length: 30 }, () => house.newSim()))
  const pool_id = await putPool(house, house.owner, { size_bytes: 40_000, overage_policy: 'payg' })
  await join(house, pool_id, sims)
  for (const time of [60, 120, 180])
    await Promise.all(sims.map((sim, i) => house.client.account(packetOf(sim, 'interim', { id: `s${i}`, time, up: time * 10 + i }))))
  const used = 30 * 1800 + (29 * 30) / 2
  expect(await poolOf(house, pool_id)).toMatchObject({
    state: 'overage',
    used_bytes: used,
    overage_bytes: used - 40_000,
    remaining_bytes: 0,
  })
  const { items } = (await house.owner.call(listPoolSims, { params: { pool_id }, query: { page_size: 100 } })).body
  expect(items.reduce((sum, { overage_bytes }) => sum + overage_bytes, 0)).toBe(used - 40_000)
  expect((await house.client.access({ imsi: sims[0]!.imsi })).code).toBe(codes.access_accept)
})

test('a SIM of several pools names the first that runs, also once their order was changed or one of them has ended', async () => {
  await using house = await openPooledHouse()
  const sim = await house.newSim()
  const [first, second] = [
    await putPool(house, house.owner, { ...week, priority: 5 }),
    await putPool(house, house.owner, { ...week, priority: 6 }),
  ]
  for (const pool_id of [first, second]) await join(house, pool_id, [sim])
  const named = async () => {
    await house.settle()
    return (await house.owner.call(getAsset, { params: { asset_id: sim.asset_id } })).body.sim!.data_pool?.id
  }
  expect(await named()).toBe(first)
  await house.owner.call(updateDataPool, { params: { pool_id: second }, body: { priority: 1 } })
  expect(await named()).toBe(second)
  await house.db.updateTable('data_pool').set({ ended_at: house.clock.now() }).where('id', '=', second).execute()
  await followPools(house.app, { account_id: house.owner.account_id })
  expect(await named()).toBe(first)
})

test('what is used after a pool was ended is not taken from it; what was used before is, also where it is reported late', async () => {
  await using house = await openPooledHouse()
  const staff = await enterStaff(house)
  const [sim, late] = [await house.newSim(), await house.newSim()]
  const pool_id = await putPool(house, house.owner, { ...week, size_bytes: 1000 })
  await join(house, pool_id, [sim, late])
  const began = Math.floor(house.clock.now().getTime() / 1000)
  const taken = async () => {
    const { rows } = await sql<{
      bytes: number
    }>`select sum(bytes)::float8 as bytes from data_pool_usage where pool_id = ${pool_id}`.execute(house.db)
    return rows[0]!.bytes
  }
  await house.client.account(packetOf(sim, 'interim', { id: 'a', time: 60, up: 100, down: 0, at: began }))
  house.clock.advance({ minutes: 1 })
  expect((await staff.call(endPool, { params: { any_pool_id: pool_id }, body: { reason: 'A ticket' } })).body.state).toBe('ended')
  await house.settle()
  house.clock.advance({ minutes: 59 })
  // A sixtieth of it was before the end.
  await house.client.account(packetOf(sim, 'interim', { id: 'a', time: 3660, up: 700, down: 0, at: began + 3600 }))
  expect(await taken()).toBe(110)
  await house.client.account(packetOf(late, 'interim', { id: 'b', time: 30, up: 50, down: 0, at: began + 30 }))
  await house.client.account(packetOf(late, 'interim', { id: 'b', time: 90, up: 110, down: 0, at: began + 90 }))
  expect(await taken()).toBe(190)
  await house.client.account(packetOf(late, 'interim', { id: 'b', time: 150, up: 910, down: 0, at: began + 150 }))
  expect(await taken()).toBe(190)
})

test('what is subtracted from a day after a pool was ended is not given back to it', async () => {
  await using house = await openPooledHouse()
  const sim = await house.newSim()
  const pool_id = await putPool(house, house.owner, { ...week, size_bytes: 1000 })
  await join(house, pool_id, [sim])
  const report = async (id: string, up: number) => {
    await house.client.account(packetOf(sim, 'interim', { id, time: 60, up, down: 0 }))
    await rollUpAll(house.app)
  }
  const subtract = async () => {
    const body = { day: house.clock.now().toISOString().slice(0, 10), bytes_up: -300, bytes_down: 0, reason: 'A ticket' }
    const staff = await enterStaff(house)
    const { status, text } = await staff.call(correctUsage, { params: { any_asset_id: sim.asset_id }, body })
    expect(status, text).toBe(200)
    return (await poolOf(house, pool_id)).used_bytes
  }
  house.clock.advance({ minutes: 1 })
  await report('a', 600)
  const staff = await enterStaff(house)
  await staff.call(endPool, { params: { any_pool_id: pool_id }, body: { reason: 'A ticket' } })
  house.clock.advance({ hours: 1 })
  // Of the day of its end it gave some.
  expect(await subtract()).toBe(300)
  house.clock.advance({ hours: 24 })
  await report('b', 500)
  expect(await subtract()).toBe(300)
})
