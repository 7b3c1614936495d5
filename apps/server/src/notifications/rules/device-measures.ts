import { sql, type RawBuilder } from 'kysely'
import type { Asked } from './measures.ts'

type Rows = RawBuilder<{ asset_id: string; day: string; value: number }>

/** The day (UTC) of a time, if it is one of those that are asked for. */
const within = (time: RawBuilder<unknown>, { from, to }: Asked) =>
  sql`((${time}) at time zone 'UTC')::date between ${from}::date and ${to}::date`

/** The highest of a day by the hour, of devices one after the other: each is one range of the index. `which`: a condition over hours. */
const highest =
  (
    column: 'disk_pct' | 'temperature_max_c' | 'temperature_c' | 'cpu_pct',
    which: (asked: Asked) => RawBuilder<unknown> = () => sql`true`
  ) =>
  (asked: Asked): Rows =>
    sql`
  select d.asset_id, h.day, h.value from device d cross join lateral (
    select (hour at time zone 'UTC')::date as day, max(${sql.ref(column)})::numeric as value from device_hour
    where account_id = d.account_id and device_id = d.id and hour >= ${asked.from}::date::timestamp at time zone 'UTC'
      and hour < (${asked.to}::date + 1)::timestamp at time zone 'UTC' and ${which(asked)}
    group by 1 having max(${sql.ref(column)}) >= ${asked.threshold}::numeric) h
  where d.account_id = ${asked.account_id} and d.kind = 'agent'`

/** The mean of an hour that goes on is that of its minutes so far, of its first one alone at first. */
const isOver = ({ at }: Asked) => sql`hour <= ${at}::timestamptz - interval '1 hour'`

/**
 * Of each metric of devices the days on which it is reached. Whether a device is away, and what crashes on it, is known as it is now: the
 * day is that on which it had been so for that long. What it measured is kept by the hour.
 */
export const deviceMeasures = {
  device_offline: (asked: Asked): Rows => sql`
    select asset_id, ((since + ${asked.threshold}::int * interval '1 minute') at time zone 'UTC')::date as day,
      extract(epoch from ${asked.at}::timestamptz - since) / 60 as value
    from device where account_id = ${asked.account_id} and not online and cut_at is null and last_birth_at is not null
      and since <= ${asked.at}::timestamptz - ${asked.threshold}::int * interval '1 minute'
      and ${within(sql`since + ${asked.threshold}::int * interval '1 minute'`, asked)}`,
  container_crash: (asked: Asked): Rows => sql`
    select d.asset_id, (max(c.since) at time zone 'UTC')::date as day, count(*) as value
    from device d cross join lateral (
      select time_or_null(said -> 'problem' ->> 'since') as since from jsonb_array_elements(
        case jsonb_typeof(d.reported -> 'agent' -> 'containers') when 'array' then d.reported -> 'agent' -> 'containers' else '[]' end) as e(said)
      where said -> 'problem' ->> 'code' in ('crash_loop_backoff', 'rolled_back')) c
    where d.account_id = ${asked.account_id} and d.kind = 'agent' and c.since is not null
    group by 1 having count(*) >= ${asked.threshold} and ${within(sql`max(c.since)`, asked)}`,
  device_disk: highest('disk_pct'),
  device_temperature: highest('temperature_max_c'),
  // What an hour has of these is its mean.
  device_temperature_average: highest('temperature_c', isOver),
  device_cpu_average: highest('cpu_pct', isOver),
} as const
export type DeviceMetric = keyof typeof deviceMeasures
export const isOfDevices = (metric: string): metric is DeviceMetric => metric in deviceMeasures
