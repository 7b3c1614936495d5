import { dayOf, formatClock, formatDay, monthNames } from '@masthead/contract/kernel/time'
import type { UsageInterval } from '@masthead/contract/usage/usage'
import { usageLongestDays } from '@masthead/contract/usage/longest-days'

/** What a period can be named by; `custom` has days of its own. */
export const periodPresets = {
  today: 'Today',
  '7d': '7 d',
  '30d': '30 d',
  month: 'Month',
  last_month: 'Last month',
  '12m': '12 mo',
  custom: 'Custom',
} as const

/** Whole UTC days, as times on the wire: `start` inside, `end` outside. */
export type Period = { start: string; end: string }

const dayMs = 86_400_000
const midnight = (day: string) => Date.parse(`${day}T00:00:00Z`)
const iso = (time: number) => new Date(time).toISOString()

/** The period of a preset on a day, or of two chosen days (both inside, in either order; without them today). */
export function periodOf(preset: string, from: string, to: string, today: string): Period {
  const now = midnight(today)
  const [year = 0, month = 1] = today.split('-').map(Number)
  const monthStart = (by: number) => iso(Date.UTC(year, month - 1 + by))
  if (preset === 'custom') {
    const days = [from || today, to || today].toSorted()
    return { start: iso(midnight(days[0]!)), end: iso(midnight(days[1]!) + dayMs) }
  }
  if (preset === 'today') return { start: iso(now), end: iso(now + dayMs) }
  if (preset === '7d') return { start: iso(now - 6 * dayMs), end: iso(now + dayMs) }
  if (preset === '30d') return { start: iso(now - 29 * dayMs), end: iso(now + dayMs) }
  if (preset === 'last_month') return { start: monthStart(-1), end: monthStart(0) }
  if (preset === '12m') return { start: monthStart(-11), end: monthStart(1) }
  return { start: monthStart(0), end: monthStart(1) }
}

const daysIn = ({ start, end }: Period) => (Date.parse(end) - Date.parse(start)) / dayMs

/** Why a period cannot be divided so, in words; null when it can. */
export const tooLongFor = (period: Period, interval: UsageInterval): string | null =>
  daysIn(period) > usageLongestDays[interval] ? `At most ${usageLongestDays[interval]} days` : null

/** How a period is divided when nobody says: hours up to two days, days up to three months. */
export function usualInterval(period: Period): UsageInterval {
  const days = daysIn(period)
  return days <= 2 ? 'hour' : days <= 100 ? 'day' : 'month'
}

/** The start of every interval of a period, to come or not, in seconds. */
export function intervalStarts({ start, end }: Period, interval: UsageInterval): number[] {
  const starts: number[] = []
  const at = new Date(start)
  while (at.getTime() < Date.parse(end)) {
    starts.push(at.getTime() / 1000)
    if (interval === 'month') at.setUTCMonth(at.getUTCMonth() + 1, 1)
    else at.setTime(at.getTime() + (interval === 'day' ? dayMs : dayMs / 24))
  }
  return starts
}

/** A period in words: "November 2026", "1 – 21 Nov 2026", "21 Nov 2026". Days are UTC. */
export function periodWords({ start, end }: Period): string {
  const first = new Date(start)
  const last = new Date(Date.parse(end) - 1)
  const day = formatDay(last.toISOString())
  if (dayOf(first) === dayOf(last)) return day
  const sameMonth = first.toISOString().slice(0, 7) === last.toISOString().slice(0, 7)
  if (sameMonth && first.getUTCDate() === 1 && new Date(end).getUTCDate() === 1)
    return `${monthNames[first.getUTCMonth()]} ${first.getUTCFullYear()}`
  if (sameMonth) return `${first.getUTCDate()} – ${day}`
  const sameYear = first.getUTCFullYear() === last.getUTCFullYear()
  return `${first.getUTCDate()} ${monthNames[first.getUTCMonth()]}${sameYear ? '' : ` ${first.getUTCFullYear()}`} – ${day}`
}

/** The same for a period that may end within a day: "20 Nov 2026 until 6:00 AM". */
export function beforeWords({ start, end }: Period): string {
  const until = new Date(end)
  const [hour, minute] = [until.getUTCHours(), until.getUTCMinutes()]
  return daysIn({ start, end }) < 1 && hour + minute > 0
    ? `${formatDay(start)} until ${formatClock(hour, minute)}`
    : periodWords({ start, end })
}

/** Exactly one calendar month. */
export const isWholeMonth = ({ start, end }: Period): boolean => {
  const first = new Date(start)
  return first.getUTCDate() === 1 && Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1) === Date.parse(end)
}
