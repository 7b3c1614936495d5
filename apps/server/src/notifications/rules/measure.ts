import { sql, type RawBuilder } from 'kysely'
import { ruleMetrics, type RuleFields, type RuleMetric } from '@masthead/contract/notifications/rule'
import { countInView, knowTags, matching } from '../../assets/index.ts'
import { systemActor, type Db } from '../../kernel/app.ts'

/** What of a rule decides when it fires. `scope`: a line of the assets list. */
export type Measured = Pick<RuleFields, 'metric' | 'threshold' | 'countries' | 'scope' | 'view_id'>
/** Days (UTC), both included: "2026-11-25". */
export type Days = { from: string; to: string }
/** A SIM (or, without one, the account) on a day on which the rule's measure is reached. */
export type Reached = { sim_id: string | null; asset_id: string | null; asset_name: string | null; day: string; value: number }

type Asked = Days & Measured & { account_id: string }
type Rows = RawBuilder<{ sim_id: string; day: string; value: number }>

const start = (day: string) => new Date(`${day}T00:00:00Z`)
/** The beginning of the day after. */
const after = (day: string) => new Date(start(day).getTime() + 86_400_000)

/** Usage of SIMs by day and network: of closed hours, and of those that are open. */
const usage = ({ account_id, from, to }: Asked) => sql`(
  select sim_id, day, mccmnc, bytes_up::numeric + bytes_down as bytes from usage_day
    where account_id = ${account_id} and day between ${from}::date and ${to}::date
  union all select sim_id, (hour at time zone 'UTC')::date, mccmnc, bytes_up::numeric + bytes_down from usage_open_hour
    where account_id = ${account_id} and hour >= ${start(from)} and hour < ${after(to)})`

/** Connection events of one of some kinds, so many a day. */
const happened =
  (...kinds: string[]) =>
  ({ account_id, from, to, threshold }: Asked): Rows =>
    sql`
  select sim_id, (hour at time zone 'UTC')::date as day, sum(count) as value from connection_event
  where account_id = ${account_id} and hour >= ${start(from)} and hour < ${after(to)} and kind = any(${kinds}::text[])
  group by 1, 2 having sum(count) >= ${threshold}::bigint`

/** Of each metric the days on which it is reached, from the roll-ups and events that are kept anyway: nothing is written for rules with a packet. */
const measures: Record<Exclude<RuleMetric, 'view_count'>, (asked: Asked) => Rows> = {
  usage_day: (asked) => sql`select sim_id, day, sum(bytes) as value from ${usage(asked)} u
    group by 1, 2 having sum(bytes) >= ${asked.threshold}::bigint`,
  abroad_day: (asked) => sql`select sim_id, day, sum(bytes) as value from ${usage(asked)} u join network n on n.mccmnc = u.mccmnc
    where not n.country = any(${asked.countries}::text[]) group by 1, 2 having sum(bytes) >= ${asked.threshold}::bigint`,
  // On the day on which it had been so for that long.
  silent_hours: ({ account_id, from, to, threshold }) => sql`
    select sim_id, ((start + ${threshold}::int * interval '1 hour' - interval '1 second') at time zone 'UTC')::date as day,
      max(extract(epoch from until - start) / 3600) as value from sim_lapse
    where account_id = ${account_id} and state = 'silent' and until >= ${start(from)} and until - start >= ${threshold}::int * interval '1 hour'
      and start + ${threshold}::int * interval '1 hour' > ${start(from)} and start + ${threshold}::int * interval '1 hour' <= ${after(to)}
    group by 1, 2`,
  refused_day: happened('rejected', 'forbidden'),
  accepted_day: happened('accepted'),
  device_changed: happened('imei_changed'),
  account_usage_day: ({ account_id, from, to, threshold }) => sql`
    select null::text as sim_id, (hour at time zone 'UTC')::date as day, sum(bytes_up::numeric + bytes_down) as value from account_usage_hour
    where account_id = ${account_id} and hour >= ${start(from)} and hour < ${after(to)} group by 1, 2 having sum(bytes_up::numeric + bytes_down) >= ${threshold}::bigint`,
}

/** So long a rule is looked at for, at most; then it is said to be too wide. */
const longest = '8s'
export const boundTime = sql`select set_config('statement_timeout', ${longest}, true)`

/** The days on which a rule's measure was reached by assets in its scope, in the order of days, `most` of them. `unless`: a condition over a row `m` that leaves it out. */
export async function listReached(
  db: Db,
  account_id: string,
  rule: Measured,
  { days, at, most, unless = sql`false` }: { days: Days; at: Date; most: number; unless?: RawBuilder<unknown> }
): Promise<Reached[]> {
  if (rule.metric === 'view_count') return viewReached(db, account_id, rule, { days, at, unless })
  const rows = measures[rule.metric]({ ...rule, ...days, account_id })
  if (ruleMetrics[rule.metric].who === 'account') {
    const { rows: reached } =
      await sql<Reached>`select null as sim_id, null as asset_id, null as asset_name, m.day::text as day, m.value::float8 as value
      from (${rows}) m where not ${unless} order by m.day limit ${most}`.execute(db)
    return reached
  }
  const viewer = systemActor(account_id, at)
  const filter = await knowTags(db, viewer, rule.scope === '' ? {} : { q: rule.scope })
  const { rows: reached } =
    await sql<Reached>`select m.sim_id, asset.id as asset_id, asset.name as asset_name, m.day::text as day, m.value::float8 as value
    from (${rows}) m join sim own on own.account_id = ${account_id} and own.id = m.sim_id
      join asset on asset.account_id = own.account_id and asset.id = own.asset_id
    where ${matching(viewer, filter)} and not ${unless} order by m.day, m.sim_id limit ${most}`.execute(db)
  return reached
}

/** Of the day that runs alone: what was in a view before is not known. A condition over a row `m`, as above, leaves it out. */
async function viewReached(
  db: Db,
  account_id: string,
  { threshold, view_id }: Measured,
  { days, at, unless }: { days: Days; at: Date; unless: RawBuilder<unknown> }
): Promise<Reached[]> {
  const value = await countInView(db, systemActor(account_id, at), view_id!)
  if (value < threshold) return []
  const { rows } =
    await sql<Reached>`select null as sim_id, null as asset_id, null as asset_name, m.day::text as day, ${value}::float8 as value
    from (select null::text as sim_id, ${days.to}::date as day) m where not ${unless}`.execute(db)
  return rows
}
