import type { OverviewRange } from '@masthead/contract/overview/range'
import type { UsageInterval } from '@masthead/contract/usage/usage'
import { addMonths, floorTo, usagePeriod, type Period } from '../usage/index.ts'

const dayMs = 86_400_000

/** `start` and `end`: of a custom range, as of the total usage. */
export type AskedRange = { range: OverviewRange; start?: string | undefined; end?: string | undefined }

/** The period of a range, which holds `now` unless it is a custom one, in whole UTC intervals, and how it is divided. */
export function periodOf({ range, start, end }: AskedRange, now: Date): Period & { interval: UsageInterval } {
  if (range === 'custom') {
    const isShort = start !== undefined && Date.parse(end ?? now.toISOString()) - Date.parse(start) <= 2 * dayMs
    const interval = isShort ? 'hour' : 'day'
    return { ...usagePeriod({ start, end }, interval, now), interval }
  }
  const today = floorTo('day', now)
  const month = floorTo('month', now)
  const tomorrow = new Date(today.getTime() + dayMs)
  const daysBack = (days: number) => new Date(tomorrow.getTime() - days * dayMs)
  if (range === 'today') return { start: today, end: tomorrow, interval: 'hour' }
  if (range === '7d') return { start: daysBack(7), end: tomorrow, interval: 'day' }
  if (range === '30d') return { start: daysBack(30), end: tomorrow, interval: 'day' }
  if (range === '12m') return { start: addMonths(month, -11), end: addMonths(month, 1), interval: 'month' }
  return { start: month, end: addMonths(month, 1), interval: 'day' }
}
