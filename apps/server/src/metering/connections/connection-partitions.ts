import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import type { App, WriteDb } from '../../kernel/app.ts'
import { inTransaction } from '../../kernel/database/open-database.ts'

const day = 86_400_000

/** Makes the partitions of connection events of yesterday to three days ahead. */
export async function ensureConnectionPartitions(db: WriteDb, now: Date): Promise<void> {
  const [first, last] = [dayOf(now.getTime() - day), dayOf(now.getTime() + 3 * day)]
  await inTransaction(db, (tx) => sql`select ensure_connection_partitions(${first}::date, ${last}::date)`.execute(tx))
}

/** Makes the partitions that events of these times want: a feed may bring what is some days old. */
export async function ensureDaysOfEvents(db: WriteDb, times: readonly number[]): Promise<void> {
  const days = [...new Set(times.map(dayOf))]
  await inTransaction(db, (tx) =>
    sql`select ensure_connection_partitions(day, day) from unnest(${days}::date[]) as k(day) order by day`.execute(tx)
  )
}

/** Drops the partitions of connection events older than `days`. One that somebody reads just then stays until the next night. */
export async function dropConnectionEvents({ db }: Pick<App, 'db'>, now: Date, days: number): Promise<void> {
  const before = `connection_event_${dayOf(now.getTime() - days * day).replaceAll('-', '')}`
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind = 'r' and relnamespace = (select relnamespace from pg_class where oid = 'connection_event'::regclass)
      and relname ~ '^connection_event_\\d{8}$' and relname < ${before} order by relname`.execute(db)
  for (const { name } of rows)
    await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '2s'`.execute(tx)
      await sql`drop table ${sql.id(name)}`.execute(tx)
    })
}
