import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { retryReport } from '@masthead/contract/reports/operations'
import type { Person } from '@masthead/testkit/house'
import { sheetOf } from './report-sheets.ts'
import { inScene, type Scene } from '../test-report.ts'

let { house, owner, north, pump, meter } = {} as Scene
const { made, ask, get, makeAll } = inScene((scene) => ({ house, owner, north, pump, meter } = scene))
const dayBefore = (days: number) => new Date(house.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10)
const today = () => dayBefore(0)

// First, because what the others read is counted some time later.
test('records are read once, however many SIMs and parts they are of', async () => {
  const at = house.clock.now()
  await sql`insert into usage_record (account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
    select ${owner.account_id}, 'sim_' || n % 500, 'ses_1', ${at}, ${at}, n, 1, '262-01', 'LTE' from generate_series(1, 30000) n`.execute(
    house.db
  )
  await sql`insert into usage_day (account_id, sim_id, day, mccmnc, rat, bytes_up, bytes_down)
    select ${owner.account_id}, 'sim_' || n, ${today()}, '262-01', 'LTE', 1, 1 from generate_series(0, 499) n`.execute(house.db)
  const { rows: all } = await sql<{ stored: number }>`select count(*)::int as stored from usage_record`.execute(house.db)
  const { stored } = all[0]!
  const filter = { tags: [], network_groups: [], q: null }
  const actor = { account_id: owner.account_id, tags: [], permissions: 'all' } as never
  const { found, read } = await house.db.connection().execute(async (one) => {
    const readUntilNow = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(one)
      const { rows } = await sql<{ read: number }>`select sum(seq_tup_read)::int as read
        from pg_stat_user_tables where relname ~ '^usage_record_\\d+$'`.execute(one)
      return rows[0]!.read
    }
    const before = await readUntilNow()
    const sheet = await sheetOf(one, 'records', { actor, filter, start: new Date(at.getTime() - 1000), end: new Date(at.getTime() + 1000) })
    let found = 0
    for await (const part of sheet.rows) found += part.length
    return { found, read: (await readUntilNow()) - before }
  })
  expect(found).toBe(30_000)
  // Some are read again until it is known how many blocks fill a part.
  expect(read).toBeGreaterThanOrEqual(stored)
  expect(read).toBeLessThan(2 * stored)
})

test('records: each once, also of a SIM with more than are read at once', async () => {
  const at = house.clock.now().toISOString()
  await sql`insert into usage_record (account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
    select ${owner.account_id}, ${pump.sim_id}, 'ses_1', ${at}::timestamptz - n * interval '1 microsecond', ${at}, n, 1, '262-01', 'LTE'
    from generate_series(1, 12000) n`.execute(house.db)
  await sql`insert into usage_record (account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
    values (${owner.account_id}, ${meter.sim_id}, 'ses_2', ${at}, ${at}, 5, 1, '262-01', 'LTE')`.execute(house.db)
  const { rows, report } = await made(owner, { kind: 'records', format: 'csv', start: dayBefore(9), end: dayBefore(8) }).then(() =>
    made(owner, { kind: 'records', start: today(), end: today() })
  )
  expect(report.rows).toBe(12_001)
  expect(new Set(rows.filter((row) => row.iccid === pump.iccid).map((row) => row.bytes_up)).size).toBe(12_000)
  expect(rows.find((row) => row.iccid === meter.iccid)).toMatchObject({
    session_id: 'ses_2',
    bytes_up: '5',
    mccmnc: '262-01',
    rat: 'LTE',
  })
})

test('records of the chosen assets alone, as who asked sees them; those of removed SIMs with the whole', async () => {
  const at = house.clock.now().toISOString()
  const put = (account_id: string, sim_id: string, count: number) =>
    sql`insert into usage_record (account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
      select ${account_id}, ${sim_id}, 'ses_1', ${at}::timestamptz - n * interval '1 second', ${at}, n, 1, '262-01', 'LTE'
      from generate_series(1, ${count}::int) n`.execute(house.db)
  const other = await house.newOwner()
  await put(owner.account_id, meter.sim_id, 2)
  await put(other.account_id, 'sim_theirs', 4000)
  await put(owner.account_id, pump.sim_id, 3)
  await put(owner.account_id, 'sim_gone', 1)
  const of = async (person: Person, more: object = {}) => {
    const { rows } = await made(person, { kind: 'records', start: dayBefore(1), end: today(), ...more })
    return rows.map(({ asset_name, iccid, tags, bytes_up }) => `${asset_name} ${iccid} ${tags} ${bytes_up}`).toSorted()
  }
  const ofPump = [1, 2, 3].map((n) => `'=pump ${pump.iccid} north ${n}`)
  expect(await of(owner, { tags: ['north'] })).toEqual(ofPump)
  expect(await of(await house.newMember(owner, ['reports.view', 'reports.edit', 'usage.view', 'assets.view'], [north]))).toEqual(ofPump)
  expect(await of(owner)).toEqual([...ofPump, 'Removed SIM   1', `meter ${meter.iccid}  1`, `meter ${meter.iccid}  2`].toSorted())
})

test('a day that is dropped while it is read fails the report in words, and a new one is of the days that are kept', async () => {
  const [gone, kept] = [dayBefore(9), dayBefore(8)]
  await sql`select ensure_usage_partitions(${gone}::date, ${kept}::date)`.execute(house.db)
  for (const [day, records] of [
    [gone, 6000],
    [kept, 1],
  ] as const)
    await sql`insert into usage_record (account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
      select ${owner.account_id}, ${pump.sim_id}, 'ses_1', ${`${day}T12:00:00Z`}, ${`${day}T12:00:00Z`}, n, 1, '262-01', 'LTE'
      from generate_series(1, ${records}::int) n`.execute(house.db)
  const { put } = house.app.blobs
  house.app.blobs.put = (key, bytes, ...more) => {
    async function* dropping() {
      let isFirst = true
      for await (const chunk of bytes) {
        yield chunk
        if (isFirst) await sql`drop table ${sql.id(`usage_record_${gone.replaceAll('-', '')}`)}`.execute(house.db)
        isFirst = false
      }
    }
    return put(key, dropping(), ...more)
  }
  const report = await ask(owner, { kind: 'records', start: gone, end: kept })
  await makeAll()
  house.app.blobs.put = put
  const { state, failure } = await get(owner, report)
  expect([state, failure]).toEqual(['failed', expect.stringContaining('were deleted while it was made')])
  await owner.call(retryReport, { params: { report_id: report.id } })
  await makeAll()
  expect(await get(owner, report)).toMatchObject({ state: 'complete', rows: 1 })
})
