import { sql, type RawBuilder } from 'kysely'
import type { App, Tx } from '../../kernel/app.ts'
import { repeat } from '../../kernel/jobs/repeat.ts'
import { floorTo } from '../usage-period.ts'

const mostRecords = 20_000 // in one transaction
const leastClosed = 500 // hours of SIMs that a step may close, however few records it took
const closesAfter = 5 * 60_000 // ms from the end of an hour; most late reports have come by then
const sayIdleEvery = 5000
const wasWrong = 86_400_000 // ms that the clock was ahead: nothing is complete until a time that has not come
/** A bigint holds no more, as a number that JavaScript has. */
const mostBytes = 2 ** 63 - 1024

const lockName = sql`hashtext('masthead.roll_up')`

/** Waits until nobody else rolls up, and keeps others from it until the transaction ends. */
export const lockRollUps = (tx: Tx) => sql`select pg_advisory_xact_lock(${lockName})`.execute(tx)

/** Adds what the meter has recorded to the open hours, and closes those that are over, about every second, until stopped. */
export function startRollUp(app: App): { stop: () => Promise<void> } {
  const marks = new RollUpMarks()
  return repeat(app, 'rolling up', () => rollUp(app, marks))
}

/** When the transactions were all ended that a moment before had begun: from then on that moment is complete. */
export class RollUpMarks {
  #mark: { xmax: bigint; at: Date } | undefined

  /** Transactions are numbered anew. */
  forget() {
    this.#mark = undefined
  }

  /** The moment up to which everything below `xmin` is everything there is, or null while that is not known. */
  completeAt({ xmin, xmax, at }: { xmin: bigint; xmax: bigint; at: Date }): Date | null {
    const complete = xmin === xmax ? at : this.#mark && xmin >= this.#mark.xmax ? this.#mark.at : null
    if (!this.#mark || complete) this.#mark = { xmax, at }
    return complete
  }
}

/**
 * One step: takes the records of whole transactions, in the order of their numbers, so that each is taken exactly once.
 * True when there is more to do at once.
 */
export async function rollUp(app: App, marks = new RollUpMarks()): Promise<boolean> {
  const at = app.clock.now() // before the snapshot: what was answered until now is in it
  return app.db.transaction().execute(async (tx) => {
    // First the lock, then the snapshot: whoever had it before us must have committed what we read.
    const { rows: locks } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${lockName}) as locked`.execute(tx)
    if (!locks[0]!.locked) return false
    const { rows } = await sql<Progress>`with s as materialized (select pg_current_snapshot() as now)
      select p.xid::text as from, p.complete_until, pg_snapshot_xmax(s.now)::text as xmax, ${endedBelow(sql`s.now`)}::text as xmin
      from s left join rollup_progress p on p.name = 'usage'`.execute(tx)
    const { from, complete_until, xmin, xmax } = rows[0]!
    if (from !== null && BigInt(from) > BigInt(xmax)) {
      marks.forget()
      return adopt(tx, from)
    }
    const until = await endOfStep(tx, from ?? '0', xmin)
    const complete = until.last ? marks.completeAt({ xmin: BigInt(xmin), xmax: BigInt(xmax), at }) : null
    const took = until.records ? await addRecords(tx, sql`xid >= ${from ?? '0'}::xid8 and xid < ${until.xid}::xid8`) : 0
    // As many as may have come, and so never fewer than must go, but not all of an hour at once.
    await closeHours(tx, floorTo('hour', new Date(at.getTime() - closesAfter)), Math.max(leastClosed, took))
    // An idle installation does not write every second.
    const ahead = complete_until ? complete_until.getTime() - at.getTime() : 0
    if (!took && complete_until && ahead <= wasWrong && ahead > -sayIdleEvery) return false
    await sql`insert into rollup_progress as p (name, xid, complete_until) values ('usage', ${until.xid}::xid8, ${complete ?? new Date(0)})
      on conflict (name) do update set xid = excluded.xid,
        complete_until = case when ${ahead > wasWrong} then excluded.complete_until else greatest(p.complete_until, excluded.complete_until) end`.execute(
      tx
    )
    return !until.last
  })
}

/** The transaction below which all of a snapshot had ended that may write here: one in another database of the cluster, however long, does not. */
export const endedBelow = (
  snapshot: RawBuilder<unknown>
) => sql<string>`coalesce((select running from pg_snapshot_xip(${snapshot}) as running
  where not exists (select from pg_stat_activity a where a.backend_xid = running::xid and a.datname <> current_database())
  order by running limit 1), pg_snapshot_xmax(${snapshot}))`

type Progress = { from: string | null; complete_until: Date | null; xmin: string; xmax: string }

/** Where a step ends: before `xid`. It has about `mostRecords` records at most, but at least one transaction; `last`: nothing is left after it. */
async function endOfStep(tx: Tx, from: string, xmin: string): Promise<{ xid: string; records: boolean; last: boolean }> {
  const nth = (after: ReturnType<typeof sql>, offset: number) =>
    sql<{
      xid: string
    }>`select xid::text as xid from usage_record where ${after} and xid < ${xmin}::xid8 order by xid offset ${offset} limit 1`
      .execute(tx)
      .then(({ rows }) => rows[0]?.xid)
  const first = await nth(sql`xid >= ${from}::xid8`, 0)
  if (first === undefined) return { xid: xmin, records: false, last: true }
  const bound = await nth(sql`xid >= ${from}::xid8`, mostRecords)
  // The first transaction alone may have more records than that. It stays whole.
  const end = bound === first ? await nth(sql`xid > ${first}::xid8`, 0) : bound
  return { xid: end ?? xmin, records: true, last: end === undefined }
}

/** A report of a day that is over comes with the next one of its session: within an hour it is none that anybody waits for. */
const isLate = sql<boolean>`received_at > date_trunc('day', event_at, 'UTC') + interval '25 hours'`

/** Adds the records that `which` chooses to the open hours and the accounts' hours, in the order of their keys. How many hours of SIMs they were. */
async function addRecords(tx: Tx, which: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: number }>`with hours as materialized (
      select account_id, sim_id, date_trunc('hour', event_at, 'UTC') as hour, mccmnc, rat, sum(bytes_up)::bigint as up, sum(bytes_down)::bigint as down,
        sum(bytes_up::numeric + bytes_down) filter (where ${isLate}) as late, max(received_at) filter (where ${isLate}) as late_at
      from usage_record where ${which} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    ), by_sim as (
      insert into usage_open_hour as u (account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
      select account_id, sim_id, hour, mccmnc, rat, up, down from hours
      on conflict (account_id, sim_id, hour, mccmnc, rat) ${added}
    ), by_account as (
      insert into account_usage_hour as u (account_id, hour, mccmnc, rat, bytes_up, bytes_down)
      select account_id, hour, mccmnc, rat, sum(up), sum(down) from hours group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (account_id, hour, mccmnc, rat) ${added}
    ), told_late as (
      insert into usage_late as u (account_id, day, sim_id, bytes, last_at)
      select account_id, (hour at time zone 'UTC')::date, sim_id, least(sum(late), ${mostBytes}), max(late_at) from hours where late > 0 group by 1, 2, 3 order by 1, 2, 3
      on conflict (account_id, day, sim_id) do update set bytes = least(u.bytes::numeric + excluded.bytes, ${mostBytes}), last_at = greatest(u.last_at, excluded.last_at)
    )
    select count(*) as count from hours`.execute(tx)
  return rows[0]!.count
}

/** Moves open hours before a time into the hours, days and months of SIMs: the oldest first, `most` of them, or all. */
export async function closeHours(tx: Tx, before: Date | RawBuilder<Date>, most: number | null = null): Promise<void> {
  await sql`with closed as (
      delete from usage_open_hour where ctid = any(array(
        select ctid from usage_open_hour where hour < ${before} order by hour limit ${most}))
      returning account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down
    ), by_hour as (
      insert into usage_hour as u (account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
      select * from closed order by 1, 2, 3, 4, 5
      on conflict (account_id, sim_id, hour, mccmnc, rat) ${added}
    ), by_day as (
      insert into usage_day as u (account_id, sim_id, day, mccmnc, rat, bytes_up, bytes_down)
      select account_id, sim_id, (hour at time zone 'UTC')::date, mccmnc, rat, sum(bytes_up), sum(bytes_down)
      from closed group by 1, 2, 3, 4, 5 order by 1, 3, 2, 4, 5
      on conflict (account_id, day, sim_id, mccmnc, rat) ${added}
    )
    insert into usage_month as u (account_id, sim_id, month, mccmnc, rat, bytes_up, bytes_down)
    select account_id, sim_id, date_trunc('month', hour at time zone 'UTC')::date, mccmnc, rat, sum(bytes_up), sum(bytes_down)
    from closed group by 1, 2, 3, 4, 5 order by 1, 3, 2, 4, 5
    on conflict (account_id, month, sim_id, mccmnc, rat) ${added}`.execute(tx)
}

/** Where the row of an `insert into … as u` is there already. */
export const added = sql`do update set bytes_up = u.bytes_up + excluded.bytes_up, bytes_down = u.bytes_down + excluded.bytes_down`

/**
 * A database restored from a dump numbers its transactions anew, and usage would be taken for rolled up already. When that has happened,
 * rolls up what was left and starts over with the new numbers. Before any meter runs; a dump restored meanwhile is noticed by the next step.
 */
export async function adoptRestoredRecords(db: App['db']): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockRollUps(tx)
    const { rows } = await sql<{ xid: string }>`select xid::text as xid from rollup_progress
      where name = 'usage' and xid > pg_snapshot_xmax(pg_current_snapshot())`.execute(tx)
    if (rows[0]) await adopt(tx, rows[0].xid)
  })
}

/** PostgreSQL's own number of the transaction that wrote a row, 32 bits of it, is the one that the row keeps: it may have been written here. */
const seemsWrittenHere = sql<boolean>`(xid::text::bigint & 4294967295) = xmin::text::bigint`
/** A transaction that wrote rows with other numbers is one of the restoration's, and a row with its number is so by chance. */
const isRestored = sql<boolean>`xmin::text in (select xmin::text from usage_record where not ${seemsWrittenHere})`

/** `progress` is from where on the old database had not rolled up. Afterwards restored records lie before all others. */
async function adopt(tx: Tx, progress: string): Promise<true> {
  await addRecords(tx, sql`xid >= ${progress}::xid8`)
  await sql`update usage_record set xid = '0' where ${isRestored}`.execute(tx)
  await sql`update rollup_progress set xid = '1' where name = 'usage'`.execute(tx)
  await sql`update usage_coverage set dropped_xid = null`.execute(tx)
  return true
}
