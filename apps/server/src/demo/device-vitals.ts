import { sql } from 'kysely'
import type { Tx } from '../kernel/app.ts'

/** How full the disk of a simulated device is at a time, and how much it fills up a day, in percent of it. */
export type DemoDisk = { used_pct: number; a_day: number; at: string }
export const demoDisk = (seed: number, now: Date): DemoDisk => ({ used_pct: 30 + seed * 4, a_day: 0.12, at: now.toISOString() })

/**
 * What a simulated device measured before it was there: 7 days of minutes and 90 of hours, busier by day, with an outage of some hours. The
 * partitions are those that the migration made.
 */
export async function writeDemoVitals(
  tx: Tx,
  { account_id, device_id, seed, disk }: { account_id: string; device_id: string; seed: number; disk: DemoDisk },
  now: Date
): Promise<void> {
  const phase = sql`extract(epoch from at) / 86400 * 2 * pi() + ${seed}`
  const wave = sql`sin(${phase}) + 0.35 * sin(7 * (${phase})) + 0.2 * sin(131 * (${phase}))`
  const measured = sql`least(96, greatest(2, 24 + 11 * (${wave}) + 3 * random())) as cpu, 46 + 6 * (${wave}) as memory,
    ${disk.used_pct}::float8 + extract(epoch from at - ${disk.at}::timestamptz) / 86400 * ${disk.a_day}::float8 as disk, 47 + 5 * (${wave}) as temperature`
  const away = sql`at between ${now}::timestamptz - interval '52 hours' and ${now}::timestamptz - interval '49 hours'`
  await sql`insert into device_minute
    select ${account_id}, ${device_id}, at, cpu, memory, disk, temperature from (
      select at, ${measured} from generate_series(date_trunc('minute', ${now}::timestamptz - interval '7 days'), ${now}::timestamptz, interval '1 minute') as t(at)
      where not (${away})) m on conflict do nothing`.execute(tx)
  await sql`insert into device_hour
    select ${account_id}, ${device_id}, at, 60, cpu, least(99, cpu + 9), memory, disk, temperature, temperature + 3 from (
      select at, ${measured} from generate_series(date_trunc('hour', ${now}::timestamptz - interval '90 days', 'UTC'), ${now}::timestamptz, interval '1 hour') as t(at)
      where not (${away})) m on conflict do nothing`.execute(tx)
}
