import { sql } from 'kysely'
import { dayOf } from '@masthead/contract/kernel/time'
import type { App, WriteDb } from '../../kernel/app.ts'
import { inTransaction } from '../../kernel/database/open-database.ts'

const day = 86_400_000
/** Days after which a partition of minutes goes, and one of hours: each is kept whole, so it holds more than is shown. */
const minuteDays = 8
const hourDays = 91

/** Makes the partitions for what devices measure, of the days that are kept to three days ahead. */
export async function ensureVitalsPartitions(db: WriteDb, now: Date): Promise<void> {
  const [first, last] = [dayOf(now.getTime() - minuteDays * day), dayOf(now.getTime() + 3 * day)]
  await inTransaction(db, (tx) => sql`select ensure_device_partitions(${first}::date, ${last}::date)`.execute(tx))
}

/** Drops what is older than is kept. A partition that somebody reads just then stays until the next night. */
export async function dropOldVitals({ db }: Pick<App, 'db'>, now: Date): Promise<void> {
  const written = (days: number) => dayOf(now.getTime() - days * day).replaceAll('-', '')
  await dropBefore(db, 'device_minute', written(minuteDays))
  await dropBefore(db, 'device_hour', written(hourDays).slice(0, 6))
}

async function dropBefore(db: App['db'], table: string, before: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c join pg_inherits i on i.inhrelid = c.oid
    where i.inhparent = ${table}::regclass and c.relname < ${`${table}_${before}`} order by 1`.execute(db)
  for (const { name } of rows)
    await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '2s'`.execute(tx)
      await sql`drop table ${sql.id(name)}`.execute(tx)
    })
}
