import { sql, type RawBuilder } from 'kysely'
import { activeOn, usage, type Asked } from './measures.ts'

type Rows = RawBuilder<{ day: string; value: number }>
/** Over rows `u` with a `sim_id`: the SIM is in use in an asset that the rule is about. */
type IsMeant = RawBuilder<unknown>

/** By the day, what the SIMs that are meant used together. */
const together = (asked: Asked, isMeant: IsMeant) =>
  sql`(select day, sum(bytes) as bytes from ${usage(asked)} u where ${isMeant} group by 1)`

/**
 * What they had used in each month before the first day that is asked for: what closed hours say of the month, without the days that follow. So a look reads a row of
 * a SIM's month in place of thirty of its days.
 */
const before = ({ account_id, from, to }: Asked, isMeant: IsMeant) => sql`(select month, sum(bytes) as bytes from (
    select u.month, u.bytes_up::numeric + u.bytes_down as bytes from usage_month u
      where u.account_id = ${account_id} and u.month between date_trunc('month', ${from}::date::timestamp)::date and ${to}::date and ${isMeant}
    union all select date_trunc('month', u.day::timestamp)::date, - (u.bytes_up::numeric + u.bytes_down) from usage_day u
      where u.account_id = ${account_id} and u.day >= ${from}::date and u.day < (date_trunc('month', ${to}::date::timestamp) + interval '1 month')::date and ${isMeant}) m
  group by 1)`

/** Of each metric that adds up what several assets did, the days on which it is reached. */
export const assetsMeasures = {
  assets_usage_day: (asked: Asked, isMeant: IsMeant): Rows => sql`select null::text as sim_id, day, bytes as value
    from ${together(asked, isMeant)} d where bytes >= ${asked.threshold}::bigint`,
  // Of SIMs that were active all day, those that sent nothing too.
  assets_average_day: (
    asked: Asked,
    isMeant: IsMeant
  ): Rows => sql`select null::text as sim_id, u.day, sum(coalesce(d.bytes, 0)) / count(*) as value
    from ${activeOn(asked)} u left join (select sim_id, day, sum(bytes) as bytes from ${usage(asked)} g group by 1, 2) d on d.sim_id = u.sim_id and d.day = u.day
    where ${isMeant} group by u.day having sum(coalesce(d.bytes, 0)) >= ${asked.threshold}::numeric * count(*)`,
  // Where there was none of them yet, nothing is missing. What a feed has not told of so far is not little.
  assets_low_day: (asked: Asked, isMeant: IsMeant): Rows => sql`select null::text as sim_id, s.day, coalesce(d.bytes, 0) as value
    from (select distinct day from ${activeOn(asked)} u where ${isMeant}) s left join ${together(asked, isMeant)} d on d.day = s.day
    where coalesce(d.bytes, 0) <= ${asked.threshold}::bigint
      and not exists (select from sim_feed u where u.account_id = ${asked.account_id} and u.unjudged_from < (s.day + 1)::timestamp at time zone 'UTC' and ${isMeant})`,
  // On the day on which it is reached, as of one SIM.
  assets_usage_month: (asked: Asked, isMeant: IsMeant): Rows => sql`select null::text as sim_id, day, so_far as value from (
      select d.day, d.bytes, coalesce(b.bytes, 0) + sum(d.bytes) over (partition by date_trunc('month', d.day::timestamp) order by d.day) as so_far
      from ${together(asked, isMeant)} d left join ${before(asked, isMeant)} b on b.month = date_trunc('month', d.day::timestamp)::date) m
    where so_far >= ${asked.threshold}::bigint and so_far - bytes < ${asked.threshold}::bigint`,
  // As it is now, as of one SIM: what it was on a day before is not kept.
  assets_usage_ever: ({ account_id, to, threshold }: Asked, isMeant: IsMeant): Rows => sql`
    select null::text as sim_id, ${to}::date as day, sum(u.lifetime_up::numeric + u.lifetime_down) as value from sim_counter u
    where u.account_id = ${account_id} and ${isMeant} having sum(u.lifetime_up::numeric + u.lifetime_down) >= ${threshold}::bigint`,
} as const
export type AssetsMetric = keyof typeof assetsMeasures
