import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import type { App, Db, WriteDb } from '../../kernel/app.ts'
import { inTransaction } from '../../kernel/database/open-database.ts'

const day = 86_400_000
const aheadDays = 3

/** Makes the usage records' partitions of yesterday to three days ahead. Nobody who writes records waits for it. */
export async function ensurePartitions(db: WriteDb, now: Date): Promise<void> {
  const [first, last] = [dayOf(now.getTime() - day), dayOf(now.getTime() + aheadDays * day)]
  await inTransaction(db, (tx) => sql`select ensure_usage_partitions(${first}::date, ${last}::date)`.execute(tx))
}

/** From when on the records are complete: what was used before is in the roll-ups alone. */
export async function noteRecordsSince(db: WriteDb, at: Date): Promise<void> {
  const note = sql`insert into usage_coverage (records_since) values (${at})
    on conflict (single) do update set records_since = greatest(usage_coverage.records_since, excluded.records_since)`
  await inTransaction(db, (tx) => note.execute(tx))
}

/** The advisory lock of who drops records, against who counts them all. */
export const recordsLock = sql`hashtext('masthead.usage_records')`

/**
 * Drops the partitions of records older than `days`, but for those that are not in the roll-ups yet. A partition is detached while the
 * meter goes on writing: that waits for whoever reads records, and nobody waits for it. May be broken off and repeated.
 */
export async function dropOldRecords({ db }: Pick<App, 'db'>, now: Date, days: number): Promise<void> {
  await db.connection().execute(async (one) => {
    await sql`select pg_advisory_lock(${recordsLock})`.execute(one)
    try {
      for (const part of await partitionsBefore(one, dayOf(now.getTime() - days * day))) {
        const name = sql.id(part.name)
        const { rows } = await sql<{ left: boolean }>`select exists (select from ${name}
          where xid >= coalesce((select xid from rollup_progress where name = 'usage'), '0')) as left`.execute(one)
        if (rows[0]!.left) continue
        await noteRecordsSince(db, new Date(Date.parse(part.day) + day))
        await sql`update usage_coverage set dropped_xid = greatest(dropped_xid, (select max(xid) from ${name}))`.execute(one)
        if (part.attached)
          await sql`alter table usage_record detach partition ${name} ${part.pending ? sql`finalize` : sql`concurrently`}`.execute(one)
        await sql`drop table ${name}`.execute(one)
      }
    } finally {
      await sql`select pg_advisory_unlock(${recordsLock})`.execute(one)
    }
  })
}

/**
 * Does what may write records of days that are to be dropped: what was broken off of a drop is finished first, as no record finds its day
 * before that, and meanwhile none begins, which would take along what is not in the roll-ups yet.
 */
export async function betweenDrops<T>(app: Pick<App, 'db'>, now: Date, days: number, write: () => Promise<T>): Promise<T> {
  await dropOldRecords(app, now, days)
  return withoutDrops(app, write)
}

/** Does something while no records are dropped. */
export const withoutDrops = <T>({ db }: Pick<App, 'db'>, work: () => Promise<T>): Promise<T> =>
  db.connection().execute(async (one) => {
    await sql`select pg_advisory_lock_shared(${recordsLock})`.execute(one)
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock_shared(${recordsLock})`.execute(one)
    }
  })

/** `pending`: a drop of it was broken off. One that is not attached any more was about to go. */
type Partition = { name: string; day: string; attached: boolean; pending: boolean }

/** The partitions of the days before one: one that is pending, as PostgreSQL detaches no other before that, then the oldest first. */
async function partitionsBefore(db: Db, before: string): Promise<Partition[]> {
  const { rows } = await sql<Partition>`select c.relname as name, right(c.relname, 8)::date as day, i.inhrelid is not null as attached,
      coalesce(i.inhdetachpending, false) as pending
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = (select relnamespace from pg_class where oid = 'usage_record'::regclass)
      and c.relname ~ '^usage_record_\\d{8}$' and c.relname < 'usage_record_' || to_char(${before}::date, 'YYYYMMDD')
    order by 4 desc, 1`.execute(db)
  return rows
}
