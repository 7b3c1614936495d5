import { sql } from 'kysely'
import type { App } from '../kernel/app.ts'
import { addRecords, lockRollUps } from './roll-up.ts'

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
