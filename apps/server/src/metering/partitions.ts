import { sql } from 'kysely'
import type { Db } from '../kernel/app.ts'

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
