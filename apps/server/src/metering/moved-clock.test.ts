import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { codes } from '@masthead/radius/packet'
import { findCompleteUntil } from '../usage/index.ts'
import { rollUpAll } from '../usage/roll-ups/test-roll-up-all.ts'
import { mendCountersAhead } from './counters-ahead.ts'
import { openMeteredHouse, packetOf, type MeteredHouse } from './test-network.ts'

const blocksOf = async (house: MeteredHouse, { id }: { id: string }) => {
  const { blocks } = await house.db.selectFrom('sim').select('blocks').where('id', '=', id).executeTakeFirstOrThrow()
  return (blocks as { code: string }[]).map(({ code }) => code)
}

test('after a clock that was 40 days ahead, what is used counts for the limit of the month that it is', async () => {
  await using house = await openMeteredHouse()
  house.clock.set('2026-11-26T12:00:00Z')
  const [sim, other] = [await house.newSim({ limit_bytes: 1000 }), await house.newSim({ limit_bytes: 1000 })]
  const [first, second] = [
    (time: number, up: number) => packetOf(sim, 'interim', { time, up }),
    packetOf(other, 'interim', { id: 'b', time: 30, up: 900 }),
  ]
  await house.client.account(first(60, 100))
  await rollUpAll(house.app)
  await house.client.account(first(120, 300))
  house.clock.set('2027-01-05T12:00:00Z')
  await house.client.account(first(180, 350))
  await house.client.account(second)
  await house.client.account(packetOf(other, 'interim', { id: 'b', time: 90, up: 1100 }))
  await rollUpAll(house.app)
  expect(await house.counter(sim)).toMatchObject({ period_start: '2027-01-01', bytes_up: 50, lifetime_up: 350 })
  expect(await blocksOf(house, other)).toEqual(['data_limit'])
  house.clock.set('2026-11-26T12:05:00Z')
  await house.client.account(first(240, 850))
  await house.client.account(packetOf(other, 'interim', { id: 'b', time: 150, up: 1150 }))
  await mendCountersAhead(house.app)
  const november = { period_start: '2026-11-01', day: '2026-11-26' }
  expect(await house.counter(sim)).toMatchObject({ ...november, bytes_up: 800, day_up: 800, lifetime_up: 850 })
  expect(await house.counter(other)).toMatchObject({ ...november, bytes_up: 50, day_up: 50, lifetime_up: 1150 })
  expect(await blocksOf(house, other)).toEqual([])
  await house.client.account(first(300, 1050))
  expect(await house.counter(sim)).toMatchObject({ ...november, bytes_up: 1000, lifetime_up: 1050 })
  expect(await blocksOf(house, sim)).toEqual(['data_limit'])
  // Twice changes nothing.
  await mendCountersAhead(house.app)
  expect(await house.counter(sim)).toMatchObject({ ...november, bytes_up: 1000 })
  await rollUpAll(house.app)
  house.clock.advance({ seconds: 10 })
  await rollUpAll(house.app)
  expect(Date.parse((await findCompleteUntil(house.app.db))!)).toBeLessThanOrEqual(house.clock.now().getTime())
})

test('what happens on a day far ahead of the one before is kept', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim({ state: 'inactive' })
  house.clock.advance({ days: 40 })
  expect((await house.client.access({ imsi: sim.imsi })).code).toBe(codes.access_reject)
  const events = async () => (await sql`select kind, count from connection_event where sim_id = ${sim.id}`.execute(house.db)).rows
  await expect.poll(events, { timeout: 10_000 }).toHaveLength(1)
})

test('a session that was asked for a cut, or was cut, by a clock that was ahead is cut and live again by the time that it is', async () => {
  await using house = await openMeteredHouse()
  const [sim, served] = [await house.newSim({ state: 'inactive' }), await house.newSim()]
  house.clock.set('2027-01-05T12:00:00Z')
  const report = (time: number) => house.client.account(packetOf(sim, 'interim', { time, up: time }))
  const other = (time: number) => house.client.account(packetOf(served, 'interim', { id: 'b', time, up: time }))
  await report(60)
  await other(60)
  const ended_at = house.clock.now()
  const cut = { ended_at, end_cause: 'Cut by Masthead', live_after: new Date(ended_at.getTime() + 60_000) }
  await house.db.updateTable('data_session').set(cut).where('sim_id', '=', served.id).execute()
  await house.restartMeter()
  const askedAt = async () => (await house.sessionsOf(sim))[0]!.cut_asked_at
  expect(await askedAt()).toEqual(new Date('2027-01-05T12:00:00Z'))
  house.clock.set('2026-11-26T12:00:00Z')
  await report(120)
  await other(120)
  expect(await askedAt()).toEqual(new Date('2026-11-26T12:00:00Z'))
  expect(await house.sessionsOf(served)).toMatchObject([{ ended_at: null, live_after: null, bytes_up: 120 }])
  house.clock.advance({ seconds: 20 })
  await report(140)
  expect(await askedAt()).toEqual(new Date('2026-11-26T12:00:00Z'))
})

test('a session that reports on is asked for a cut again when the clock was set back by two hours, once in 30 s', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim({ state: 'inactive' })
  const report = (time: number) => house.client.account(packetOf(sim, 'interim', { time, up: time }))
  const askedAt = async () => (await house.sessionsOf(sim))[0]!.cut_asked_at
  await report(60)
  const ahead = house.clock.now()
  expect(await askedAt()).toEqual(ahead)
  house.clock.advance({ hours: -2 })
  const back = house.clock.now()
  await report(120)
  expect(await askedAt()).toEqual(back)
  house.clock.advance({ seconds: 20 })
  await report(140)
  expect(await askedAt()).toEqual(back)
  house.clock.advance({ seconds: 11 })
  await report(151)
  expect(await askedAt()).toEqual(house.clock.now())
})
