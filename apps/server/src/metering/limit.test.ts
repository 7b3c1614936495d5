import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sessionCut } from '@masthead/contract/assets/events'
import { sentenceOf } from '@masthead/contract/kernel/event'
import { encodeReply } from '@masthead/radius/authenticator'
import { type Packet, codes, decode } from '@masthead/radius/packet'
import { closeSilentSessions } from './end-sessions.ts'
import { clearDataLimits } from './data-limit.ts'
import { type MeteredHouse, openMeteredHouse, packetOf, readingOf, stored } from './test-network.ts'

const simOf = (house: MeteredHouse, { id }: { id: string }) =>
  house.db.selectFrom('sim').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const eventsOf = async (house: MeteredHouse) => (await house.events(house.owner.account_id)).map((event) => event.name)

test('a late report of a session that its gateway’s restart closed has it cut, too, where it reaches the limit', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim({ limit_bytes: 250_000_000 })
  const asked: Packet[] = []
  house.coa.on('message', (datagram, from) => {
    asked.push(decode(datagram) as Packet)
    house.coa.send(encodeReply(asked.at(-1)!, codes.disconnect_ack, {}, Buffer.from('secret')), from.port, from.address)
  })
  const now = Math.floor(house.clock.now().getTime() / 1000)
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 200_000_000, down: 0, at: now - 120 }))
  await house.client.account({ acct_status_type: 7 })
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 260_000_000, down: 0, at: now - 60 }))
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Gateway restarted', bytes_up: 260_000_000 }])
  expect((await simOf(house, sim)).status).toBe('blocked')
  await house.settle()
  expect(asked).toHaveLength(1)
})

test('a SIM that reaches its limit is blocked once, with words, and loses its session', async () => {
  await using house = await openMeteredHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  const sim = await house.newSim({ limit_bytes: 1_000_000_000 })
  house.coa.on('message', (datagram, from) => {
    house.coa.send(encodeReply(decode(datagram) as Packet, codes.disconnect_ack, {}, Buffer.from('secret')), from.port, from.address)
  })
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 400_000_000, down: 599_999_999 }))
  expect(await simOf(house, sim)).toMatchObject({ blocks: [], status: 'active' })
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 420_000_000, down: 600_000_000 }))
  expect(await simOf(house, sim)).toMatchObject({
    state: 'active',
    status: 'blocked',
    blocks: [
      {
        code: 'data_limit',
        since: '2026-11-20T12:00:00.000Z',
        by: 'system',
        words: 'Used 1.02 GB of 1 GB this month',
        clears: 'On 1 December, 12:00 AM UTC, or when the limit is raised',
      },
    ],
  })
  await house.client.account(packetOf(sim, 'interim', { time: 180, up: 430_000_000, down: 600_000_000 }))
  expect(await eventsOf(house)).toEqual(['assets.sim_blocked'])
  expect((await house.client.access({ imsi: sim.imsi })).code).toBe(codes.access_reject)
  house.clock.advance({ seconds: 2 })
  await house.settle()
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead' }])
  const enforcement = () => house.db.selectFrom('enforcement').selectAll().executeTakeFirstOrThrow()
  expect(await enforcement()).toMatchObject({
    reached_at: new Date('2026-11-20T12:00:00Z'),
    cut_at: new Date('2026-11-20T12:00:02Z'),
    limit_bytes: 1_000_000_000,
    overshoot_bytes: 30_000_000,
    lifted_at: null,
  })
  const [, cut] = await house.events(house.owner.account_id)
  expect(cut!.detail).toMatchObject({ limit: { latency_ms: 2000, overshoot_bytes: 30_000_000 } })
  expect(sentenceOf(sessionCut, cut!.name, cut!.detail)).toMatch(
    /confirmed by the gateway 2\.0 s after its data limit was reached, 30 MB beyond it$/
  )
  // Its last report comes after the answer to the cut.
  await house.client.account(packetOf(sim, 'stop', { time: 190, up: 431_000_000, down: 600_000_000 }))
  await clearDataLimits(house.app)
  expect(await enforcement()).toMatchObject({ cut_at: new Date('2026-11-20T12:00:02Z'), overshoot_bytes: 31_000_000 })
  house.clock.set('2026-12-01T00:00:00Z')
  await clearDataLimits(house.app)
  expect(await enforcement()).toMatchObject({ lifted_at: new Date('2026-12-01T00:00:00Z'), overshoot_bytes: 31_000_000 })
  expect(await eventsOf(house)).toEqual(['assets.sim_blocked', 'assets.session_cut', 'assets.sim_unblocked'])
})

test('the next month lifts the block, and a raised limit does', async () => {
  await using house = await openMeteredHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  const [sim, raised] = [await house.newSim({ limit_bytes: 100 }), await house.newSim({ limit_bytes: 100 })]
  await house.client.account(packetOf(sim, 'stop', { time: 60, up: 100 }))
  await house.client.account(packetOf(raised, 'stop', { id: 'b', time: 60, up: 100 }))
  await clearDataLimits(house.app)
  expect(await simOf(house, sim)).toMatchObject({ status: 'blocked' })
  await house.db.updateTable('usage_limit').set({ bytes: 200 }).where('sim_id', '=', raised.id).execute()
  await clearDataLimits(house.app)
  expect(await simOf(house, raised)).toMatchObject({ status: 'active', blocks: [] })
  house.clock.set('2026-12-01T00:00:00Z')
  await clearDataLimits(house.app)
  await clearDataLimits(house.app)
  expect(await simOf(house, sim)).toMatchObject({ status: 'active', blocks: [] })
  expect((await eventsOf(house)).slice(2)).toEqual(['assets.sim_unblocked', 'assets.sim_unblocked'])
})

test("late usage of last month does not block this month's SIM", async () => {
  await using house = await openMeteredHouse()
  house.clock.set('2026-12-01T00:10:00Z')
  const sim = await house.newSim({ limit_bytes: 100 })
  await house.client.account(packetOf(sim, 'stop', { time: 60, up: 500, at: Date.UTC(2026, 10, 30, 23) / 1000 }))
  expect(await simOf(house, sim)).toMatchObject({ status: 'active' })
  // From quarantine: it arrived last month, too.
  const matched = await house.newSim({ limit_bytes: 100 })
  const at = Date.UTC(2026, 10, 20)
  const told = { acct_session_id: 'matched', counter_up: 500, event_at: at, received_at: at }
  expect(await stored(house, readingOf(house, matched, told))).toBe(true)
  expect(await house.counter(matched)).toMatchObject({ bytes_up: 500 })
  expect(await simOf(house, matched)).toMatchObject({ status: 'active' })
})

test('a session that is silent for more than a day lost its stop; its usage stands', async () => {
  await using house = await openMeteredHouse()
  const [silent, received] = [await house.newSim(), await house.newSim()]
  await house.client.account(packetOf(silent, 'interim', { time: 60, up: 5 }))
  await house.client.account(packetOf(received, 'interim', { id: 'b', time: 60, up: 5 }))
  house.clock.advance({ hours: 25 })
  await house.client.account(packetOf(received, 'interim', { id: 'b', time: 90_060, up: 6 }))
  house.clock.advance({ hours: 1, seconds: 1 })
  await closeSilentSessions(house.app)
  expect(await house.sessionsOf(silent)).toMatchObject([{ end_cause: 'Lost stop', bytes_up: 5 }])
  expect(await house.sessionsOf(received)).toMatchObject([{ ended_at: null }])
})

test('a limit that the stop of the last session reached is held at once; one whose gateway is silent is not', async () => {
  await using house = await openMeteredHouse()
  const [ended, open] = [await house.newSim({ limit_bytes: 100 }), await house.newSim({ limit_bytes: 100 })]
  await house.client.account(packetOf(ended, 'stop', { time: 60, up: 150 }))
  await house.client.account(packetOf(open, 'interim', { id: 'b', time: 60, up: 170 }))
  house.clock.advance({ minutes: 5 })
  await clearDataLimits(house.app)
  const rows = await house.db.selectFrom('enforcement').select(['sim_id', 'reached_at', 'cut_at', 'overshoot_bytes']).execute()
  const of = ({ id }: { id: string }) => rows.find((row) => row.sim_id === id)!
  expect(of(ended)).toMatchObject({ cut_at: of(ended).reached_at, overshoot_bytes: 50 })
  expect(of(open)).toMatchObject({ cut_at: null, overshoot_bytes: 70 })
})

test('what is known of a limit that holds is written only where it changed', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim({ limit_bytes: 100 })
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 150 }))
  const row = () =>
    house.db
      .selectFrom('enforcement')
      .select(['overshoot_bytes', sql<string>`xmin::text`.as('written')])
      .executeTakeFirst()
  await clearDataLimits(house.app)
  const before = await row()
  await clearDataLimits(house.app)
  expect(await row()).toEqual({ overshoot_bytes: 50, written: before!.written })
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 170 }))
  await clearDataLimits(house.app)
  expect(await row()).toMatchObject({ overshoot_bytes: 70 })
})
