import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import type { DisconnectOutcome } from '@masthead/contract/assets/sim'
import { newId } from '@masthead/contract/kernel/id'
import type { Tx } from '../kernel/app.ts'
import { noteRecordsSince } from '../usage/index.ts'
import type { DemoAsset, Pattern } from './fleet.ts'
import { seeded, type Random } from './random.ts'

const hour = 3_600_000
const day = 24 * hour
const historyDays = 90

/** Share of a day's bytes in each hour (UTC), and how much of it devices send. */
const shapes: Record<Pattern, { hours: (random: Random) => number[]; up: number }> = {
  tracker: { hours: () => [5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17], up: 0.55 },
  meter: { hours: (random) => [random.whole(1, 3)], up: 0.8 },
  camera: { hours: () => Array.from({ length: 24 }, (_, i) => i), up: 0.92 },
  router: { hours: () => [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20], up: 0.18 },
  runaway: { hours: () => Array.from({ length: 24 }, (_, i) => i), up: 0.9 },
  standby: { hours: (random) => (random.next() < 0.1 ? [4] : []), up: 0.6 },
  silent: { hours: () => [], up: 0.5 },
}

type Point = { sim_id: string; hour: Date; mccmnc: string; rat: string; bytes_up: number; bytes_down: number }

/** How busy the day was: quiet weekends, a slow growth over the months. */
const busyness = (at: Date, daysAgo: number) => (at.getUTCDay() % 6 === 0 ? 0.55 : 1) * (1 - daysAgo / 400)

/** A SIM's usage, hour by hour, up to the hour before `now`. A blocked SIM has none since its block. */
export function historyOf(asset: DemoAsset, now: Date, endedAt: Date | null): Point[] {
  const random = seeded(Number(asset.imsi.slice(-9)))
  const { hours, up } = shapes[asset.pattern]
  const today = Math.floor(now.getTime() / day) * day
  const points: Point[] = []
  for (let daysAgo = Math.min(historyDays, asset.created_days_ago); daysAgo >= 0; daysAgo--) {
    const start = today - daysAgo * day
    const active = hours(random)
    const bytes = asset.daily_bytes * busyness(new Date(start), daysAgo) * random.wobble(0.6)
    // A tracker crosses into the next country of its route every few days.
    const visited = asset.route[Math.floor(daysAgo / 3) % asset.route.length]!
    for (const each of active) {
      const at = start + each * hour
      const share = Math.round((bytes / active.length) * random.wobble(0.7))
      if (at + hour > Math.min(now.getTime(), endedAt?.getTime() ?? Infinity)) continue
      const bytes_up = Math.round(share * up * random.wobble(0.2))
      points.push({ sim_id: asset.sim_id, hour: new Date(at), ...visited, bytes_up, bytes_down: Math.max(0, share - bytes_up) })
    }
  }
  return points
}

/** Writes hours, then everything that follows from them: days, account totals, this month's counters. */
export async function writeHistory(tx: Tx, account_id: string, points: readonly Point[], now: Date) {
  for (let i = 0; i < points.length; i += 5000) {
    const part = points.slice(i, i + 5000)
    const column = <Key extends keyof Point>(key: Key) => part.map((point) => point[key])
    await sql`insert into usage_hour (account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
      select ${account_id}, * from unnest(${column('sim_id')}::text[], ${column('hour')}::timestamptz[], ${column('mccmnc')}::text[],
        ${column('rat')}::text[], ${column('bytes_up')}::bigint[], ${column('bytes_down')}::bigint[])`.execute(tx)
  }
  await sql`insert into usage_day select account_id, sim_id, (hour at time zone 'UTC')::date, mccmnc, rat, sum(bytes_up), sum(bytes_down)
    from usage_hour where account_id = ${account_id} group by 1, 2, 3, 4, 5`.execute(tx)
  // Two days of some devices that a carrier reported the morning after.
  await sql`insert into usage_late select account_id, day, sim_id, sum(bytes_up + bytes_down) / 4, (day + 1)::timestamp at time zone 'UTC' + interval '9 hours'
    from usage_day where account_id = ${account_id} and day in (${dayOf(now)}::date - 4, ${dayOf(now)}::date - 9)
      and sim_id in (select distinct sim_id from usage_day where account_id = ${account_id} order by 1 limit 3)
    group by 1, 2, 3 having sum(bytes_up + bytes_down) > 3`.execute(tx)
  await sql`insert into usage_month select account_id, sim_id, date_trunc('month', day::timestamp)::date, mccmnc, rat, sum(bytes_up), sum(bytes_down)
    from usage_day where account_id = ${account_id} group by 1, 2, 3, 4, 5`.execute(tx)
  await sql`insert into account_usage_hour select account_id, hour, mccmnc, rat, sum(bytes_up), sum(bytes_down)
    from usage_hour where account_id = ${account_id} group by 1, 2, 3, 4`.execute(tx)
  await sql`insert into sim_counter (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at, day, day_up, day_down)
    select account_id, sim_id, date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date,
      coalesce(sum(bytes_up) filter (where this_month), 0), coalesce(sum(bytes_down) filter (where this_month), 0), sum(bytes_up), sum(bytes_down), max(hour) + interval '59 minutes',
      ${dayOf(now)}::date, coalesce(sum(bytes_up) filter (where today), 0), coalesce(sum(bytes_down) filter (where today), 0)
    from (select *, (hour at time zone 'UTC')::date = ${dayOf(now)}::date as today, hour >= date_trunc('month', ${now}::timestamptz at time zone 'UTC') at time zone 'UTC' as this_month from usage_hour where account_id = ${account_id}) h
    group by 1, 2`.execute(tx)
  await noteRecordsSince(tx, now)
}

/** The last few closed sessions of a SIM, one a day of its history, today included; the very last was cut when the SIM was blocked. */
export function sessionsOf(
  asset: DemoAsset,
  points: readonly Point[],
  gateway: { id: string; name: string },
  account_id: string,
  blockedAt: Date | null
) {
  const days = Map.groupBy(points, (point) => Math.floor(point.hour.getTime() / day))
  return [...days].slice(-8).map(([each, part], i, all) => {
    const cutAt = i === all.length - 1 ? blockedAt : null
    const started_at = part[0]!.hour
    const ended_at = cutAt ?? new Date(part.at(-1)!.hour.getTime() + 50 * 60_000 + i * 7000)
    const bytes_up = part.reduce((sum, point) => sum + point.bytes_up, 0)
    const bytes_down = part.reduce((sum, point) => sum + point.bytes_down, 0)
    return {
      account_id,
      id: newId('session', started_at.getTime()),
      sim_id: asset.sim_id,
      asset_id: asset.asset_id,
      gateway_id: gateway.id,
      nas: gateway.name,
      acct_session_id: `${each.toString(16)}${asset.imsi.slice(-8)}`,
      imsi: asset.imsi,
      apn: asset.apn,
      ip: `10.64.${Number(asset.imsi.slice(-4)) % 250}.${1 + ((Number(asset.imsi.slice(-3)) + i) % 250)}`,
      rat: part[0]!.rat,
      mccmnc: part[0]!.mccmnc,
      imei: asset.imei,
      started_at,
      updated_at: ended_at,
      heard_at: ended_at,
      ended_at,
      end_cause: cutAt ? 'Cut by Masthead' : ['User request', 'Idle timeout', 'Lost carrier'][i % 3]!,
      session_time: Math.round((ended_at.getTime() - started_at.getTime()) / 1000),
      counter_up: bytes_up,
      counter_down: bytes_down,
      bytes_up,
      bytes_down,
      interim_seconds: 300,
      cell: null,
      disconnect: cutAt && JSON.stringify(confirmed(cutAt)),
    }
  })
}

const confirmed = (at: Date): DisconnectOutcome => ({
  requested_at: new Date(at.getTime() + 40).toISOString(),
  answered_at: new Date(at.getTime() + 640).toISOString(),
  attempts: 1,
  answer: 'ack',
  words: 'Confirmed by the gateway',
})
