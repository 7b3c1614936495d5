import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { UsageInterval } from '@masthead/contract/usage/usage'
import { usageLongestDays } from '@masthead/contract/usage/longest-days'

/** `start` is inside, `end` outside. */
export type Period = { start: Date; end: Date }

const hourMs = 3_600_000
export const dayMs = 24 * hourMs

const words: Record<UsageInterval, string> = { hour: 'by the hour', day: 'by the day', month: 'by the month' }

/** The start of the interval that holds `at`, in UTC. */
export function floorTo(interval: UsageInterval, at: Date): Date {
  if (interval === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))
  const size = interval === 'day' ? dayMs : hourMs
  return new Date(Math.floor(at.getTime() / size) * size)
}

/** The start of the interval after the one that starts at `at`. */
export function nextOf(interval: UsageInterval, at: Date): Date {
  if (interval === 'month') return addMonths(at, 1)
  return new Date(at.getTime() + (interval === 'day' ? dayMs : hourMs))
}

/** `at` itself when an interval starts there, else the start of the next one. */
export function ceilTo(interval: UsageInterval, at: Date): Date {
  const start = floorTo(interval, at)
  return start.getTime() === at.getTime() ? start : nextOf(interval, start)
}

/** Moves a start of a month. */
export const addMonths = (at: Date, months: number) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months))

const isMonthStart = (at: Date) => floorTo('month', at).getTime() === at.getTime()

/** How many whole calendar months a period is; 0 when it is anything else. */
export const wholeMonths = ({ start, end }: Period): number =>
  isMonthStart(start) && isMonthStart(end)
    ? (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth()
    : 0

/** What was asked for, cut to whole intervals. Without a start and an end: this month. */
export function usagePeriod(asked: { start?: string | undefined; end?: string | undefined }, interval: UsageInterval, now: Date): Period {
  const until = asked.end ? new Date(asked.end) : asked.start ? now : addMonths(floorTo('month', now), 1)
  const from = asked.start ? new Date(asked.start) : floorTo('month', new Date(until.getTime() - 1))
  if (until <= from) throw wrongEnd('The end must be after the start')
  const period = { start: floorTo(interval, from), end: ceilTo(interval, until) }
  const longest = usageLongestDays[interval]
  // What was asked for counts, not what it is widened to.
  if (until.getTime() - from.getTime() > longest * dayMs)
    throw wrongEnd(`Choose at most ${longest.toLocaleString('en')} days when counting ${words[interval]}`)
  return period
}

const wrongEnd = (why: string) => new Problem(invalidRequest, why, { fields: { end: why } })

/** The period just before: as many whole months, else the same length. While the period lasts, only as far into it as we are now. */
export function previousOf(period: Period, now: Date): Period {
  const months = wholeMonths(period)
  const start = months ? addMonths(period.start, -months) : new Date(period.start.getTime() * 2 - period.end.getTime())
  if (now >= period.end || now < period.start) return { start, end: period.start }
  const elapsed = ceilTo('hour', now).getTime() - period.start.getTime()
  return { start, end: new Date(Math.min(start.getTime() + elapsed, period.start.getTime())) }
}

/** The start of each interval of a period that has begun by `now`. */
export function intervalsOf({ start, end }: Period, interval: UsageInterval, now: Date): Date[] {
  const starts: Date[] = []
  for (let at = start; at < end && at <= now; at = nextOf(interval, at)) starts.push(at)
  return starts
}
