import type { Activity } from '@masthead/contract/activities/activity'
import { eventCategories } from '@masthead/contract/event-reading'
import { formatClock, formatDay } from '@masthead/contract/kernel/time'

const two = (value: number) => String(value).padStart(2, '0')

/** The day of a time where the reader is: `2026-11-21`. */
export function localDay(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** The start of a day where the reader is, `days` later, as a time on the wire. */
export function startOfLocalDay(day: string, days = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + days).toISOString()
}

/** Activities by the reader's day, in their order. */
export const byDay = (activities: readonly Activity[]): [string, Activity[]][] => [
  ...Map.groupBy(activities, ({ at }) => localDay(new Date(at))),
]

/** "Today, 21 Nov 2026", "Yesterday, …", "Thu 19 Nov 2026". */
export function dayWords(day: string, today: string): string {
  const words = formatDay(`${day}T00:00:00Z`)
  const before = (Date.parse(today) - Date.parse(day)) / 86_400_000
  if (before === 0) return `Today, ${words}`
  if (before === 1) return `Yesterday, ${words}`
  return `${new Date(day).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' })} ${words}`
}

/** "2:31 PM" where the reader is. */
export function clockWords(at: string): string {
  const time = new Date(at)
  return formatClock(time.getHours(), time.getMinutes())
}

const labels: Record<string, string> = {
  alpon_fleets: 'Fleets',
  auth: 'Sign-in and account',
  backoffice: 'Support staff',
  core: 'CORE deployments',
  datapools: 'Data pools',
  terminal: 'Terminals',
}

/** The kinds of activity one can look for: the areas that have events. */
export const categories = eventCategories.map((value) => ({
  value,
  label: labels[value] ?? value[0]!.toUpperCase() + value.slice(1).replaceAll('_', ' '),
}))
