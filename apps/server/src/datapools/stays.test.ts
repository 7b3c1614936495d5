import { listPoolSims, removePoolAssets } from '@masthead/contract/datapools/operations'
import { correctUsage } from '@masthead/contract/backoffice/correction-operations'
import { endPool } from '@masthead/contract/backoffice/pool-operations'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enterStaff } from '../backoffice/test-backoffice.ts'
import { type MeteredHouse, packetOf, type TestSim } from '../metering/test-network.ts'
import { rollUpAll } from '../usage/roll-ups/test-roll-up-all.ts'
import { join, openPooledHouse, poolOf, week } from './test-pooled-house.ts'
import { putPool } from './test-pools.ts'

const leave = (house: MeteredHouse, pool_id: string, sim: TestSim) =>
  house.owner.call(removePoolAssets, { params: { pool_id }, body: { assets: [sim.asset_id] } })

/** One session of a SIM, whose reports say when they are of: minutes after the clock's start. */
function sessionOf(house: MeteredHouse, sim: TestSim) {
  const began = Math.floor(house.clock.now().getTime() / 1000)
  return (minute: number, up: number) =>
    house.client.account(packetOf(sim, 'interim', { id: sim.id, time: minute * 60, up, down: 0, at: began + minute * 60 }))
}

test('what a SIM used in a pool is taken from it, also where it has left and reports later; what it uses afterwards is not', async () => {
  await using house = await openPooledHouse()
  const sim = await house.newSim()
  const pool_id = await putPool(house, house.owner, { ...week, size_bytes: 10_000 })
  const taken = async () => (await poolOf(house, pool_id)).used_bytes
  await join(house, pool_id, [sim])
  const report = sessionOf(house, sim)
  house.clock.advance({ minutes: 10 })
  await report(10, 100)
  house.clock.advance({ minutes: 20 })
  await leave(house, pool_id, sim)
  expect((await poolOf(house, pool_id)).sims).toBe(0)
  const shown = async () => (await house.owner.call(listPoolSims, { params: { pool_id } })).body
  expect(await shown()).toMatchObject({
    total: 1,
    items: [{ sim_id: sim.id, bytes: 100, by_asset: false, by_tag: null, left_at: house.clock.now().toISOString() }],
  })
  // Two thirds of it were used before.
  house.clock.advance({ minutes: 10 })
  await report(40, 400)
  expect(await taken()).toBe(300)
  house.clock.advance({ minutes: 5 })
  await report(45, 900)
  expect(await taken()).toBe(300)
  // It joins again, with what it used since its last report.
  house.clock.advance({ minutes: 5 })
  await join(house, pool_id, [sim])
  house.clock.advance({ minutes: 10 })
  await report(60, 1000)
  expect(await taken()).toBe(400)
  expect(await shown()).toMatchObject({ total: 1, items: [{ sim_id: sim.id, bytes: 400, by_asset: true, left_at: null }] })
})

test('of a SIM that goes from one pool to another each has what was used in its time', async () => {
  await using house = await openPooledHouse()
  const sim = await house.newSim()
  const [first, second] = [await putPool(house, house.owner, week), await putPool(house, house.owner, { ...week, priority: 1 })]
  await join(house, first, [sim])
  const report = sessionOf(house, sim)
  house.clock.advance({ minutes: 30 })
  await leave(house, first, sim)
  await join(house, second, [sim])
  house.clock.advance({ minutes: 10 })
  await report(40, 400)
  expect([(await poolOf(house, first)).used_bytes, (await poolOf(house, second)).used_bytes]).toEqual([300, 100])
})

test('what was used before a SIM left is taken from its pool for three days', async () => {
  await using house = await openPooledHouse()
  const sims = [await house.newSim(), await house.newSim()] as const
  const pool_id = await putPool(house, house.owner, week)
  await join(house, pool_id, [...sims])
  const [soon, late] = [sessionOf(house, sims[0]), sessionOf(house, sims[1])]
  house.clock.advance({ minutes: 30 })
  for (const sim of sims) await leave(house, pool_id, sim)
  house.clock.advance({ hours: 71 })
  await soon(20, 100)
  expect((await poolOf(house, pool_id)).used_bytes).toBe(100)
  house.clock.advance({ hours: 1 })
  await late(20, 100)
  expect((await poolOf(house, pool_id)).used_bytes).toBe(100)
})

test('what is subtracted from hours after a SIM left its pool, or after that ended, is not given back to it', async () => {
  await using house = await openPooledHouse()
  const sims = [await house.newSim(), await house.newSim()] as const
  const [left, ended] = [await putPool(house, house.owner, week), await putPool(house, house.owner, week)]
  await join(house, left, [sims[0]])
  await join(house, ended, [sims[1]])
  const reports = sims.map((sim) => sessionOf(house, sim))
  const all = async (minute: number, up: number) => {
    for (const report of reports) await report(minute, up)
    await rollUpAll(house.app)
  }
  house.clock.advance({ minutes: 20 })
  await all(20, 300)
  house.clock.advance({ minutes: 20 })
  await leave(house, left, sims[0])
  await (await enterStaff(house)).call(endPool, { params: { any_pool_id: ended }, body: { reason: 'A ticket' } })
  house.clock.advance({ minutes: 30 })
  // Of the 50 minutes since the last report 20 were before.
  await all(70, 800)
  house.clock.advance({ hours: 2 })
  await all(190, 1800)
  const used = async () => [(await poolOf(house, left)).used_bytes, (await poolOf(house, ended)).used_bytes]
  expect(await used()).toEqual([500, 500])
  const subtract = async (bytes: number) => {
    const staff = await enterStaff(house)
    for (const { asset_id } of sims) {
      const body = { day: '2026-11-20', bytes_up: -bytes, bytes_down: 0, reason: 'A ticket' }
      const { status, text } = await staff.call(correctUsage, { params: { any_asset_id: asset_id }, body })
      expect(status, text).toBe(200)
    }
  }
  // From the hour with the most, which is that of the last report.
  await subtract(900)
  expect(await used()).toEqual([500, 500])
  // Then from that at 13:10, and last from that at 12:20.
  await subtract(700)
  expect(await used()).toEqual([300, 300])
})

test('a correction of an hour in which a SIM was not in a pool moves nothing there, also where it joined afterwards', async () => {
  await using house = await openPooledHouse()
  const sim = await house.newSim()
  const pool_id = await putPool(house, house.owner, week)
  const report = sessionOf(house, sim)
  const taken = async () => (await poolOf(house, pool_id)).used_bytes
  const correct = async (bytes_up: number) => {
    const body = { day: '2026-11-20', bytes_up, bytes_down: 0, reason: 'A ticket' }
    const {
      status,
      text,
      body: done,
    } = await (await enterStaff(house)).call(correctUsage, { params: { any_asset_id: sim.asset_id }, body })
    expect(status, text).toBe(200)
    return done
  }
  house.clock.advance({ minutes: 30 })
  await report(30, 1000)
  house.clock.advance({ minutes: 100 })
  await join(house, pool_id, [sim])
  house.clock.advance({ minutes: 30 })
  await report(160, 1300)
  await leave(house, pool_id, sim)
  house.clock.advance({ hours: 2 })
  await report(280, 2000)
  house.clock.advance({ hours: 2 })
  await join(house, pool_id, [sim])
  house.clock.advance({ minutes: 30 })
  await report(430, 2100)
  await rollUpAll(house.app)
  expect(await taken()).toBe(400)
  // In the hour with the most, before it joined.
  await correct(50)
  expect(await taken()).toBe(400)
  // From that hour, and from the one between its two stays.
  await correct(-1750)
  expect(await taken()).toBe(400)
  // From those in which it was in the pool.
  await correct(-350)
  expect(await taken()).toBe(50)
})

test('stays that no correction can be about are forgotten', async () => {
  await using house = await openPooledHouse()
  const sim = await house.newSim()
  const pool_id = await putPool(house, house.owner, week)
  await join(house, pool_id, [sim])
  await leave(house, pool_id, sim)
  const stays = async () => {
    await sql`select graphile_worker.add_job('datapools.forget_stays')`.execute(house.db)
    await house.settle()
    return (await house.db.selectFrom('data_pool_left').selectAll().execute()).length
  }
  house.clock.advance({ days: 400 })
  expect(await stays()).toBe(1)
  house.clock.advance({ days: 2 })
  expect(await stays()).toBe(0)
})
