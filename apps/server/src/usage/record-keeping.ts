import { sql } from 'kysely'
import type { App, Db } from '../kernel/app.ts'
import { addRecords, lockRollUps } from './roll-up.ts'

const day = 86_400_000

/** Makes the usage records' partitions of yesterday to three days ahead. */
export async function ensurePartitions(db: Db, now: Date): Promise<void> {
  const [first, last] = [new Date(now.getTime() - day), new Date(now.getTime() + 3 * day)]
  await sql`select ensure_usage_partitions(${first.toISOString().slice(0, 10)}::date, ${last.toISOString().slice(0, 10)}::date)`.execute(db)
}

/** Drops the partitions of records older than `days`. Gives up at once rather than hold up the meter: it is tried again. */
export async function dropOldRecords(db: Db, now: Date, days: number): Promise<void> {
  const before = new Date(now.getTime() - days * day).toISOString().slice(0, 10)
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '2s'`.execute(tx)
    await sql`select drop_usage_partitions(${before}::date)`.execute(tx)
  })
}

/**
 * Makes hours and days of `from` (inside) to `to` (outside), both `2026-11-01`, anew from the records.
 * Throws when the records of those days are no longer all kept.
 */
export async function rebuildRollUps({ db }: App, from: string, to: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockRollUps(tx)
    const { rows } = await sql<{ oldest: string | null }>`select min(substr(c.relname, 14)) as oldest
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage_record'::regclass`.execute(tx)
    const oldest = rows[0]?.oldest
    if (!oldest || from.replaceAll('-', '') < oldest) {
      throw new Error(`The usage records of ${from} are no longer all kept; hours and days before ${oldest ?? 'today'} stay as they are`)
    }
    const start = sql`${from}::timestamp at time zone 'UTC'`
    const end = sql`${to}::timestamp at time zone 'UTC'`
    await sql`delete from usage_hour where hour >= ${start} and hour < ${end}`.execute(tx)
    await sql`delete from usage_day where day >= ${from}::date and day < ${to}::date`.execute(tx)
    await sql`delete from account_usage_hour where hour >= ${start} and hour < ${end}`.execute(tx)
    const done = sql`(select xid from rollup_progress where name = 'usage')`
    await addRecords(tx, sql`event_at >= ${start} and event_at < ${end} and xid < ${done}`)
  })
}

/**
 * A database restored from a dump numbers its transactions anew, and usage would be taken for rolled up already. When that has happened,
 * rolls up what was left and starts over with the new numbers. Before any meter runs.
 */
export async function adoptRestoredRecords(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockRollUps(tx)
    const { rows } = await sql<{ xid: string }>`select xid::text as xid from rollup_progress
      where name = 'usage' and xid > pg_snapshot_xmax(pg_current_snapshot())`.execute(tx)
    const [restored] = rows
    if (!restored) return
    await addRecords(tx, sql`xid >= ${restored.xid}::xid8`)
    await sql`update usage_record set xid = '0'`.execute(tx)
    await sql`update rollup_progress set xid = pg_current_xact_id() where name = 'usage'`.execute(tx)
  })
}
