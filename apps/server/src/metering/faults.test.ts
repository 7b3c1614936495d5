import { dayOf } from '@masthead/contract/kernel/time'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTag } from '@masthead/contract/tags/operations'
import { openLoad } from '@masthead/simulator/load'
import { steadyClock, systemClock } from '../kernel/app.ts'
import { proveRollUps } from '../usage/index.ts'
import { rollUp } from '../usage/roll-ups/roll-up.ts'
import { expectConsistent, openClient, openMeteredHouse, packetOf, wrongSessions, type MeteredHouse } from './test-network.ts'

const loadOf = async (house: MeteredHouse, options: Partial<Parameters<typeof openLoad>[0]> = {}) =>
  openLoad({
    target: { host: '127.0.0.1', acct_port: house.meter.ports.acct },
    secret: 'secret',
    sims: await Promise.all(Array.from({ length: 40 }, () => house.newSim())),
    inFlight: 32,
    duplicates: 0.05,
    reordered: 0.05,
    retry_after: 100,
    give_up_after: 60_000,
    seed: 5,
    ...options,
  })

const away = ({ meter }: MeteredHouse) => meter.figures.count('masthead_meter_batch_failures_total{fault="away"')
const writeTag = ({ owner }: MeteredHouse, name: string) => owner.call(createTag, { body: { name, color: 'blue' } })

/** Both sides while `fault` lasts, under load: no packet answered, a call answered 503 in words; afterwards everything by itself. */
async function expectToOutlive(house: MeteredHouse, { begin, end }: { begin: () => Promise<unknown>; end: () => Promise<unknown> }) {
  const load = await loadOf(house)
  const running = load.run({ count: 2000 })
  await expect.poll(load.answered, { interval: 1, timeout: 20_000 }).toBeGreaterThan(0)
  await begin()
  const failed = away(house)
  await expect.poll(() => away(house), { timeout: 20_000 }).toBeGreaterThan(failed + 1)
  const before = load.answered()
  expect(await writeTag(house, 'during')).toMatchObject({
    status: 503,
    body: { code: 'unavailable', detail: expect.stringContaining('try again') },
  })
  await expect.poll(() => away(house), { timeout: 20_000 }).toBeGreaterThan(failed + 4)
  expect(load.answered()).toBe(before)
  await end()
  const report = await running
  load.close()
  expect(report.given_up).toBe(0)
  expect(report.retransmits).toBeGreaterThan(0)
  expect(await wrongSessions(house, load)).toEqual([])
  expect(load.sessions.every((session) => session.acknowledged_input === session.sent_input)).toBe(true)
  await expectConsistent(house)
  expect((await writeTag(house, 'after')).status).toBe(200)
}

test('the database away for a while: nothing acknowledged is lost, nobody is answered meanwhile, all goes on by itself', async () => {
  await using house = await openMeteredHouse()
  await expectToOutlive(house, { begin: house.database.away, end: house.database.back })
})

test('no room on the disk of the database: the same', async () => {
  await using house = await openMeteredHouse()
  await sql`create function no_room() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100'; end $$`.execute(house.db)
  const full = ['usage_record', 'sim_counter', 'data_session', 'tag']
  const each = async (statement: (table: string) => string) => {
    for (const table of full) await sql.raw(statement(table)).execute(house.db)
  }
  await expectToOutlive(house, {
    begin: () => each((table) => `create trigger full_disk before insert or update on ${table} for each row execute function no_room()`),
    end: () => each((table) => `drop trigger full_disk on ${table}`),
  })
})

test('a clock set back stands still until it is caught up with; one that was far ahead is followed', () => {
  let now = Date.UTC(2026, 10, 1, 12)
  const clock = steadyClock({ ...systemClock, now: () => new Date(now) }, new Date(now - 1000))
  const at = (change: number) => ((now += change), clock.now().getTime())
  const noon = at(0)
  expect(at(-3_600_000)).toBe(noon)
  expect(at(3_599_000)).toBe(noon)
  expect(at(2000)).toBe(noon + 1000)
  expect(at(-2 * 86_400_000)).toBe(now)
  expect(
    steadyClock({ ...systemClock, now: () => new Date(noon) }, new Date(noon + 60_000))
      .now()
      .getTime()
  ).toBe(noon + 60_000)
})

test('the clock set back an hour, over midnight and over a restart: totals are exact and never fall', async () => {
  await using house = await openMeteredHouse()
  const start = new Date(`${dayOf(house.clock.now())}T00:20:00Z`)
  house.clock.set(start)
  // Counters alone say what is newer: neither a session time nor a time of the gateway's.
  const [bare, timed] = [await house.newSim(), await house.newSim()]
  let event = start.getTime() / 1000
  let seen = [0, 0]
  const report = async (up: number, kind: 'interim' | 'stop' = 'interim') => {
    await house.client.account(packetOf(bare, kind, { id: 'bare', up }))
    await house.client.account(packetOf(timed, kind, { id: 'timed', time: up, up, at: (event += 60) }))
    const totals = [await house.counter(bare), await house.counter(timed)].map((row) => row!.lifetime_up)
    for (const [i, total] of totals.entries()) expect(total).toBeGreaterThanOrEqual(seen[i]!)
    return (seen = totals)
  }
  expect(await report(100)).toEqual([100, 100])
  house.clock.advance({ minutes: 1 })
  expect(await report(150)).toEqual([150, 150])
  house.clock.advance({ hours: -1 })
  expect(await report(180)).toEqual([180, 180])
  // The meter stops as it does; the next one finds the clock back.
  await house.restartMeter()
  expect(await report(220)).toEqual([220, 220])
  house.clock.advance({ minutes: 10 })
  await house.client.account(packetOf(bare, 'interim', { id: 'new', up: 5 }))
  expect(await report(250, 'stop')).toEqual([255, 250])
  house.clock.advance({ hours: 2 })
  await house.client.account(packetOf(bare, 'stop', { id: 'new', up: 9 }))
  expect(await house.counter(bare)).toMatchObject({ lifetime_up: 259 })
  await expectConsistent(house)
  const hours = async () =>
    (await house.db.selectFrom('account_usage_hour').select('bytes_up').execute()).reduce((sum, row) => sum + row.bytes_up, 0)
  await expect.poll(async () => (await rollUp(house.app), hours()), { timeout: 20_000 }).toBe(509)
  const around = [-2, 2].map((each) => dayOf(start.getTime() + each * 86_400_000)) as [string, string]
  expect(await proveRollUps(house.app, ...around)).toMatchObject({ wrong_hours: 0, wrong_days: 0, wrong_account_hours: 0 })
})

test('sessions whose packets and duplicates go to two meters by turns are counted once', async () => {
  await using house = await openMeteredHouse()
  const other = await house.startMeter()
  const second = await openClient(() => other.ports)
  const clients = [house.client, second]
  const sims = await Promise.all(Array.from({ length: 12 }, () => house.newSim()))
  await Promise.all(
    sims.map(async (sim, s) => {
      for (let i = 1; i <= 10; i++) {
        const packet = packetOf(sim, i === 10 ? 'stop' : 'interim', { id: `s${s}`, time: 60 * i, up: 100 * i, down: i })
        // At both at once every third time; else the duplicate, and one that is late, come after.
        const one = clients[(i + s) % 2]!.account(packet)
        if (i % 3 > 0) await one
        await Promise.all([one, clients[(i + s + 1) % 2]!.account(packet)])
        if (i === 7) await clients[i % 2]!.account(packetOf(sim, 'interim', { id: `s${s}`, time: 60, up: 100, down: 1 }))
      }
    })
  )
  const counters = await house.db.selectFrom('sim_counter').select(['bytes_up', 'bytes_down']).execute()
  expect(counters).toEqual(sims.map(() => ({ bytes_up: 1000, bytes_down: 10 })))
  await expectConsistent(house)
  second.close()
  await other.stop()
})

test('two meters listen on the same ports, each its share of the gateways, and all of it is exact', async () => {
  await using house = await openMeteredHouse({ meter: false })
  const ports = { http: 0, radiusAuth: await freePort(), radiusAcct: await freePort(), mqtt: 0, mqtts: 0 }
  const meters = [await house.startMeter({ ports, meterProcesses: 2 }), await house.startMeter({ ports, meterProcesses: 2 })]
  // The kernel gives a sender's port to one of them: many senders, so that both have some.
  const loads = await Promise.all(
    Array.from({ length: 24 }, async (_, i) =>
      openLoad({
        target: { host: '127.0.0.1', acct_port: ports.radiusAcct },
        secret: 'secret',
        gateway: { name: `pgw-${i}`, address: '127.0.0.1' },
        sims: await Promise.all([house.newSim(), house.newSim()]),
        inFlight: 2,
        duplicates: 0.1,
        reordered: 0.1,
        seed: i + 1,
      })
    )
  )
  const reports = await Promise.all(loads.map((load) => load.run({ count: 40 })))
  expect(reports.reduce((sum, report) => sum + report.given_up, 0)).toBe(0)
  for (const meter of meters) expect(meter.figures.count('masthead_meter_accounting_total{effect="counted"')).toBeGreaterThan(0)
  for (const [i, load] of loads.entries()) {
    expect(await wrongSessions(house, load, `pgw-${i}`)).toEqual([])
    load.close()
  }
  await expectConsistent(house)
  await Promise.all(meters.map((meter) => meter.stop()))
})

async function freePort() {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  return port
}
