import type { Window } from '@masthead/contract/alpon-fleets/rollout'

/** By their numbers: 0 is Sunday. */
export const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
/** As a week begins. */
export const weekOrder = [1, 2, 3, 4, 5, 6, 0] as const

/** "22:05" of 1325. */
export const timeOfMinute = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

/** 1325 of "22:05"; NaN where it is no time of the day. */
export function minuteOfTime(text: string): number {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? []
  return hour !== undefined && Number(hour) < 24 && Number(minute) < 60 ? Number(hour) * 60 + Number(minute) : Number.NaN
}

/** "Mon to Fri, 22:00 to 04:00, Europe/Berlin". */
export function windowWords({ days, from_minute, to_minute, timezone }: Window): string {
  const places = weekOrder.flatMap((day, place) => (days.includes(day) ? [place] : []))
  const [first = 0] = places
  const last = places.at(-1) ?? first
  const name = (place: number) => weekdays[weekOrder[place]!]
  const inRow = places.length > 2 && last - first + 1 === places.length
  const which = places.length === 7 ? 'Every day' : inRow ? `${name(first)} to ${name(last)}` : places.map(name).join(', ')
  return `${which}, ${timeOfMinute(from_minute)} to ${timeOfMinute(to_minute)}, ${timezone.replaceAll('_', ' ')}`
}
