import { forecastOf } from '../../datapools/forecast.ts'
import type { LimitPeriod } from '../sim.ts'

const dayMs = 86_400_000

export type Rehearsed = {
  /** Bytes of a day at the pace of its last days. */
  pace_bytes: number
  /** From how many whole days that pace is. */
  days: number
  /** When the limit would be reached; null: not in this period and the next. Milliseconds since 1970. */
  reached: { expected: number; earliest: number | null; latest: number | null } | null
  /** It would be reached in the next period, which counts from 0. */
  next_period: boolean
  /** What the period that runs would come to. */
  at_end_bytes: number
}

/**
 * How long a limit would last at the pace of the last whole days, the oldest first: nothing is changed by asking. A month that ends before counts
 * from 0 in the next one. Null: there is no whole day to take a pace from, or nothing was used on them.
 */
export function rehearse(
  {
    days,
    used_bytes,
    limit_bytes,
    period,
  }: { days: readonly number[]; used_bytes: number; limit_bytes: number | null; period: LimitPeriod },
  now: number
): Rehearsed | null {
  const last = days.slice(-7)
  const pace = last.length === 0 ? 0 : last.reduce((sum, each) => sum + each, 0) / last.length
  if (pace === 0) return null
  const [start, end, after] = bounds(period, now)
  const shared = { pace_bytes: Math.round(pace), days: last.length, at_end_bytes: Math.round(used_bytes + (pace * (end - now)) / dayMs) }
  const not = { ...shared, reached: null, next_period: false }
  if (limit_bytes === null) return not
  if (used_bytes >= limit_bytes) return { ...shared, reached: { expected: now, earliest: now, latest: now }, next_period: false }
  const size_bytes = limit_bytes
  const running = forecastOf({ starts_at: start, ends_at: end, size_bytes, used_bytes, days: last }, now)?.runs_out
  if (running) return { ...shared, reached: asTimes(running), next_period: false }
  const next = forecastOf({ starts_at: end, ends_at: after, size_bytes, used_bytes: 0, days: last }, end)?.runs_out
  return next ? { ...shared, reached: asTimes(next), next_period: true } : not
}

const asTimes = ({ expected, earliest, latest }: { expected: string; earliest: string; latest: string | null }) => ({
  expected: Date.parse(expected),
  earliest: Date.parse(earliest),
  latest: latest === null ? null : Date.parse(latest),
})

/** Start and end of the period that runs, and the end of the next, in UTC. */
function bounds(period: LimitPeriod, now: number): [number, number, number] {
  const at = new Date(now)
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  const of = (n: number) => (period === 'month' ? Date.UTC(year, month + n, 1) : Date.UTC(year, month, day + n))
  return [of(0), of(1), of(2)]
}
