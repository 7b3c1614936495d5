import { sql } from 'kysely'
import type { App, Db } from '../../kernel/app.ts'
import { recordsLock, withoutDrops } from './record-keeping.ts'
import { closeHours, lockRollUps } from './roll-up.ts'

/** What a rebuild or a proof covered: the hours from `since`, the first whose records are all kept; null: of none they are. */
type Covered = { since: Date | null }

/** How many rows of the roll-ups are not what they should be. */
export type RollUpProof = Covered & { wrong_hours: number; wrong_days: number; wrong_months: number; wrong_account_hours: number }

type Days = { from: string; to: string }

const startOf = (day: string) => sql<Date>`${day}::timestamp at time zone 'UTC'`

/**
 * The first hour of these days whose records are all kept. A record arrives up to five minutes before what it reports, by a gateway's
 * clock (reading.ts), so the first hour of the first day kept may lack some.
 */
async function firstCovered(tx: Db, { from, to }: Days): Promise<Date | null> {
  const { rows } = await sql<{ since: Date; some: boolean }>`select since, since < ${startOf(to)} as some
    from (select greatest(${startOf(from)}, max(date_trunc('hour', records_since + interval '64 minutes 59.999 seconds', 'UTC'))) as since
      from usage_coverage) c`.execute(tx)
  const { since, some } = rows[0]!
  return some ? since : null
}

/** Of the records of these hours, and of what staff corrected in them: what the roll-ups of them should be. */
const hoursOf = (since: Date, to: string) => sql`select account_id, sim_id, hour, mccmnc, rat,
    sum(bytes_up)::bigint as bytes_up, sum(bytes_down)::bigint as bytes_down
  from (
    select account_id, sim_id, date_trunc('hour', event_at, 'UTC') as hour, mccmnc, rat, bytes_up, bytes_down
    from usage_record where event_at >= ${since} and event_at < ${startOf(to)} and received_at >= ${since}::timestamptz - interval '5 minutes'
      and xid < (select xid from rollup_progress where name = 'usage')
    union all
    select account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down
    from usage_correction_part where hour >= ${since} and hour < ${startOf(to)}
  ) r group by 1, 2, 3, 4, 5`

const daysOf = (
  from: ReturnType<typeof sql>,
  to: string
) => sql`select account_id, sim_id, (hour at time zone 'UTC')::date as day, mccmnc, rat,
    sum(bytes_up)::bigint as bytes_up, sum(bytes_down)::bigint as bytes_down
  from usage_hour where hour >= ${from} and hour < ${startOf(to)} group by 1, 2, 3, 4, 5`

/** The whole months that hold these days. */
const monthsOf = (
  from: ReturnType<typeof sql>,
  to: string
) => sql`select account_id, sim_id, date_trunc('month', day::timestamp)::date as month,
    mccmnc, rat, sum(bytes_up)::bigint as bytes_up, sum(bytes_down)::bigint as bytes_down
  from usage_day where day >= ${firstOfMonth(from)} and day < (${firstOfMonth(sql`${to}::date - 1`)} + interval '1 month') group by 1, 2, 3, 4, 5`

const monthsKept = (from: ReturnType<typeof sql>, to: string) => sql`month >= ${firstOfMonth(from)} and month < ${to}::date`
const firstOfMonth = (day: ReturnType<typeof sql>) => sql`date_trunc('month', (${day})::timestamp)::date`

const accountHoursOf = (from: ReturnType<typeof sql>, to: string) => sql`select account_id, hour, mccmnc, rat,
    sum(bytes_up)::bigint as bytes_up, sum(bytes_down)::bigint as bytes_down
  from (${hourRows(from, to)}) h group by 1, 2, 3, 4`

/** Open or not. */
const hourRows = (from: ReturnType<typeof sql>, to: string) =>
  sql.join(
    [sql`usage_hour`, sql`usage_open_hour`].map((table) => sql`select * from ${table} where hour >= ${from} and hour < ${startOf(to)}`),
    sql` union all `
  )

/**
 * Counts the hours of `from` (inside) to `to` (outside), both `2026-11-01` in UTC, anew from the records and corrections, days and the accounts' hours from
 * the hours, months from the days. Hours whose records are no longer all kept stay as they are.
 */
export async function rebuildRollUps({ db }: Pick<App, 'db'>, from: string, to: string): Promise<Covered> {
  const days = { from, to }
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${recordsLock})`.execute(tx)
    await lockRollUps(tx)
    const since = await firstCovered(tx, days)
    if (!since) return { since }
    const end = startOf(days.to)
    await closeHours(tx, end)
    const firstDay = sql`date_trunc('day', ${since}::timestamptz, 'UTC')`
    await sql`delete from usage_hour where hour >= ${since} and hour < ${end}`.execute(tx)
    await sql`insert into usage_hour ${hoursOf(since, days.to)}`.execute(tx)
    await sql`delete from usage_day where day >= (${since}::timestamptz at time zone 'UTC')::date and day < ${days.to}::date`.execute(tx)
    await sql`insert into usage_day ${daysOf(firstDay, days.to)}`.execute(tx)
    const firstKept = sql`${since}::timestamptz at time zone 'UTC'`
    await sql`delete from usage_month where ${monthsKept(firstKept, days.to)}`.execute(tx)
    await sql`insert into usage_month ${monthsOf(firstKept, days.to)}`.execute(tx)
    await sql`delete from account_usage_hour where hour >= ${since} and hour < ${end}`.execute(tx)
    await sql`insert into account_usage_hour ${accountHoursOf(sql`${since}::timestamptz`, days.to)}`.execute(tx)
    return { since }
  })
}

/**
 * Whether the hours of these days, open or closed, are the sums of their records and corrections, as far as records are kept, the accounts' hours the sums of
 * the hours, days of the closed hours, and months of the days.
 */
export async function proveRollUps({ db }: Pick<App, 'db'>, from: string, to: string): Promise<RollUpProof> {
  const days = { from, to }
  const prove = async (tx: Db): Promise<RollUpProof> => {
    const since = await firstCovered(tx, days)
    const [start, end] = [startOf(days.from), startOf(days.to)]
    const dayRows = sql`select * from usage_day where day >= ${days.from}::date and day < ${days.to}::date`
    const accountRows = sql`select * from account_usage_hour where hour >= ${start} and hour < ${end}`
    return {
      since,
      wrong_hours: since
        ? await countUnequal(tx, ['account_id', 'sim_id', 'hour', 'mccmnc', 'rat'], {
            kept: sql`select account_id, sim_id, hour, mccmnc, rat, sum(bytes_up) as bytes_up, sum(bytes_down) as bytes_down
              from (${hourRows(sql`${since}::timestamptz`, days.to)}) h group by 1, 2, 3, 4, 5`,
            right: hoursOf(since, days.to),
          })
        : 0,
      wrong_days: await countUnequal(tx, ['account_id', 'sim_id', 'day', 'mccmnc', 'rat'], {
        kept: dayRows,
        right: daysOf(start, days.to),
      }),
      wrong_months: await countUnequal(tx, ['account_id', 'sim_id', 'month', 'mccmnc', 'rat'], {
        kept: sql`select * from usage_month where ${monthsKept(sql`${days.from}::date`, days.to)}`,
        right: monthsOf(sql`${days.from}::date`, days.to),
      }),
      wrong_account_hours: await countUnequal(tx, ['account_id', 'hour', 'mccmnc', 'rat'], {
        kept: accountRows,
        right: accountHoursOf(start, days.to),
      }),
    }
  }
  // Locked before the moment is chosen: what a drop has just taken is then known as taken.
  return withoutDrops({ db }, () => db.snapshot(prove))
}

type Compared = { kept: ReturnType<typeof sql>; right: ReturnType<typeof sql> }

/** A row of zeros and no row say the same. */
async function countUnequal(tx: Db, key: readonly string[], { kept, right }: Compared): Promise<number> {
  const { rows } = await sql<{
    wrong: number
  }>`select count(*) as wrong from (${kept}) k full join (${right}) r using (${sql.raw(key.join(', '))})
    where coalesce(k.bytes_up, 0) <> coalesce(r.bytes_up, 0) or coalesce(k.bytes_down, 0) <> coalesce(r.bytes_down, 0)`.execute(tx)
  return rows[0]!.wrong
}
