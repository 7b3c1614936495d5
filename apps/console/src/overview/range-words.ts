import type { Reply } from '@masthead/contract/kernel/operation'
import { dayOf, monthNames } from '@masthead/contract/kernel/time'
import type { getOverview } from '@masthead/contract/overview/operations'
import type { OverviewRange } from '@masthead/contract/overview/range'
import { periodWords } from '../usage/index.ts'

export type Overview = Reply<typeof getOverview>

/** A range of one's own has so many days at most. */
export const mostDays = 366

const dayMs = 86_400_000
// Those of the calendar would bring it to the first screen.
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
export const shiftDay = (day: string, days: number): string => dayOf(Date.parse(day) + days * dayMs)

/** Two days of the address that can be a range of one's own. */
export const areRange = (from: string, to: string): boolean => isDay(from) && isDay(to) && from <= to && shiftDay(from, mostDays) > to

export const lastDayOf = (end: string): string => dayOf(Date.parse(end) - 1)

const month = (at: string) => monthNames[new Date(at).getUTCMonth()]!

/** What a range is called beside a figure, what it is compared with, and what the period before is called in a chart. */
export function rangeWords(range: OverviewRange, usage: { start: string; end: string }) {
  const { start } = usage
  const before = month(new Date(Date.parse(start) - 1).toISOString())
  const words = {
    today: { label: 'Data today', now: 'Today, UTC', compared: 'vs yesterday, same hours', before: 'Yesterday' },
    '7d': { label: 'Data in 7 days', now: 'Last 7 days, UTC', compared: 'vs the 7 days before', before: '7 days before' },
    '30d': { label: 'Data in 30 days', now: 'Last 30 days, UTC', compared: 'vs the 30 days before', before: '30 days before' },
    month: { label: 'Data this month', now: `${month(start)}, UTC`, compared: `vs ${before}, same days`, before },
    '12m': { label: 'Data in 12 months', now: 'Last 12 months, UTC', compared: 'vs the 12 months before', before: '12 months before' },
    custom: { label: 'Data in these days', now: `${periodWords(usage)}, UTC`, compared: 'vs the period before', before: 'Period before' },
  }
  return words[range]
}
