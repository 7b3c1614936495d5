import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { RollUpMarks, adoptRestoredRecords, rollUp } from './roll-up.ts'
import { type MeteredHouse, openMeteredHouse, packetOf } from '../../metering/test-network.ts'

const sums = async ({ db }: MeteredHouse) => {
  const of = async (...tables: string[]) => {
    const each = tables.map((table) => sql`select bytes_up, bytes_down from ${sql.table(table)}`)
    const { rows } = await sql<{
      up: number
      down: number
    }>`select coalesce(sum(bytes_up), 0)::bigint as up, coalesce(sum(bytes_down), 0)::bigint as down
      from (${sql.join(each, sql` union all `)}) u`.execute(db)
    return rows[0]
  }
  return {
    records: await of('usage_record'),
    hours: await of('usage_hour', 'usage_open_hour'),
    days: await of('usage_day', 'usage_open_hour'),
    months: await of('usage_month', 'usage_open_hour'),
    account: await of('account_usage_hour'),
  }
}

/** Rolls up until nothing is missing: another transaction of the meter may just be under way. */
const expectRolledUp = (house: MeteredHouse, sum: { up: number; down: number }) =>
  expect
    .poll(async () => (await rollUp(house.app), sums(house)), { timeout: 20_000 })
    .toEqual({ records: sum, hours: sum, days: sum, months: sum, account: sum })

test('hours, days, months and the account come to what was recorded, each record exactly once', async () => {
  await using house = await openMeteredHouse()
  const sims = [await house.newSim(), await house.newSim()]
  const noon = Math.floor(house.clock.now().getTime() / 3_600_000) * 3600 - 86_400
  const report = (time: number, up: number) =>
    Promise.all(
      sims.map((sim, i) =>
        house.client.account(
          packetOf(sim, 'interim', { id: `s${i}`, time, up, down: up * 2, at: noon + time, sgsn_mccmnc: '20404', rat_type: 6 })
        )
      )
    )
  await report(600, 100)
  await expectRolledUp(house, { up: 200, down: 400 })
  await rollUp(house.app)
  await report(3000, 150)
  await report(4000, 170)
  await Promise.all([rollUp(house.app), rollUp(house.app)]) // only one of two workers does it
  await expectRolledUp(house, { up: 340, down: 680 })
  const hours = await house.db.selectFrom('usage_hour').selectAll().where('sim_id', '=', sims[0]!.id).orderBy('hour').execute()
  expect(hours.map((each) => [each.hour.getTime() / 1000 - noon, each.bytes_up, each.mccmnc, each.rat])).toEqual([
    [0, 150, '204-04', 'EUTRAN'],
    [3600, 20, '204-04', 'EUTRAN'],
  ])
})

test('what is reported of an hour is open until the hour is over, and late reports follow it; no byte is missing or there twice at any time', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const begun = house.clock.now()
  const hour = Math.floor(begun.getTime() / 3_600_000) * 3600
  const report = (time: number, up: number) => house.client.account(packetOf(sim, 'interim', { time, up, down: 0, at: hour + time }))
  const rowsOf = async () => {
    const count = async (table: 'usage_open_hour' | 'usage_hour' | 'usage_day' | 'usage_month') =>
      (await house.db.selectFrom(table).select('bytes_up').execute()).map((row) => row.bytes_up)
    return {
      open: await count('usage_open_hour'),
      closed: await count('usage_hour'),
      days: await count('usage_day'),
      months: await count('usage_month'),
    }
  }
  await report(1, 100)
  await expectRolledUp(house, { up: 100, down: 0 })
  expect(await rowsOf()).toEqual({ open: [100], closed: [], days: [], months: [] })
  // Five minutes after the end of the hour, not before.
  house.clock.advance({ minutes: 60 + 4 - begun.getUTCMinutes() })
  await rollUp(house.app)
  expect(await rowsOf()).toEqual({ open: [100], closed: [], days: [], months: [] })
  house.clock.advance({ minutes: 1 })
  await rollUp(house.app)
  const closed = { open: [], closed: [100], days: [100], months: [100] }
  expect(await rowsOf()).toEqual(closed)
  await rollUp(house.app)
  expect(await rowsOf()).toEqual(closed)
  await report(2, 130)
  await expectRolledUp(house, { up: 130, down: 0 })
  expect(await rowsOf()).toEqual({ open: [], closed: [130], days: [130], months: [130] })
})

test('what is reported of a day that is over is kept as late, once, of each SIM; what is reported in time is not', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const now = Math.floor(house.clock.now().getTime() / 1000)
  const report = (time: number, up: number, at: number) => house.client.account(packetOf(sim, 'interim', { time, up, down: 0, at }))
  await report(60, 100, now - 3 * 86_400)
  await report(120, 150, now - 3 * 86_400 + 60)
  await expectRolledUp(house, { up: 150, down: 0 })
  await report(180, 170, now)
  await expectRolledUp(house, { up: 170, down: 0 })
  const day = new Date((now - 3 * 86_400) * 1000).toISOString().slice(0, 10)
  const late = await house.db.selectFrom('usage_late').selectAll().execute()
  expect(late).toMatchObject([{ sim_id: sim.id, day, bytes: 150 }])
})

test('many hours are closed a part at a time', async () => {
  await using house = await openMeteredHouse()
  const ids = Array.from({ length: 1200 }, (_, i) => `sim_${String(i).padStart(26, '0')}`)
  await sql`insert into usage_open_hour select ${house.owner.account_id}, id, now() - interval '3 hours', '262-01', 'LTE', 1, 2
    from unnest(${ids}::text[]) id`.execute(house.db)
  const left = async () => (await house.db.selectFrom('usage_open_hour').select('sim_id').execute()).length
  await rollUp(house.app)
  expect(await left()).toBe(700)
  await rollUp(house.app)
  await rollUp(house.app)
  expect(await left()).toBe(0)
  const whole = { up: 1200, down: 2400 }
  expect(await sums(house)).toMatchObject({ hours: whole, days: whole, months: whole })
})

test('what a transaction in flight records is not lost to those that overtake it', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const slow = await house.app.pool.connect()
  await slow.query('begin')
  await slow.query(`insert into usage_record values ($1, $2, 'ses_slow', now(), now(), 7, 0, '', '')`, [house.owner.account_id, sim.id])
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 100 }))
  await rollUp(house.app)
  expect((await sums(house)).hours).toEqual({ up: 0, down: 0 })
  await slow.query('commit')
  slow.release()
  await expectRolledUp(house, { up: 107, down: 0 })
})

test('the figures are complete up to a moment only when everything begun before it has ended', () => {
  const marks = new RollUpMarks()
  const [one, two, three] = [new Date(1000), new Date(2000), new Date(3000)]
  expect(marks.completeAt({ xmin: 10n, xmax: 10n, at: one })).toBe(one)
  expect(marks.completeAt({ xmin: 10n, xmax: 20n, at: two })).toBe(one)
  expect(marks.completeAt({ xmin: 15n, xmax: 30n, at: three })).toBe(null)
  expect(marks.completeAt({ xmin: 20n, xmax: 40n, at: new Date(4000) })).toBe(two)
})

/** A SIM with 100 bytes in a database as a dump leaves it: the numbers in it are far ahead of its transactions. */
async function restoredSim(house: MeteredHouse) {
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 100 }))
  await expectRolledUp(house, { up: 100, down: 0 })
  await sql`update usage_record set xid = '4000000000'`.execute(house.db)
  await sql`update rollup_progress set xid = '4000000001'`.execute(house.db)
  return sim
}

test('a database restored from a dump goes on where it was, though its transactions are numbered anew', async () => {
  await using house = await openMeteredHouse()
  const sim = await restoredSim(house)
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 130 }))
  await sql`update usage_record set xid = '4000000002' where xid < '4000000000'`.execute(house.db) // dumped, but not rolled up
  await adoptRestoredRecords(house.db)
  await adoptRestoredRecords(house.db)
  await expectRolledUp(house, { up: 130, down: 0 })
  await house.client.account(packetOf(sim, 'interim', { time: 180, up: 150 }))
  await expectRolledUp(house, { up: 150, down: 0 })
})

test('a dump restored while all of it runs is noticed by the next step, and what came since is rolled up too', async () => {
  await using house = await openMeteredHouse()
  const sim = await restoredSim(house)
  // One of them has, by chance, the number of the transaction that restored it.
  await sql`insert into usage_record (xid, account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
    select n, account_id, sim_id, session_id, event_at, received_at, 0, 1000000, mccmnc, rat
    from (select * from usage_record limit 1) r, (values (pg_current_xact_id()), ('4000000000'::xid8)) v(n)`.execute(house.db)
  // A meter that found the database again by itself.
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 130 }))
  await sql`update usage_record set xid = '4000000002' where bytes_up = 30`.execute(house.db)
  await house.client.account(packetOf(sim, 'interim', { time: 180, up: 150 }))
  while (await rollUp(house.app));
  await sql`delete from usage_record where bytes_down > 0`.execute(house.db)
  await expectRolledUp(house, { up: 150, down: 0 })
  const { rows } = await sql`select xid from rollup_progress where xid > '3000000000'`.execute(house.db)
  expect(rows).toEqual([])
  await house.client.account(packetOf(sim, 'interim', { time: 240, up: 170 }))
  await expectRolledUp(house, { up: 170, down: 0 })
})
