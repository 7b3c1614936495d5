import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { openLoad } from '@masthead/simulator/load'
import { openProxy } from '../../kernel/database/test-proxy.ts'
import { putGateway } from '../../gateways/test-gateway.ts'
import { Ingest } from './ingest.ts'
import { MeterConnection, faultOf } from '../meter-connection.ts'
import { findSessions } from '../sessions/find-sessions.ts'
import { MeterFigures } from '../meter-figures.ts'
import { expectConsistent, openMeteredHouse, readingOf, stored, wrongSessions } from '../test-network.ts'

test('one reading that the database refuses is quarantined, and the rest of its batch is counted', async () => {
  await using house = await openMeteredHouse()
  const sims = await Promise.all(Array.from({ length: 9 }, () => house.newSim()))
  const readings = sims.map((sim, i) => readingOf(house, sim, { acct_session_id: `s${i}`, ...(i === 4 && { ip: 'no address' }) }))
  await Promise.all(readings.map((reading) => stored(house, reading)))
  const counted = await house.db.selectFrom('sim_counter').select('sim_id').execute()
  expect(new Set(counted.map((row) => row.sim_id))).toEqual(new Set(sims.filter((_, i) => i !== 4).map((sim) => sim.id)))
  const [row] = await house.db.selectFrom('quarantine').selectAll().execute()
  expect(row).toMatchObject({ imsi: sims[4]!.imsi, acct_session_id: 's4' })
  expect(row!.reason).toContain('could not be stored')
  expect(house.meter.figures.count('masthead_meter_accounting_total{effect="unstorable"')).toBe(1)
})

test('readings that the database refuses hold up none that it takes: those are answered first, each session in its order', async () => {
  await using house = await openMeteredHouse()
  const sims = await Promise.all(Array.from({ length: 16 }, () => house.newSim()))
  const answered: string[] = []
  const told = sims.flatMap((sim, i) => {
    const report = (n: number) => readingOf(house, sim, { acct_session_id: `s${i}`, session_time: 60 * n, counter_up: 10 * n })
    return [report(1), { ...report(2), ...(i < 2 && { ip: 'no address' }) }]
  })
  await Promise.all(told.map(async (reading, i) => answered.push(`${(await stored(house, reading)) && i % 2} of ${i >> 1}`)))
  expect(answered.slice(0, 28).filter((name) => / of [01]$/.test(name))).toEqual([])
  expect(answered.slice(28)).toEqual(['0 of 0', '1 of 0', '0 of 1', '1 of 1'])
  const counted = await house.db.selectFrom('data_session').select('bytes_up').orderBy('bytes_up').execute()
  expect(counted.map((row) => row.bytes_up)).toEqual([10, 10, ...Array.from({ length: 14 }, () => 20)])
})

test('a batch of long ago and of two months finds its days and is counted by month', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  house.clock.set('2026-12-01T00:10:00Z')
  const told = (id: string, event: string, counter_up: number, received_at = house.clock.now().getTime()) =>
    readingOf(house, sim, { acct_session_id: id, event_at: Date.parse(event), counter_up, received_at })
  const old = told('old', '2026-11-12T12:00:00Z', 1, Date.parse('2026-11-12T12:00:00Z'))
  const [late, now] = [told('late', '2026-11-30T23:50:00Z', 20), told('now', '2026-12-01T00:05:00Z', 300)]
  const last = told('last', '2026-11-30T23:59:00Z', 4000)
  await house.meter.ingest.addAll([old, late, now, last])
  expect(await house.counter(sim)).toMatchObject({ period_start: '2026-12-01', bytes_up: 300, lifetime_up: 4321 })
  await expectConsistent(house)
})

test('a reading that cannot even be quarantined is given up and not answered', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const lost = readingOf(house, sim, { gateway_id: 'gtw_gone' })
  expect(await Promise.all([stored(house, lost), stored(house, readingOf(house, sim, { acct_session_id: 'b' }))])).toEqual([false, true])
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 10 })
})

test('a session that somebody else changed is read anew, and what is known of the others stays', async () => {
  await using house = await openMeteredHouse()
  const sims = [await house.newSim(), await house.newSim()]
  const report = (n: number, minute: number) =>
    stored(house, readingOf(house, sims[n]!, { acct_session_id: `s${n}`, session_time: 60 * minute, counter_up: 10 * minute }))
  expect([await report(0, 1), await report(1, 1)]).toEqual([true, true])
  const run = vi.spyOn(MeterConnection.prototype, 'run')
  const looks = () => run.mock.calls.filter(([asked]) => asked === findSessions).length
  try {
    expect([await report(0, 2), await report(1, 2)]).toEqual([true, true])
    expect(looks(), 'both are known').toBe(0)
    await house.db.updateTable('data_session').set({ cut_asked_at: house.clock.now() }).where('acct_session_id', '=', 's0').execute()
    expect(await report(0, 3)).toBe(true)
    expect(looks()).toBe(1)
    expect(await report(1, 3)).toBe(true)
    expect(looks()).toBe(1)
  } finally {
    run.mockRestore()
  }
  await expectConsistent(house)
})

test('an Accounting-On holds up and forgets the sessions of its gateway alone', async () => {
  await using house = await openMeteredHouse()
  const [own, others] = [await house.newSim(), await house.newSim()]
  const { gateway_id } = await putGateway(house.db, { name: 'Second', address: '127.0.0.8' })
  const at = (later: number) => house.clock.now().getTime() + later * 1000
  const report = (minute: number) => ({ session_time: 60 * minute, counter_up: 10 * minute, event_at: at(minute) })
  const ofOwn = (minute: number) => stored(house, readingOf(house, own, report(minute)))
  const ofOthers = (minute: number) => stored(house, readingOf(house, others, { gateway_id, acct_session_id: 'b', ...report(minute) }))
  expect([await ofOwn(1), await ofOthers(1)]).toEqual([true, true])
  const run = vi.spyOn(MeterConnection.prototype, 'run')
  const looks = () => run.mock.calls.filter(([asked]) => asked === findSessions).length
  const client = await house.app.pool.connect()
  try {
    await client.query('begin')
    await client.query(`select from data_session where acct_session_id = 'a1' for update`)
    const answered: string[] = []
    const on = stored(house, readingOf(house, own, { kind: 'on', acct_session_id: '', event_at: at(1) })).then(() => answered.push('on'))
    const after = ofOwn(2).then(() => answered.push('after'))
    expect([await ofOthers(2), await ofOthers(3)]).toEqual([true, true])
    expect(answered).toEqual([])
    await client.query('commit')
    await Promise.all([on, after])
    expect(answered).toEqual(['on', 'after'])
    expect(looks(), 'its session is read again').toBe(1)
    expect(await ofOthers(4)).toBe(true)
    expect(looks()).toBe(1)
  } finally {
    client.release(true)
    run.mockRestore()
  }
  expect(await house.sessionsOf(own)).toMatchObject([{ ended_at: null, bytes_up: 20 }])
  await expectConsistent(house)
})

test('two meters at the same sessions count each report once', async () => {
  await using house = await openMeteredHouse()
  const other = await house.startMeter()
  const sims = await Promise.all(Array.from({ length: 5 }, () => house.newSim()))
  const reports = Array.from({ length: 12 }, (_, i) =>
    sims.map((sim, s) =>
      readingOf(house, sim, { acct_session_id: `s${s}`, session_time: 60 * (i + 1), counter_up: 100 * (i + 1), counter_down: i })
    )
  ).flat()
  await Promise.all([house.meter.ingest.addAll(reports), other.ingest.addAll(reports.toReversed())])
  const counters = await house.db.selectFrom('sim_counter').select(['bytes_up', 'bytes_down']).execute()
  expect(counters).toEqual(sims.map(() => ({ bytes_up: 1200, bytes_down: 11 })))
  await expectConsistent(house)
  await other.stop()
})

test('a lost connection to the database loses nothing and counts nothing twice', async () => {
  await using house = await openMeteredHouse()
  const sims = await Promise.all(Array.from({ length: 40 }, () => house.newSim()))
  const load = await openLoad({
    target: { host: '127.0.0.1', acct_port: house.meter.ports.acct },
    secret: 'secret',
    sims,
    inFlight: 32,
    duplicates: 0.05,
    reordered: 0.05,
    retry_after: 200,
    seed: 7,
  })
  const running = load.run({ count: 1500 })
  const { pool } = house.app
  for (let cuts = 0; cuts < 8;) {
    const counted = () => house.meter.figures.count('masthead_meter_accounting_total{effect="counted"')
    const before = counted()
    await expect.poll(counted, { interval: 1, timeout: 20_000 }).toBeGreaterThan(before)
    const { rowCount } = await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'masthead meter' and datname = current_database()`
    )
    cuts += rowCount ?? 0
  }
  const report = await running
  load.close()
  expect(house.meter.figures.count('masthead_meter_batch_failures_total{fault="away"')).toBeGreaterThan(0)
  expect(report.given_up).toBe(0)
  expect(await wrongSessions(house, load)).toEqual([])
  expect(load.sessions.every((session) => session.acknowledged_input === session.sent_input)).toBe(true)
  await expectConsistent(house)
})

test('what a meter has received when it is asked to stop is committed and answered', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const meter = await house.startMeter()
  let answered = 0
  for (let i = 1; i <= 50; i++) meter.ingest.add(readingOf(house, sim, { session_time: i, counter_up: i }), () => answered++)
  await meter.stop()
  expect(answered).toBe(50)
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 50 })
  expect(meter.ingest.add(readingOf(house, sim), () => {})).toBe(false)
})

test.each([
  ['40P01', {}, 'again'],
  ['23505', { constraint: 'data_session_key' }, 'again'],
  ['23505', { constraint: 'another' }, 'poison'],
  ['22P02', {}, 'poison'],
  ['23514', { table: 'usage_record' }, 'partition'],
  ['53100', {}, 'away'],
  ['57P03', {}, 'away'],
  ['0A000', {}, 'away'],
  ['42P01', {}, 'away'],
  ['ECONNREFUSED', {}, 'away'],
])('a batch that fails with %s %j is a case of: %s', (code, more, fault) => {
  expect(faultOf({ code, message: '', ...more })).toBe(fault)
})

test.each([
  ['without a word', 'freeze', 'select 1', 'away'],
  ['between an error and the end of its statement', 'freezeAtError', 'select 1 / 0', 'poison'],
] as const)('a connection that has gone silent %s is given up, and the next one works', async (_, fallSilent, text, fault) => {
  await using house = await openMeteredHouse({ meter: false })
  const proxy = await openProxy(house.databaseUrl)
  const db = new MeterConnection(proxy.url, { patience: 300 })
  await db.open()
  proxy[fallSilent]()
  const lost = ['first', 'next'].map((name) => db.run({ name, text }).catch(faultOf))
  expect(await Promise.all(lost)).toEqual([fault, 'away'])
  await db.reset()
  proxy.thaw()
  await db.open()
  expect(await db.run({ name: 'again', text: 'select 3' })).toEqual([[3]])
  await db.close()
  proxy.close()
})

test('a batch that the database cannot commit for now holds up nobody else, and is counted when it can', async () => {
  await using house = await openMeteredHouse()
  await sql`create function refuse() returns trigger language plpgsql as $$ begin
    if new.acct_session_id = 'bad' then raise 'a bad page' using errcode = 'XX001'; end if; return new; end $$`.execute(house.db)
  await sql`create trigger refuse before insert on data_session for each row execute function refuse()`.execute(house.db)
  const sims = await Promise.all(Array.from({ length: 6 }, () => house.newSim()))
  const bad = stored(house, readingOf(house, await house.newSim(), { acct_session_id: 'bad' }))
  await expect.poll(() => house.meter.figures.count('masthead_meter_batch_failures_total{fault="away"')).toBeGreaterThan(0)
  for (const [i, sim] of sims.entries()) expect(await stored(house, readingOf(house, sim, { acct_session_id: `s${i}` }))).toBe(true)
  await sql`drop trigger refuse on data_session`.execute(house.db)
  expect(await bad).toBe(true)
  await expectConsistent(house)
})

test('a reading that is to be quarantined while its connection is lost is quarantined afterwards', async () => {
  await using house = await openMeteredHouse({ meter: false })
  const proxy = await openProxy(house.databaseUrl, { most: 1 })
  const log = pino({ level: 'silent' })
  const ingest = new Ingest({
    databaseUrl: proxy.url,
    log,
    clock: house.clock,
    figures: new MeterFigures('lost'),
    fastestLink: 2e9,
    committed: () => {},
  })
  const sim = await house.newSim()
  await ingest.addAll([readingOf(house, sim, { acct_session_id: 'before' })])
  proxy.freezeAtError()
  const answer = new Promise((resolve) => ingest.add(readingOf(house, sim, { acct_session_id: 'bad', ip: 'no address' }), resolve))
  await expect.poll(proxy.isFrozen).toBe(true)
  proxy.thaw()
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'masthead meter'`.execute(
    house.db
  )
  expect(await answer).toBe(true)
  expect(await house.db.selectFrom('quarantine').select('acct_session_id').execute()).toEqual([{ acct_session_id: 'bad' }])
  await ingest.stop()
  proxy.close()
})

test('where the database has room for one connection only, everything is counted through that', async () => {
  await using house = await openMeteredHouse({ meter: false })
  const sims = await Promise.all([1, 2, 3, 4].map(() => house.newSim()))
  const proxy = await openProxy(house.databaseUrl, { most: 1 })
  const warnings: unknown[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const ingest = new Ingest({
    databaseUrl: proxy.url,
    log,
    clock: house.clock,
    figures: new MeterFigures('one'),
    fastestLink: 2e9,
    committed: () => {},
  })
  const answers: boolean[] = []
  for (let round = 1; round <= 30; round++)
    for (const [s, sim] of sims.entries()) {
      const counters = { session_time: 60 * round, counter_up: 100 * round, counter_down: round }
      ingest.add(readingOf(house, sim, { acct_session_id: `s${s}`, ...counters }), (isStored) => answers.push(isStored))
      await pause(1)
    }
  await expect.poll(() => answers, { timeout: 10_000 }).toEqual(Array.from({ length: 120 }, () => true))
  expect(warnings).toHaveLength(1) // not one for each try
  const counters = await house.db.selectFrom('sim_counter').select('bytes_up').execute()
  expect(counters).toEqual(sims.map(() => ({ bytes_up: 3000 })))
  await ingest.stop()
  proxy.close()
})

test('an error without a code is the connection, or a mistake of ours', () => {
  expect(faultOf(new Error('Connection terminated unexpectedly'))).toBe('away')
  expect(faultOf(new TypeError('x is undefined'))).toBe('poison')
})
