import { sql, type RawBuilder } from 'kysely'
import * as events from '@masthead/contract/assets/events'
import { firstIdAt } from '@masthead/contract/kernel/id'
import { groupAssigned } from '@masthead/contract/network-groups/events'
import { costOfAccount, costOfDays, costOfSims, priceChanges } from './cost-measures.ts'
import type { DeviceMetric } from './device-measures.ts'
import type { AssetsMetric } from './assets-measures.ts'
import type { RuleFields, RuleMetric } from '@masthead/contract/notifications/rule'

/** What of a rule decides when it fires. `scope`: a line of the assets list. */
export type Measured = Pick<RuleFields, 'metric' | 'threshold' | 'countries' | 'scope' | 'view_id'>
/** Days (UTC), both included: "2026-11-25". */
export type Days = { from: string; to: string }
export type Asked = Days & Measured & { account_id: string; at: Date }
type Rows = RawBuilder<{ sim_id: string; day: string; value: number }>

const start = (day: string) => new Date(`${day}T00:00:00Z`)
/** The day so many days before. */
const before = (day: string, days: number) => new Date(start(day).getTime() - days * 86_400_000).toISOString().slice(0, 10)
/** The beginning of the day after. */
const after = (day: string) => new Date(start(day).getTime() + 86_400_000)

/** Usage of SIMs by day and network: of closed hours, and of those that are open. */
export const usage = ({ account_id, from, to }: Asked) => sql`(
  select sim_id, day, mccmnc, bytes_up::numeric + bytes_down as bytes from usage_day
    where account_id = ${account_id} and day between ${from}::date and ${to}::date
  union all select sim_id, (hour at time zone 'UTC')::date, mccmnc, bytes_up::numeric + bytes_down from usage_open_hour
    where account_id = ${account_id} and hour >= ${start(from)} and hour < ${after(to)})`

/**
 * Usage of SIMs by day, and in the month up to that day. Of the month that runs, only of SIMs whose counter says that they have `least` by now, so that the
 * days of the others are not read; of a limit `l` where that is asked for.
 */
const soFar = (asked: Asked, least: RawBuilder<unknown>) => {
  const [month, last] = [asked.from.slice(0, 7), asked.to.slice(0, 7)]
  const few = sql`where sim_id = any(array(select c.sim_id from sim_counter c left join sim_limit l on l.account_id = c.account_id and l.sim_id = c.sim_id
    where c.account_id = ${asked.account_id} and c.period_start >= ${`${month}-01`}::date and c.bytes_up::numeric + c.bytes_down >= ${least}))`
  return sql`(select sim_id, day, sum(bytes) as bytes, sum(sum(bytes)) over (partition by sim_id, date_trunc('month', day::timestamp) order by day) as so_far
    from ${usage({ ...asked, from: `${month}-01` })} u ${month === last ? few : sql``} group by 1, 2)`
}

/** Connection events of one of some kinds, so many a day; `of`: a condition over their rows. */
const happened =
  (kinds: readonly string[], of = sql`true`) =>
  ({ account_id, from, to, threshold }: Asked): Rows =>
    sql`
  select sim_id, (hour at time zone 'UTC')::date as day, sum(count) as value from connection_event
  where account_id = ${account_id} and hour >= ${start(from)} and hour < ${after(to)} and kind = any(${kinds}::text[]) and ${of}
  group by 1, 2 having sum(count) >= ${threshold}::bigint`

type Where = (asked: Asked) => RawBuilder<boolean>
/** Conditions over a network `n`: in the countries of the rule, or in another one. A network whose country is not known is in neither. */
const inside: Where = ({ countries }) => sql`n.country = any(${countries}::text[])`
const outside: Where = (asked) => sql`not ${inside(asked)}`

const usedWhere =
  (where: Where) =>
  (asked: Asked): Rows =>
    sql`
  select sim_id, day, sum(bytes) as value from ${usage(asked)} u join network n on n.mccmnc = u.mccmnc
  where ${where(asked)} group by 1, 2 having sum(bytes) >= ${asked.threshold}::bigint`

const connectedWhere = (where: Where) => (asked: Asked) =>
  happened(['accepted'], sql`exists (select from network n where n.mccmnc = connection_event.mccmnc and ${where(asked)})`)(asked)

/** Rows `s`: SIMs that were active from before a day on until now, beside each `day`. */
export const activeOn = ({ account_id, from, to }: Asked) => sql`(
  select sim.id as sim_id, d.day, d.day::timestamp at time zone 'UTC' as begins, (d.day + 1)::timestamp at time zone 'UTC' as ends
  from (select ${from}::date + n as day from generate_series(0, ${to}::date - ${from}::date) n) d join sim on sim.account_id = ${account_id} and sim.state = 'active'
    and coalesce(sim.state_changed_at, sim.activated_at, sim.created_at) < d.day::timestamp at time zone 'UTC')`

/** Another state than before, whoever brought the SIM there. */
const stateEvents = [
  events.simActivated,
  events.simWentLive,
  events.simTestEnded,
  events.simReady,
  events.simDeactivated,
  events.simOnStandby,
  events.simTerminated,
]

/** What was recorded of a SIM as one of some events of an area, so many times a day. */
const recorded =
  (area: string, which: readonly { name: string }[]) =>
  ({ account_id, from, to, threshold }: Asked): Rows =>
    sql`
  select detail ->> 'sim_id' as sim_id, (at at time zone 'UTC')::date as day, count(*) as value from event
  where account_id = ${account_id} and category = ${area} and category || '.' || action = any(${which.map(({ name }) => name)}::text[])
    and id >= ${firstIdAt('event', start(from).getTime())} and id < ${firstIdAt('event', after(to).getTime())}
  group by 1, 2 having count(*) >= ${threshold}::bigint`

/** Sessions that SIMs began, by day (UTC). What feeds report is none. */
const begun = ({ account_id, from, to }: Asked) => sql`(
  select sim_id, (started_at at time zone 'UTC')::date as day, started_at, apn from data_session
  where account_id = ${account_id} and started_at >= ${start(from)} and started_at < ${after(to)} and nas <> gateway_id)`

/** Of the sessions of a day the most that are alike. Those of which that is not known count as nothing. */
const mostBegun =
  (alike: RawBuilder<unknown>) =>
  (asked: Asked): Rows =>
    sql`
  select sim_id, day, max(count) as value from (
    select sim_id, day, count(*) as count from ${begun(asked)} s where ${alike} is not null group by sim_id, day, ${alike}
    having count(*) >= ${asked.threshold}::bigint) h
  group by 1, 2`

/** Sessions of a SIM that ended, so many a day; `of`: a condition over their rows. What feeds report is none. */
const ended =
  (of = sql`true`) =>
  ({ account_id, from, to, threshold }: Asked): Rows =>
    sql`
  select sim_id, (ended_at at time zone 'UTC')::date as day, count(*) as value from data_session
  where account_id = ${account_id} and ended_at >= ${start(from)} and ended_at < ${after(to)} and nas <> gateway_id and ${of}
  group by 1, 2 having count(*) >= ${threshold}::bigint`

/** Of each metric the days on which it is reached, from the roll-ups and events that are kept anyway: nothing is written for rules with a packet. */
export const measures: Record<Exclude<RuleMetric, 'view_count' | DeviceMetric | AssetsMetric>, (asked: Asked) => Rows> = {
  // Of SIMs that used as much in the day alone, so that the hours of the others are not read.
  usage_hour: (asked) => sql`select sim_id, day, max(bytes) as value from (
      select sim_id, (hour at time zone 'UTC')::date as day, sum(bytes_up::numeric + bytes_down) as bytes from (
        select sim_id, hour, bytes_up, bytes_down from usage_hour where account_id = ${asked.account_id}
        union all select sim_id, hour, bytes_up, bytes_down from usage_open_hour where account_id = ${asked.account_id}) u
      where hour >= ${start(asked.from)} and hour < ${after(asked.to)} and sim_id = any(array(
        select sim_id from ${usage(asked)} d group by sim_id, day having sum(bytes) >= ${asked.threshold}::bigint))
      group by sim_id, hour) h
    group by 1, 2 having max(bytes) >= ${asked.threshold}::bigint`,
  usage_day: (asked) => sql`select sim_id, day, sum(bytes) as value from ${usage(asked)} u
    group by 1, 2 having sum(bytes) >= ${asked.threshold}::bigint`,
  // Of each day with the six before it, whether the SIM sent on them or not.
  usage_average: (asked) => sql`select sim_id, day, bytes / 7 as value from (
      select sim_id, day, sum(sum(bytes)) over (partition by sim_id order by day::timestamp range interval '6 days' preceding) as bytes
      from ${usage({ ...asked, from: before(asked.from, 6) })} u group by 1, 2) d
    where day between ${asked.from}::date and ${asked.to}::date and bytes >= 7 * ${asked.threshold}::numeric`,
  // Nothing is little. What a block kept from sending, or a feed has not told of so far, is not.
  low_day: (asked) => sql`select s.sim_id, s.day, coalesce(u.bytes, 0) as value
    from ${activeOn(asked)} s left join (select sim_id, day, sum(bytes) as bytes from ${usage(asked)} u group by 1, 2) u on u.sim_id = s.sim_id and u.day = s.day
    where coalesce(u.bytes, 0) <= ${asked.threshold}::bigint
      and not exists (select from sim_lapse l where l.account_id = ${asked.account_id} and l.sim_id = s.sim_id and l.state = 'blocked'
        and l.until > s.begins and l.start < s.ends)
      and not exists (select from sim_feed f where f.account_id = ${asked.account_id} and f.sim_id = s.sim_id and f.unjudged_from < s.ends)`,
  // On the day on which it is reached: a SIM beyond it says no more of it in that month.
  usage_month: (asked) => sql`select sim_id, day, so_far as value from ${soFar(asked, sql`${asked.threshold}::bigint`)} d
    where day between ${asked.from}::date and ${asked.to}::date and so_far >= ${asked.threshold}::bigint and so_far - bytes < ${asked.threshold}::bigint`,
  // As it is now: what it was on a day before is not kept. One that has sent nothing on these days reached it before them.
  usage_ever: ({
    account_id,
    from,
    to,
    threshold,
  }) => sql`select sim_id, ${to}::date as day, lifetime_up::numeric + lifetime_down as value from sim_counter
    where account_id = ${account_id} and seen_at >= ${start(from)} and lifetime_up::numeric + lifetime_down >= ${threshold}::bigint`,
  // Of the days on which it sent: of seven at least. Less than a megabyte is never much.
  usual_times: (asked) => sql`select d.sim_id, d.day, d.bytes / u.usual as value
    from (select sim_id, day, sum(bytes) as bytes from ${usage(asked)} u group by 1, 2 having sum(bytes) >= 1000000) d
      cross join lateral (select sum(h.bytes_up::numeric + h.bytes_down) / count(distinct h.day) as usual, count(distinct h.day) as days from usage_day h
        where h.account_id = ${asked.account_id} and h.sim_id = d.sim_id and h.day >= d.day - 28 and h.day < d.day) u
    where u.days >= 7 and d.bytes >= ${asked.threshold}::numeric * u.usual and u.usual > 0`,
  // Of its limit as it is now; of a limit of a month on the day on which the share is reached.
  limit_share: (asked) => sql`select d.sim_id, d.day, 100 * x.used / x.allows as value
    from ${soFar(asked, sql`${asked.threshold}::numeric * least(l.bytes, coalesce(l.raised_bytes, l.bytes)) / 100`)} d
      join sim_limit l on l.account_id = ${asked.account_id} and l.sim_id = d.sim_id
      cross join lateral (select limit_allows(l.bytes, l.raised_bytes, l.raised_period, l.period, d.day) as allows,
        case l.period when 'day' then d.bytes else d.so_far end as used, case l.period when 'day' then 0 else d.so_far - d.bytes end as before) x
    where d.day between ${asked.from}::date and ${asked.to}::date and x.allows > 0
      and 100 * x.used >= ${asked.threshold}::numeric * x.allows and 100 * x.before < ${asked.threshold}::numeric * x.allows`,
  // Of the term that runs, as it is now: what each SIM had taken of it on a day before is not kept.
  pool_share: ({
    account_id,
    to,
    threshold,
  }) => sql`select u.sim_id, ${to}::date as day, max(100 * u.bytes::numeric / t.size_bytes) as value, max(t.starts_at) as since
    from data_pool p join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
      join data_pool_usage u on u.account_id = t.account_id and u.pool_id = t.pool_id and u.starts_at = t.starts_at
    where p.account_id = ${account_id} and p.ended_at is null and t.size_bytes > 0 and 100 * u.bytes::numeric >= ${threshold}::numeric * t.size_bytes
    group by 1`,
  pool_use: (({ account_id, to, threshold }) => sql`
    select p.id as pool_id, p.name as pool_name, ${to}::date as day, 100 * c.bytes / t.size_bytes as value, t.starts_at as since
    from data_pool p join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
      cross join lateral (select coalesce(sum(o.within_bytes::numeric + o.over_bytes), 0) as bytes from data_pool_counter o
        where o.account_id = t.account_id and o.pool_id = t.pool_id and o.starts_at = t.starts_at) c
    where p.account_id = ${account_id} and p.ended_at is null and t.size_bytes > 0
      and 100 * c.bytes >= ${threshold}::numeric * t.size_bytes`) as (asked: Asked) => Rows,
  // As it is now, too: whether a pool renewed by itself on a day before is not kept.
  pool_ends: (({ account_id, to, threshold, at }) => sql`
    select p.id as pool_id, p.name as pool_name, ${to}::date as day, extract(epoch from t.ends_at - ${at}::timestamptz) / 86400 as value, t.starts_at as since
    from data_pool p join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
    where p.account_id = ${account_id} and p.ended_at is null and not p.auto_renew
      and t.ends_at > ${at} and t.ends_at <= ${at}::timestamptz + ${threshold}::int * interval '1 day'`) as (asked: Asked) => Rows,
  abroad_day: usedWhere(outside),
  within_day: usedWhere(inside),
  // A SIM that sent in the 30 days before is found by its bits, and others by what they used on a day before.
  first_day: (asked) => sql`select u.sim_id, u.day, sum(u.bytes) as value from ${usage(asked)} u
      left join sim_sent k on k.account_id = ${asked.account_id} and k.sim_id = u.sim_id
    where u.bytes > 0 and (k.hours is null or position(B'1' in k.hours) = 0
        or k.until - (720 - position(B'1' in k.hours)) * interval '1 hour' >= u.day::timestamp at time zone 'UTC')
      and not exists (select from usage_day b where b.account_id = ${asked.account_id} and b.sim_id = u.sim_id and b.day < u.day
        and b.bytes_up::numeric + b.bytes_down > 0)
      and not exists (select from usage_open_hour o where o.account_id = ${asked.account_id} and o.sim_id = u.sim_id
        and o.hour < u.day::timestamp at time zone 'UTC' and o.bytes_up::numeric + o.bytes_down > 0)
    group by 1, 2 having sum(u.bytes) >= ${asked.threshold}::bigint`,
  // On the day on which it had been so for that long.
  silent_hours: ({ account_id, from, to, threshold }) => sql`
    select sim_id, ((start + ${threshold}::int * interval '1 hour' - interval '1 second') at time zone 'UTC')::date as day,
      max(extract(epoch from until - start) / 3600) as value from sim_lapse
    where account_id = ${account_id} and state = 'silent' and until >= ${start(from)} and until - start >= ${threshold}::int * interval '1 hour'
      and start + ${threshold}::int * interval '1 hour' > ${start(from)} and start + ${threshold}::int * interval '1 hour' <= ${after(to)}
    group by 1, 2`,
  refused_day: happened(['rejected', 'forbidden']),
  accepted_day: happened(['accepted']),
  abroad_connect: connectedWhere(outside),
  within_connect: connectedWhere(inside),
  sessions_hour: mostBegun(sql`date_trunc('hour', started_at, 'UTC')`),
  sessions_day: mostBegun(sql`day`),
  apn_sessions_day: mostBegun(sql`apn`),
  ended_day: ended(),
  empty_day: ended(sql`bytes_up = 0 and bytes_down = 0`),
  // On the day on which it is reached, once in the month.
  sessions_month: (asked) => sql`select sim_id, day, so_far as value from (
      select sim_id, day, count(*) as count, sum(count(*)) over (partition by sim_id, date_trunc('month', day::timestamp) order by day) as so_far
      from ${begun({ ...asked, from: `${asked.from.slice(0, 7)}-01` })} s group by 1, 2) d
    where day between ${asked.from}::date and ${asked.to}::date and so_far >= ${asked.threshold}::bigint and so_far - count < ${asked.threshold}::bigint`,
  state_changed: recorded('assets', stateEvents),
  group_changed: recorded('network_groups', [groupAssigned]),
  device_changed: happened(['imei_changed']),
  // The first eight digits of an IMEI (TAC) are those of its model.
  model_changed: happened(['imei_changed'], sql`left(before, 8) <> left(after, 8)`),
  cost_day: costOfDays as (asked: Asked) => Rows,
  cost_month: costOfSims as (asked: Asked) => Rows,
  account_cost_month: costOfAccount as (asked: Asked) => Rows,
  prices_change: priceChanges as (asked: Asked) => Rows,
  // As it is now: how late it was on a day before is not kept.
  usage_behind: ({ to, threshold, at }) => sql`
    select null::text as sim_id, ${to}::date as day, extract(epoch from ${at}::timestamptz - complete_until) / 60 as value from rollup_progress
    where name = 'usage' and complete_until > 'epoch' and ${at}::timestamptz - complete_until >= ${threshold}::int * interval '1 minute'`,
  account_usage_day: ({ account_id, from, to, threshold }) => sql`
    select null::text as sim_id, (hour at time zone 'UTC')::date as day, sum(bytes_up::numeric + bytes_down) as value from account_usage_hour
    where account_id = ${account_id} and hour >= ${start(from)} and hour < ${after(to)} group by 1, 2 having sum(bytes_up::numeric + bytes_down) >= ${threshold}::bigint`,
  // As of a SIM: on the day on which it is reached.
  account_usage_month: ({ account_id, from, to, threshold }) => sql`
    select null::text as sim_id, day, so_far as value from (
      select day, bytes, sum(bytes) over (partition by date_trunc('month', day::timestamp) order by day) as so_far from (
        select (hour at time zone 'UTC')::date as day, sum(bytes_up::numeric + bytes_down) as bytes from account_usage_hour
        where account_id = ${account_id} and hour >= ${start(`${from.slice(0, 7)}-01`)} and hour < ${after(to)} group by 1) u) d
    where day between ${from}::date and ${to}::date and so_far >= ${threshold}::bigint and so_far - bytes < ${threshold}::bigint`,
}

const inMonth = (threshold: number) =>
  sql`date_trunc('month', f.day::timestamp) = date_trunc('month', m.day::timestamp) and f.value >= ${threshold}::numeric`

const ever = (threshold: number) => sql`f.value >= ${threshold}::numeric`

const inTerm = (threshold: number) => sql`f.at >= m.since and f.value >= ${threshold}::numeric`

const littleInTerm = (threshold: number) => sql`f.at >= m.since and f.value <= ${threshold}::numeric`

/** The same day on which prices change: so many days after that of the firing. */
const sameChange = () => sql`f.day + f.value::int = m.day + m.value::int`

/** Of a metric that stays reached: the condition over an earlier firing `f` of the rule as it is under which a row `m` says nothing new, however long ago that was. */
export const saidAlready: Partial<Record<RuleMetric, (threshold: number) => RawBuilder<unknown>>> = {
  usage_ever: ever,
  usage_month: inMonth,
  sessions_month: inMonth,
  assets_usage_month: inMonth,
  account_usage_month: inMonth,
  cost_month: inMonth,
  account_cost_month: inMonth,
  pool_share: inTerm,
  pool_use: inTerm,
  pool_ends: littleInTerm,
  assets_usage_ever: ever,
  prices_change: sameChange,
}
