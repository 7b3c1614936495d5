import { monthLimitOf } from '@masthead/contract/assets/month-limit'
import { hasService } from '@masthead/contract/assets/service'
import type { Sim, SimUsage } from '@masthead/contract/assets/sim'
import { formatClock } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { UsageInterval, UsagePoint } from '@masthead/contract/usage/usage'
import { forecastBytes, intervalStarts } from '../../usage/index.ts'
import { shortDay } from '../sim-words.ts'

type Span = { start: string; end: string }
const iso = (time: number) => new Date(time).toISOString()
const hour = 3_600_000

type OfMonth = Omit<SimUsage, 'bytes_up' | 'bytes_down' | 'limit_used_bytes' | 'limit_of'>

/** What the month comes to at the pace so far, in a sentence; null when that is too early to say, or the limit is reached. `now` in milliseconds. */
export function paceWords(usage: OfMonth, now: number) {
  const { period_start, period_end, period_bytes } = usage
  const limit_bytes = monthLimitOf(usage)
  const whole = forecastBytes(period_bytes, { start: period_start, end: period_end }, now)
  if (!whole || (limit_bytes !== null && period_bytes >= limit_bytes)) return null
  if (limit_bytes !== null && whole >= limit_bytes) {
    const start = Date.parse(period_start)
    return `At this month’s pace the limit is reached on ${shortDay(iso(start + (limit_bytes / period_bytes) * (now - start)))}`
  }
  return `At this month’s pace ${formatBytes(whole)} by ${shortDay(iso(Date.parse(period_end) - 1))}`
}

/** The time a step of the chart looks at: two days of hours, the billing month of days, a year of months. `now` in milliseconds. */
export function usageWindow(
  interval: UsageInterval,
  { period_start, period_end }: Pick<SimUsage, 'period_start' | 'period_end'>,
  now: number
): Span {
  if (interval === 'day') return { start: period_start, end: period_end }
  if (interval === 'hour') {
    const end = (Math.floor(now / hour) + 1) * hour
    return { start: iso(end - 48 * hour), end: iso(end) }
  }
  const time = new Date(now)
  const month = (offset: number) => iso(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + offset, 1))
  return { start: month(-11), end: month(1) }
}

/** Points of a window without gaps, and the sum so far: nothing where nothing was used, null for what is to come. Times in seconds, as charts take them. */
export function usageGrid(interval: UsageInterval, window: Span, points: readonly UsagePoint[], now: number) {
  const known = new Map(points.map((point) => [Date.parse(point.at) / 1000, point]))
  const times = intervalStarts(window, interval)
  const of = (read: (point: UsagePoint) => number) => times.map((at) => (at * 1000 > now ? null : known.has(at) ? read(known.get(at)!) : 0))
  const up = of((point) => point.bytes_up)
  const down = of((point) => point.bytes_down)
  let sum = 0
  const used = up.map((value, at) => (value === null ? null : (sum += value + (down[at] ?? 0))))
  return { times, up, down, used }
}

/** Since when a SIM has no service, and the words for its chart; null while it has. What came first took the service. */
export function breakOf(sim: Pick<Sim, 'state' | 'state_changed_at' | 'blocks'>): { at: number; label: string } | null {
  if (hasService(sim)) return null
  const own = hasService({ state: sim.state, blocks: [] }) ? [] : [sim.state_changed_at]
  const since = [...own, ...sim.blocks.map((block) => block.since)]
    .filter((at) => at !== null)
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))[0]
  if (!since) return null
  const time = new Date(since)
  const clock = formatClock(time.getUTCHours(), time.getUTCMinutes())
  return { at: time.getTime() / 1000, label: `No service since ${shortDay(since)}, ${clock} UTC` }
}
