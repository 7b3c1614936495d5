// Days are text, `2026-11-21`: they have no time zone, and sort as they count.

const dayMs = 86_400_000
const asDay = (time: number) => new Date(time).toISOString().slice(0, 10)

/** Moves a day by whole days. */
export const shiftDay = (day: string, days: number) => asDay(Date.parse(day) + days * dayMs)

/** Moves a day by whole months; the 31st becomes the last day of a shorter month. */
export function shiftMonth(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return asDay(Date.UTC(year, month - 1 + months, Math.min(date, last)))
}

/** spec §5, §9: how far the list of years goes from the current one. */
const yearSpan = { before: 20, after: 50 } as const

/** The years a calendar offers, around that of `today`. */
export const yearsAround = (today: string) =>
  Array.from({ length: yearSpan.before + 1 + yearSpan.after }, (_, at) => Number(today.slice(0, 4)) - yearSpan.before + at)

/** 0 for Sunday: weeks start there (spec §5). */
export const weekdayOf = (day: string) => new Date(day).getUTCDay()

/** The weeks of a day's month, Sunday first, with the days of its neighbours that fill them. */
export function weeksOf(day: string): string[][] {
  const first = `${day.slice(0, 7)}-01`
  const start = shiftDay(first, -weekdayOf(first))
  const weeks: string[][] = []
  for (let at = start; at < shiftMonth(first, 1); at = shiftDay(at, 7)) weeks.push(Array.from({ length: 7 }, (_, i) => shiftDay(at, i)))
  return weeks
}

/** Whether text is a day that exists. */
export const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && asDay(Date.parse(text)) === text
