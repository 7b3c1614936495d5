import { Cron } from 'croner'
import type { Every, ReportKind } from '@masthead/contract/reports/report'
import { dayOf } from '@masthead/contract/kernel/time'

const dayMs = 86_400_000

/** The day that it is in a time zone: `2026-11-03`. */
export const dayIn = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)

/** A day so many days later, by the calendar. */
export const addDays = (day: string, days: number): string => dayOf(Date.parse(day) + days * dayMs)

/** When a day begins in a time zone. Where midnight is left out, as clocks are set forward, the first moment after it. */
export function startOfDay(day: string, timeZone: string): Date {
  const before = new Date(Date.parse(day) - 36 * 3_600_000)
  // The first midnight that begins this day; croner knows what the zone does to it.
  const midnights = new Cron('0 0 0 * * *', { timezone: timeZone })
  for (let at = midnights.nextRun(before); at; at = midnights.nextRun(at)) if (dayIn(at, timeZone) >= day) return at
  throw new Error(`No ${day} in ${timeZone}`)
}

const patterns: Record<Every, (hour: number) => string> = {
  day: (hour) => `0 0 ${hour} * * *`,
  week: (hour) => `0 0 ${hour} * * 1`,
  month: (hour) => `0 0 ${hour} 1 * *`,
}

type Schedule = { kind: ReportKind; every: Every; hour: number; timezone: string }

/**
 * When a schedule runs next, after a time. An hour that is left out when clocks are set forward comes with the one after it. Days of costs are in UTC, and end later than
 * those of who lives east of it: they are waited for.
 */
export function nextRun({ kind, every, hour, timezone }: Schedule, after: Date): Date {
  const runs = new Cron(patterns[every](hour), { timezone })
  for (let at = runs.nextRun(new Date(after.getTime() - dayMs))!; ; at = runs.nextRun(at)!) {
    const due = kind === 'costs' ? new Date(Math.max(at.getTime(), Date.parse(dayIn(at, timezone)))) : at
    if (due > after) return due
  }
}

/** The days that a run at a time is of: the day, the week or the month before. */
export function daysBefore(every: Every, at: Date, timezone: string): { start: string; end: string } {
  const today = dayIn(at, timezone)
  if (every === 'day') return { start: addDays(today, -1), end: addDays(today, -1) }
  if (every === 'week') {
    const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7))
    return { start: addDays(monday, -7), end: addDays(monday, -1) }
  }
  const end = addDays(`${today.slice(0, 7)}-01`, -1)
  return { start: `${end.slice(0, 7)}-01`, end }
}
