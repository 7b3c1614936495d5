const minute = 60_000

export type QuietHours = { from: number; to: number; timezone: string }

/** The end of the quiet hours that `at` lies in, or null when it lies in none. `from` and `to` in minutes after midnight in the time zone. */
export function quietUntil(at: Date, { from, to, timezone }: QuietHours): Date | null {
  const now = minuteOfDay(at, timezone)
  const since = (now - from + 1440) % 1440
  const length = (to - from + 1440) % 1440
  if (since >= length) return null
  const end = Math.floor(at.getTime() / minute) * minute + (length - since) * minute
  // Where the clock is put forward or back in between, the end stands at the same time of the clock.
  const off = ((to - minuteOfDay(new Date(end), timezone) + 1440 + 720) % 1440) - 720
  return new Date(end + off * minute)
}

/** The next moment at which a clock in the time zone comes to this minute after midnight: `at` itself where it comes to it just then. */
export function nextAt(at: Date, minuteOf: number, timezone: string): Date {
  const now = minuteOfDay(at, timezone)
  if (now !== minuteOf) return quietUntil(at, { from: now, to: minuteOf, timezone })!
  const begun = at.getTime() % minute
  return begun === 0 ? at : nextAt(new Date(at.getTime() - begun + minute), minuteOf, timezone)
}

/** By how many minutes the clock of a time zone is ahead of UTC at a moment. */
export function minutesEast(at: Date, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeZoneName: 'longOffset' }).formatToParts(at)
  const said = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):?(\d\d)?/.exec(said) ?? []
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

/** Minutes after midnight on the clock of a time zone. */
function minuteOfDay(at: Date, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const number = (type: string) => Number(parts.find((part) => part.type === type)!.value)
  return number('hour') * 60 + number('minute')
}

export const clockTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

export const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
