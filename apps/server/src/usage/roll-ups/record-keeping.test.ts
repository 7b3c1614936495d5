import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMeteredHouse, packetOf, type MeteredHouse } from '../../metering/test-network.ts'
import { proveRollUps } from './rebuild-roll-ups.ts'
import { dropOldRecords, ensurePartitions } from './record-keeping.ts'
import { rollUp } from './roll-up.ts'

const day = 86_400_000

const partitionsOf = async ({ db }: Pick<MeteredHouse, 'db'>) => {
  const { rows } = await sql<{
    day: string
  }>`select right(c.relname, 8)::date as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_record'::regclass order by 1`.execute(db)
  return rows.map((row) => row.day)
}
const dayIn = (house: MeteredHouse, days: number) => dayOf(house.clock.now().getTime() + days * day)
const rolledUp = async (house: MeteredHouse, up: number) => {
  const counted = async () => (await house.db.selectFrom('account_usage_hour').select('bytes_up').execute()).map((row) => row.bytes_up)
  await expect.poll(async () => (await rollUp(house.app), counted()), { timeout: 20_000 }).toEqual([up])
}

/** Somebody who reads records for long: a transaction that is open until it is asked to end. */
async function openReader({ app }: MeteredHouse) {
  const reader = await app.pool.connect()
  await reader.query('begin')
  await reader.query('select count(*) from usage_record')
  return {
    end: async () => {
      await reader.query('commit')
      reader.release()
    },
  }
}

test('days ahead are made while somebody reads records and the meter writes them', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const reader = await openReader(house)
  await ensurePartitions(house.db, new Date(house.clock.now().getTime() + 2 * day))
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 100 }))
  await reader.end()
  expect(await partitionsOf(house)).toEqual(expect.arrayContaining([dayIn(house, 4), dayIn(house, 5)]))
  house.clock.advance({ days: 5 })
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 150 }))
  expect(await house.counter(sim)).toMatchObject({ lifetime_up: 150 })
})

test('two make the same days at once', async () => {
  await using house = await openMeteredHouse()
  const later = new Date(house.clock.now().getTime() + 20 * day)
  await Promise.all(Array.from({ length: 6 }, () => ensurePartitions(house.db, later)))
  expect((await partitionsOf(house)).filter((each) => each >= dayIn(house, 19))).toHaveLength(5)
})

test('old days are dropped while packets are counted, though a reader holds the drop up', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 100 }))
  await rolledUp(house, 100)
  const reader = await openReader(house)
  house.clock.advance({ days: 2 })
  let dropped = false
  const drop = dropOldRecords(house.app, house.clock.now(), 1).then(() => (dropped = true))
  // It waits for the reader; meanwhile packets of the same session are counted as ever.
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from pg_inherits where inhdetachpending`.execute(house.db)
      return rows[0]!.n
    })
    .toBe(1)
  for (let i = 1; i <= 5; i++) await house.client.account(packetOf(sim, 'interim', { time: 60 + i, up: 100 + i }))
  expect(dropped).toBe(false)
  await reader.end()
  await drop
  expect((await partitionsOf(house))[0]).toBe(dayIn(house, -1))
  expect(await house.counter(sim)).toMatchObject({ lifetime_up: 105 })
  expect(dayOf((await house.db.selectFrom('usage_coverage').selectAll().execute())[0]!.records_since)).toBe(dayIn(house, -1))
  expect(await proveRollUps(house.app, dayIn(house, -5), dayIn(house, 1))).toMatchObject({ wrong_days: 0, wrong_account_hours: 0 })
})

test('a proof of the roll-ups that comes while days are dropped knows what went with them', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const [from, to] = [dayIn(house, -1), dayIn(house, 1)]
  await sql`update usage_coverage set records_since = ${new Date(`${from}T00:00:00Z`)}`.execute(house.db)
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 100 }))
  await rolledUp(house, 100)
  const reader = await openReader(house)
  house.clock.advance({ days: 2 })
  const drop = dropOldRecords(house.app, house.clock.now(), 1)
  const count = async (what: ReturnType<typeof sql>) =>
    (await sql<{ n: number }>`select count(*) as n from ${what}`.execute(house.db)).rows[0]!.n
  await expect.poll(() => count(sql`pg_inherits where inhdetachpending`)).toBe(1)
  const proof = proveRollUps(house.app, from, to)
  await expect
    .poll(() => count(sql`pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'advisory' and datname = current_database()`))
    .toBe(1)
  await reader.end()
  await drop
  expect(await proof).toEqual({ since: null, wrong_hours: 0, wrong_days: 0, wrong_months: 0, wrong_account_hours: 0 })
})

test('records that are not in the roll-ups yet are not dropped', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 100 }))
  const today = dayIn(house, 0)
  house.clock.advance({ days: 2 })
  await dropOldRecords(house.app, house.clock.now(), 1)
  expect(await partitionsOf(house)).toContain(today)
  await rolledUp(house, 100)
  await dropOldRecords(house.app, house.clock.now(), 1)
  expect(await partitionsOf(house)).not.toContain(today)
})

test('a drop that was broken off is finished by the next', async () => {
  await using house = await openMeteredHouse()
  house.clock.advance({ days: 2 })
  const old = (await partitionsOf(house))[0]!
  const name = sql.id(`usage_record_${old.replaceAll('-', '')}`)
  const reader = await openReader(house)
  const broken = await house.app.pool.connect()
  await broken.query('set statement_timeout = 100')
  await expect(
    broken.query(`alter table usage_record detach partition usage_record_${old.replaceAll('-', '')} concurrently`)
  ).rejects.toThrow('timeout')
  broken.release(true)
  await reader.end()
  const left = sql.id('usage_record_20200101')
  await sql`create table ${left} (like usage_record including defaults)`.execute(house.db)
  await dropOldRecords(house.app, house.clock.now(), 1)
  const { rows } = await sql<{ gone: boolean }>`select to_regclass('usage_record_20200101') is null as gone`.execute(house.db)
  expect(rows[0]!.gone).toBe(true)
  await expect(sql`select from ${name}`.execute(house.db)).rejects.toThrow('does not exist')
})
