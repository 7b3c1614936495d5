import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Attributes } from '@masthead/radius/dictionary'
import { putGateway } from '../gateways/test-gateway.ts'
import { type MeteredHouse, type TestSim, openGateway, openMeteredHouse, packetOf, readingOf, stored } from './test-network.ts'

// Rows of the tables that one session's rules do not decide alone: gateways, baselines, quarantine.

const kept = (house: MeteredHouse) =>
  house.db
    .selectFrom('quarantine')
    .select(['acct_session_id', 'kind', 'reason', 'packets', 'counter_up', 'counter_down'])
    .orderBy('acct_session_id')
    .execute()
const bytesOf = async (house: MeteredHouse, sim: TestSim) => (await house.counter(sim))?.lifetime_up ?? 0

test('a gateway says nothing of another’s sessions, whatever name it gives', async () => {
  await using house = await openMeteredHouse()
  const [sim, other] = [await house.newSim(), await house.newSim()]
  const gateway = await openGateway(house)
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 100, down: 0 }))
  // Its own session under the same name and id; then On.
  await gateway.account(packetOf(other, 'interim', { time: 90, up: 7, down: 0 }))
  await gateway.account({ acct_status_type: 7 })
  expect(await house.sessionsOf(sim)).toMatchObject([{ ended_at: null, bytes_up: 100 }])
  expect(await house.sessionsOf(other)).toMatchObject([{ gateway_id: gateway.gateway_id, end_cause: 'Gateway restarted', bytes_up: 7 }])
  await gateway.account(packetOf(other, 'stop', { time: 120, up: 9, down: 0 }))
  expect(await house.sessionsOf(sim)).toMatchObject([{ ended_at: null, bytes_up: 100 }])
  expect(await kept(house)).toEqual([])
  gateway.close()
})

test('what another gateway reports of the same session of the same SIM is never counted', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const gateway = await openGateway(house)
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 100, down: 0 }))
  await gateway.account(packetOf(sim, 'interim', { time: 90, up: 200, down: 0 }))
  await gateway.account(packetOf(sim, 'stop', { time: 120, up: 300, down: 0 }))
  expect(await bytesOf(house, sim)).toBe(100)
  expect(await house.sessionsOf(sim)).toMatchObject([{ ended_at: null }])
  expect(await kept(house)).toMatchObject([
    { kind: 'elsewhere', packets: 2, counter_up: 300, reason: 'This session is open at another gateway: join these two gateways?' },
  ])
  // Both in one batch, too.
  const told = (id: string, from: object) => ({ ...packetOf(sim, 'interim', { id, time: 60, up: 1000, down: 0 }), ...from })
  await Promise.all([house.client.account(told('b', {})), gateway.account(told('b', {}))])
  expect(await bytesOf(house, sim)).toBe(1100)
  gateway.close()
})

/** How many wait for a lock. */
async function waitingIn(house: MeteredHouse) {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(house.db)
  return rows[0]!.n
}

test('also where two meters get packets of the two gateways at the same moment', async () => {
  await using house = await openMeteredHouse()
  const other = await house.startMeter()
  const sim = await house.newSim()
  const { gateway_id } = await putGateway(house.db, { name: 'B', address: '127.0.0.8' })
  // Both have looked for the session, and found none.
  const told = await house.db.transaction().execute(async (tx) => {
    await tx.selectFrom('sim').select('id').where('id', '=', sim.id).forUpdate().execute()
    const both = [stored(house, readingOf(house, sim)), stored(house, readingOf(house, sim, { gateway_id }), other)]
    await expect.poll(() => waitingIn(house)).toBe(2)
    return both
  })
  expect(await Promise.all(told)).toEqual([true, true])
  expect(await bytesOf(house, sim)).toBe(10)
  expect(await house.sessionsOf(sim)).toHaveLength(1)
  expect(await kept(house)).toMatchObject([{ kind: 'elsewhere', packets: 1, counter_up: 10 }])
  await other.stop()
})

test('also where another meter begins and ends the session of the other gateway after this one has looked for it', async () => {
  await using house = await openMeteredHouse()
  const other = await house.startMeter()
  const sim = await house.newSim()
  const { gateway_id } = await putGateway(house.db, { name: 'B', address: '127.0.0.8' })
  const told = await house.db.transaction().execute(async (tx) => {
    // What a meter holds before it writes a new session: the other one is the first to wait for it.
    await sql`select pg_advisory_xact_lock(hashtextextended('pgw-1' || chr(1) || 'a1', 0))`.execute(tx)
    const first = stored(house, readingOf(house, sim, { gateway_id, kind: 'stop' }), other)
    await expect.poll(() => waitingIn(house)).toBe(1)
    const second = stored(house, readingOf(house, sim))
    await expect.poll(() => waitingIn(house)).toBe(2)
    return [first, second]
  })
  expect(await Promise.all(told)).toEqual([true, true])
  expect(await bytesOf(house, sim)).toBe(10)
  expect(await house.sessionsOf(sim)).toMatchObject([{ gateway_id }])
  const reason = 'Another gateway counted this session until it was over there: join these two gateways?'
  expect(await kept(house)).toMatchObject([{ kind: 'elsewhere', packets: 1, counter_up: 10, reason }])
  await other.stop()
})

test('a session ends at one gateway and another begins at a second one, in one batch: both count, and the batch is not tried for ever', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const { gateway_id } = await putGateway(house.db, { name: 'B', address: '127.0.0.8' })
  const batch = [readingOf(house, sim, { kind: 'stop' }), readingOf(house, sim, { gateway_id, counter_up: 7, session_time: 0 })]
  batch[1]!.event_at += 1000
  expect(await Promise.all(batch.map((reading) => stored(house, reading)))).toEqual([true, true])
  expect(await bytesOf(house, sim)).toBe(17)
  expect(house.meter.figures.count('masthead_meter_batch_failures_total{fault="again"')).toBe(0)
})

test('a session that is over at one gateway counts nothing more while the other one reports it, also in one batch with that', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const { gateway_id } = await putGateway(house.db, { name: 'B', address: '127.0.0.8' })
  const at = house.clock.now().getTime()
  const later = (session_time: number, counter_up: number) => ({ session_time, counter_up, event_at: at + session_time * 1000 + 1 })
  await stored(house, readingOf(house, sim, { kind: 'stop' }))
  await stored(house, readingOf(house, sim, { gateway_id, ...later(60, 7) }))
  const batch = [readingOf(house, sim, later(90, 5000)), readingOf(house, sim, { gateway_id, ...later(90, 9) })]
  await Promise.all(batch.map((reading) => stored(house, reading)))
  expect(await bytesOf(house, sim)).toBe(19)
  expect(await kept(house)).toMatchObject([{ kind: 'elsewhere', packets: 1, counter_up: 5000 }])
})

test('a session that is over at one gateway and goes on at another counts once, whatever ended it', async () => {
  await using house = await openMeteredHouse()
  const gateway = await openGateway(house)
  const began = Math.floor(house.clock.now().getTime() / 1000)
  const [stopped, restarted, untold] = [await house.newSim(), await house.newSim(), await house.newSim()]
  const report = (sim: TestSim, kind: 'interim' | 'stop', time: number, up: number) =>
    packetOf(sim, kind, { id: sim.imsi, time, up, down: 0, at: began + time })
  const untimed = (up: number) => packetOf(untold, 'stop', { id: 'untimed', up, down: 0 })
  house.clock.advance({ minutes: 2 })
  await house.client.account(report(stopped, 'stop', 60, 1000))
  await house.client.account(report(restarted, 'interim', 60, 1000))
  await house.client.account(untimed(1000))
  await house.client.account({ acct_status_type: 8, event_timestamp: began + 61 })
  // The same stop by another way, since its answer was lost; a session that goes on; one that never says how long it has lasted.
  await gateway.account(report(stopped, 'stop', 60, 1000))
  await gateway.account(report(restarted, 'interim', 90, 1500))
  await gateway.account(untimed(1000))
  expect(await Promise.all([stopped, restarted, untold].map((sim) => bytesOf(house, sim)))).toEqual([1000, 1000, 1000])
  const reason = 'Another gateway counted this session until it was over there: join these two gateways?'
  expect(await kept(house)).toMatchObject([1, 2, 3].map(() => ({ kind: 'elsewhere', packets: 1, reason })))
  // Back at the first gateway it counts in full, and what begins anew counts where it does.
  await house.client.account(report(restarted, 'interim', 120, 2000))
  await gateway.account(packetOf(stopped, 'interim', { id: stopped.imsi, time: 20, up: 7, down: 0, at: began + 90 }))
  await gateway.account(untimed(5))
  expect(await Promise.all([stopped, restarted, untold].map((sim) => bytesOf(house, sim)))).toEqual([1007, 2000, 1005])
  gateway.close()
})

test('3.0 GB, a garbled gigaword, 3.1 GB count 3.1 GB once; 64 bits of anything break nothing', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const report = (time: number, bytes: number, gigawords = Math.floor(bytes / 2 ** 32)) =>
    house.client.account(packetOf(sim, 'interim', { time, up: bytes % 2 ** 32, down: 0, acct_input_gigawords: gigawords }))
  await report(300, 3e9)
  await report(600, 3.05e9, 2_097_151)
  await report(660, 7, 2_097_151)
  await report(720, 2 ** 32 - 1, 4_294_967_295)
  await report(780, 2 ** 32 - 1, 4_294_967_295)
  // From the database, not from memory.
  await house.restartMeter()
  await report(900, 3.1e9)
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 3.1e9, lifetime_up: 3.1e9 })
  expect(await kept(house)).toMatchObject([
    { kind: 'uncounted', packets: 4, reason: 'It reported more bytes than any link carries in that time' },
  ])
  // It goes on from odd counters: they are the base.
  await report(1000, 5, 1_000_000)
  await report(1100, 25, 1_000_000)
  await report(1200, 30, 1_000_000)
  expect(await bytesOf(house, sim)).toBe(3.1e9 + 25)
})

test('a session of before its gateway was added, or its SIM registered, brings a baseline', async () => {
  await using house = await openMeteredHouse()
  const [early, late, later] = [await house.newSim(), await house.newSim(), await house.newSim()]
  const now = house.clock.now()
  const at = Math.floor(now.getTime() / 1000)
  const hourAgo = new Date(now.getTime() - 3_600_000)
  const began = (sim: TestSim, id: string, time: number, up: number, more: Attributes = {}) =>
    packetOf(sim, 'interim', { id, time, up, down: 0, at, ...more })
  await house.db.updateTable('sim').set({ created_at: hourAgo }).where('id', '=', late.id).execute()
  const gateway = await openGateway(house)
  await house.db.updateTable('gateway').set({ created_at: hourAgo }).where('id', '=', gateway.gateway_id).execute()
  await house.client.account(began(late, 'weeks', 3700, 900_000))
  await house.client.account(began(late, 'fine', 3500, 1000))
  await gateway.account(began(early, 'weeks-b', 3700, 700_000))
  await gateway.account(began(early, 'fine-b', 3500, 2000))
  // A stop, and one that brings nothing.
  await gateway.account({ ...began(later, 'stop-b', 7200, 600_000), acct_status_type: 2 })
  await gateway.account(began(later, 'empty-b', 7200, 0))
  expect([await bytesOf(house, late), await bytesOf(house, early), await bytesOf(house, later)]).toEqual([1000, 2000, 0])
  expect(await kept(house)).toMatchObject([
    { acct_session_id: 'stop-b', kind: 'uncounted', counter_up: 600_000 },
    { acct_session_id: 'weeks', counter_up: 900_000, reason: expect.stringContaining('before the SIM was registered') },
    { acct_session_id: 'weeks-b', counter_up: 700_000, reason: expect.stringContaining('before its gateway was added') },
  ])
  // From there on they count.
  await house.client.account(began(late, 'weeks', 3760, 900_050, { event_timestamp: at + 60 }))
  expect(await bytesOf(house, late)).toBe(1050)
  gateway.close()
})

test('one that never says how long it has lasted brings a baseline where quarantine has it from before its SIM was registered', async () => {
  await using house = await openMeteredHouse()
  const [sim, imsi] = [await house.newSim(), '204080009999999']
  const report = async (kind: 'interim' | 'stop', id: string, up: number) => {
    await house.client.account(packetOf({ ...sim, imsi }, kind, { id, up }))
    house.clock.advance({ minutes: 1 })
  }
  await report('interim', 'goes on', 900_000)
  await report('stop', 'over', 600_000)
  await house.db.updateTable('sim_imsi').set({ imsi }).where('sim_id', '=', sim.id).execute()
  await house.db.updateTable('sim').set({ created_at: house.clock.now() }).where('id', '=', sim.id).execute()
  await report('interim', 'goes on', 910_000)
  expect(await bytesOf(house, sim)).toBe(0)
  await report('interim', 'goes on', 910_050)
  // Another session under an id whose session was over, and one of which nothing was received.
  await report('interim', 'over', 700)
  await report('interim', 'new', 3000)
  expect(await bytesOf(house, sim)).toBe(3750)
})

test('a gateway that restarts without a word and uses its ids again counts at once', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const noon = Math.floor(house.clock.now().getTime() / 1000) - 36_000
  const report = (time: number, up: number, at: number) =>
    house.client.account(packetOf(sim, 'interim', { time, up, down: 0, at: noon + at }))
  await report(20_000, 5_000_000, 20_000)
  await report(300, 400, 20_400)
  await report(600, 900, 20_700)
  // What was on its way from before is late.
  await report(19_700, 4_900_000, 19_700)
  expect(await bytesOf(house, sim)).toBe(5_000_900)
  expect(await house.sessionsOf(sim)).toMatchObject([
    { superseded: true, end_cause: 'Lost stop', bytes_up: 5_000_000 },
    { superseded: false, bytes_up: 900, ended_at: null },
  ])
})

test('an id used again by another SIM while the session under it is open is of that SIM, without a start too', async () => {
  await using house = await openMeteredHouse()
  const [one, other] = [await house.newSim(), await house.newSim()]
  const noon = Math.floor(house.clock.now().getTime() / 1000) - 36_000
  await house.client.account(packetOf(one, 'interim', { time: 20_000, up: 100, down: 0, at: noon + 20_000 }))
  await house.client.account(packetOf(other, 'interim', { time: 300, up: 7, down: 0, at: noon + 20_400 }))
  const nobodys = { ...one, imsi: '204089999999999' }
  await house.client.account(packetOf(nobodys, 'interim', { time: 200, up: 5000, down: 0, at: noon + 20_700 }))
  expect([await bytesOf(house, one), await bytesOf(house, other)]).toEqual([100, 7])
  expect(await kept(house)).toMatchObject([{ kind: 'unknown', counter_up: 5000 }])
})

test('an untimed interim that is sent again after 65 s, later ones between, counts once', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const untimed = (up: number) => house.client.account(packetOf(sim, 'interim', { up, down: 0 }))
  await untimed(100)
  house.clock.advance({ seconds: 30 })
  await untimed(300)
  house.clock.advance({ seconds: 65 })
  await untimed(100)
  await untimed(300)
  await untimed(350)
  expect(await bytesOf(house, sim)).toBe(350)
})

test('a SIM is known by nothing but its IMSI, its number and the IMSI in its name', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const told = (id: string, who: Attributes) =>
    house.client.account({ acct_status_type: 3, acct_session_id: id, acct_session_time: 1, acct_input_octets: 1, ...who })
  await told('1', { imsi: sim.imsi, framed_ip: '10.9.9.9' })
  await told('2', { framed_ip: '10.9.9.9', called_station_id: 'iot' })
  await told('3', { user_name: sim.msisdn })
  await told('4', { user_name: sim.iccid })
  await told('5', { calling_station_id: sim.imsi, user_name: 'anybody' })
  expect(await bytesOf(house, sim)).toBe(1)
  expect((await kept(house)).map((row) => row.acct_session_id)).toEqual(['2', '3', '4', '5'])
})
