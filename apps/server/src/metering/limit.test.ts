import { expect, test } from 'vitest'
import { encodeReply } from '@masthead/radius/authenticator'
import { type Packet, codes, decode } from '@masthead/radius/packet'
import { closeSilentSessions } from './close-sessions.ts'
import { clearDataLimits } from './data-limit.ts'
import { type MeteredHouse, openMeteredHouse, packetOf } from './test-network.ts'

const simOf = (house: MeteredHouse, { id }: { id: string }) =>
  house.db.selectFrom('sim').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const eventsOf = async (house: MeteredHouse) => (await house.events(house.owner.account_id)).map((event) => event.name)

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
        clears: 'On 1 December, 00:00 UTC, or when the limit is raised',
      },
    ],
  })
  await house.client.account(packetOf(sim, 'interim', { time: 180, up: 430_000_000, down: 600_000_000 }))
  expect(await eventsOf(house)).toEqual(['assets.sim_blocked'])
  expect((await house.client.access({ imsi: sim.imsi })).code).toBe(codes.access_reject)
  await house.settle()
  expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead' }])
  expect(await eventsOf(house)).toEqual(['assets.sim_blocked', 'assets.session_cut'])
})

test('the next month lifts the block, and a raised limit does', async () => {
  await using house = await openMeteredHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  const [sim, raised] = [await house.newSim({ limit_bytes: 100 }), await house.newSim({ limit_bytes: 100 })]
  await house.client.account(packetOf(sim, 'stop', { time: 60, up: 100 }))
  await house.client.account(packetOf(raised, 'stop', { id: 'b', time: 60, up: 100 }))
  await clearDataLimits(house.app)
  expect(await simOf(house, sim)).toMatchObject({ status: 'blocked' })
  await house.db.updateTable('sim').set({ limit_bytes: 200 }).where('id', '=', raised.id).execute()
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
})

test('a session that is silent for more than a day lost its stop; its usage stands', async () => {
  await using house = await openMeteredHouse()
  const [silent, heard] = [await house.newSim(), await house.newSim()]
  await house.client.account(packetOf(silent, 'interim', { time: 60, up: 5 }))
  house.clock.advance({ hours: 25 })
  await house.client.account(packetOf(heard, 'interim', { id: 'b', time: 60, up: 6 }))
  house.clock.advance({ hours: 1, seconds: 1 })
  await closeSilentSessions(house.app)
  expect(await house.sessionsOf(silent)).toMatchObject([{ end_cause: 'Lost stop', bytes_up: 5 }])
  expect(await house.sessionsOf(heard)).toMatchObject([{ ended_at: null }])
})
