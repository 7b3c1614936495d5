import { encodeReply } from '@masthead/radius/authenticator'
import { codes, decode, type Packet } from '@masthead/radius/packet'
import { getAsset } from '@masthead/contract/assets/operations'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { LimitScope } from './set-limit.ts'
import { followMove, raiseSimLimits, setLimit } from './set-limit.ts'
import { clearDataLimits } from './data-limit.ts'
import { type MeteredHouse, openMeteredHouse, packetOf, type TestSim } from './test-network.ts'

const blocksOf = async (house: MeteredHouse, ...sims: TestSim[]) => {
  const rows = await house.db.selectFrom('sim').select(['id', 'blocks']).execute()
  return sims.map((sim) =>
    rows
      .find(({ id }) => id === sim.id)!
      .blocks.map(({ code }) => code)
      .join()
  )
}
const usageOf = async (house: MeteredHouse, { asset_id }: TestSim) => {
  const { body } = await house.owner.call(getAsset, { params: { asset_id } })
  const { limit_bytes, limit_period, limit_used_bytes } = body.sim!.usage
  return [limit_bytes, limit_period, limit_used_bytes]
}
const limit = (house: MeteredHouse, scope: LimitScope, bytes: number | null, period: 'day' | 'month' = 'month') =>
  house.db.transaction().execute((tx) => setLimit(tx, scope, bytes === null ? null : { bytes, period }, house.clock.now()))
/** The gateway confirms every Disconnect-Request. */
const confirmCuts = (house: MeteredHouse) =>
  house.coa.on('message', (datagram, from) => {
    house.coa.send(encodeReply(decode(datagram) as Packet, codes.disconnect_ack, {}, Buffer.from('secret')), from.port, from.address)
  })
const put = (house: MeteredHouse, sims: TestSim[], into: { group_id?: string }) =>
  house.db
    .updateTable('sim')
    .set(into)
    .where(
      'id',
      'in',
      sims.map(({ id }) => id)
    )
    .execute()

test('a report that is counted while the limit of its SIM is changed is compared with the new one as well', async () => {
  await using house = await openMeteredHouse()
  const { account_id } = house.owner
  const [lowered, raised, moved] = [await house.newSim(), await house.newSim({ limit_bytes: 100 }), await house.newSim()]
  const sims = [lowered, raised, moved]
  await limit(house, { account_id, group_id: 'default_unlimited' }, 150)
  for (const [i, sim] of sims.entries()) await house.client.account(packetOf(sim, 'interim', { id: `s${i}`, time: 60, up: 100, down: 0 }))
  expect(await blocksOf(house, ...sims)).toEqual(['', 'data_limit', ''])
  // As the meter does: it counts, and knows of no limit, or of the block, by what stood when it began.
  const counting = await house.db.startTransaction().execute()
  await counting.updateTable('sim_counter').set({ bytes_up: 300 }).execute()
  await limit(house, { account_id, sim_id: lowered.id }, 200)
  await house.db.transaction().execute((tx) => raiseSimLimits(tx, [{ account_id, sim_id: raised.id, bytes: 200 }], house.clock.now()))
  await put(house, [moved], { group_id: 'default_unlimited' })
  await house.db.transaction().execute((tx) => followMove(tx, account_id, [moved.id], house.clock.now()))
  expect(await blocksOf(house, ...sims)).toEqual(['', '', ''])
  await counting.commit().execute()
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(house.db)
  await house.settle()
  expect(await blocksOf(house, ...sims)).toEqual(['data_limit', 'data_limit', 'data_limit'])
})

test("a SIM's own limit wins over its group's, which counts each SIM by itself", async () => {
  await using house = await openMeteredHouse()
  confirmCuts(house)
  const { account_id } = house.owner
  const [own, first, second] = [await house.newSim(), await house.newSim(), await house.newSim()]
  await put(house, [own, first, second], { group_id: 'default_unlimited' })
  await limit(house, { account_id, group_id: 'default_unlimited' }, 100)
  await limit(house, { account_id, sim_id: own.id }, 500)
  for (const [i, sim] of [own, first, second].entries()) {
    await house.client.account(packetOf(sim, 'interim', { id: `s${i}`, time: 60, up: sim === second ? 99 : 100 }))
  }
  expect(await blocksOf(house, own, first, second)).toEqual(['', 'data_limit', ''])
  expect(await usageOf(house, own)).toEqual([500, 'month', 100])
  expect(await usageOf(house, first)).toEqual([100, 'month', 100])
  // The group's limit is raised: its SIMs follow. Its own limit taken away, the group's applies.
  await limit(house, { account_id, group_id: 'default_unlimited' }, 101)
  await house.settle()
  expect(await blocksOf(house, own, first, second)).toEqual(['', '', ''])
  await limit(house, { account_id, group_id: 'default_unlimited' }, 100)
  await limit(house, { account_id, sim_id: own.id }, null)
  await house.settle()
  expect(await blocksOf(house, own, first, second)).toEqual(['data_limit', 'data_limit', ''])
})

test('a limit of the day counts the day, and ends with it', async () => {
  await using house = await openMeteredHouse()
  house.clock.set('2026-11-20T23:50:00Z')
  const { account_id } = house.owner
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 90 }))
  await limit(house, { account_id, sim_id: sim.id }, 100, 'day')
  expect(await blocksOf(house, sim)).toEqual([''])
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 100 }))
  const { blocks } = await house.db.selectFrom('sim').select('blocks').where('id', '=', sim.id).executeTakeFirstOrThrow()
  expect(blocks[0]).toMatchObject({
    words: 'Used 100 B of 100 B today',
    clears: 'On 21 November, 12:00 AM UTC, or when the limit is raised',
  })
  expect(await usageOf(house, sim)).toEqual([100, 'day', 100])
  house.clock.set('2026-11-21T00:00:01Z')
  await clearDataLimits(house.app)
  expect(await blocksOf(house, sim)).toEqual([''])
  expect(await usageOf(house, sim)).toEqual([100, 'day', 0])
  // A late report of yesterday counts for the month and not for today.
  const late = Date.parse('2026-11-20T23:55:00Z') / 1000
  await house.client.account(packetOf(sim, 'interim', { time: 400, up: 350, at: late }))
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 350, day: '2026-11-20' })
  expect(await blocksOf(house, sim)).toEqual([''])
  await house.client.account(packetOf(sim, 'interim', { time: 700, up: 449, at: house.clock.now().getTime() / 1000 }))
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 449, day: '2026-11-21', day_up: 99 })
  expect(await blocksOf(house, sim)).toEqual([''])
  await house.client.account(packetOf(sim, 'interim', { time: 760, up: 450, at: house.clock.now().getTime() / 1000 }))
  expect(await blocksOf(house, sim)).toEqual(['data_limit'])
})

test('a gateway whose clock is minutes ahead over midnight opens no gap in the limit of the day that is ending', async () => {
  await using house = await openMeteredHouse()
  house.clock.set('2026-11-30T23:57:00Z')
  const { account_id } = house.owner
  const sim = await house.newSim()
  await limit(house, { account_id, sim_id: sim.id }, 100, 'day')
  const at = (time: string) => Date.parse(`${time}Z`) / 1000
  await house.client.account(packetOf(sim, 'interim', { id: 'ahead', time: 60, up: 10, at: at('2026-12-01T00:01:00') }))
  expect(await house.counter(sim)).toMatchObject({ day: '2026-11-30', day_up: 10, bytes_up: 10 })
  await house.client.account(packetOf(sim, 'interim', { id: 'right', time: 60, up: 95, at: at('2026-11-30T23:57:00') }))
  expect(await blocksOf(house, sim)).toEqual(['data_limit'])
})

test('a raise is for the period that runs and for no other', async () => {
  await using house = await openMeteredHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  const { account_id } = house.owner
  const sim = await house.newSim({ limit_bytes: 100 })
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 120 }))
  expect(await blocksOf(house, sim)).toEqual(['data_limit'])
  await house.db.transaction().execute((tx) => raiseSimLimits(tx, [{ account_id, sim_id: sim.id, bytes: 200 }], house.clock.now()))
  expect(await blocksOf(house, sim)).toEqual([''])
  expect(await usageOf(house, sim)).toEqual([200, 'month', 120])
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 200 }))
  expect(await blocksOf(house, sim)).toEqual(['data_limit'])
  house.clock.set('2026-12-01T00:00:01Z')
  await clearDataLimits(house.app)
  expect(await usageOf(house, sim)).toEqual([100, 'month', 0])
  await house.client.account(packetOf(sim, 'interim', { time: 900_000, up: 300, at: house.clock.now().getTime() / 1000 }))
  expect(await blocksOf(house, sim)).toEqual(['data_limit'])
})

test('a raise allows no less than a limit that is set above it later, and goes with the limit of the group that it was of', async () => {
  await using house = await openMeteredHouse()
  const { account_id } = house.owner
  const [own, grouped] = [await house.newSim(), await house.newSim()]
  const raise = (sim: TestSim, bytes: number) =>
    house.db.transaction().execute((tx) => raiseSimLimits(tx, [{ account_id, sim_id: sim.id, bytes }], house.clock.now()))
  const group = { account_id, group_id: 'default' }
  await limit(house, { account_id, sim_id: own.id }, 100)
  await limit(house, group, 100)
  for (const sim of [own, grouped]) await raise(sim, 200)
  expect([await usageOf(house, own), await usageOf(house, grouped)]).toEqual([
    [200, 'month', 0],
    [200, 'month', 0],
  ])
  // A SIM that has none of its own keeps what its group's was raised to.
  await limit(house, { account_id, sim_id: grouped.id }, null)
  expect(await usageOf(house, grouped)).toEqual([200, 'month', 0])
  await limit(house, { account_id, sim_id: own.id }, 500)
  await limit(house, group, 600)
  expect([await usageOf(house, own), await usageOf(house, grouped)]).toEqual([
    [500, 'month', 0],
    [600, 'month', 0],
  ])
  await limit(house, group, null)
  expect(await usageOf(house, grouped)).toEqual([null, null, null])
})
