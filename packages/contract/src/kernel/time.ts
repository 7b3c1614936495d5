const units = [
  [60, 1, 's'],
  [3600, 60, 'min'],
  [86_400, 3600, 'h'],
  [86_400 * 30, 86_400, 'd'],
  [86_400 * 365, 86_400 * 30, 'mo'],
  [Infinity, 86_400 * 365, 'y'],
] as const

/** A length of time by its largest unit: "9 s", "3 min", "2 d". Seconds in. */
export function formatDuration(seconds: number): string {
  const length = Math.max(0, Math.floor(seconds))
  const [, size, name] = units.find(([below]) => length < below)!
  return `${Math.floor(length / size)} ${name}`
}

/** A length of time in its two largest units: "6 h 12 min". Seconds in. */
export function formatLongDuration(seconds: number): string {
  const length = Math.max(0, Math.floor(seconds))
  const parts = [
    [Math.floor(length / 86_400), 'd'],
    [Math.floor(length / 3600) % 24, 'h'],
    [Math.floor(length / 60) % 60, 'min'],
    [length % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  if (first < 0) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(' ')
}

/** The same to the nearest, so that 90 days less a moment are "3 mo". What rounds up to a whole larger unit has that: 59.6 seconds are "1 min". */
function formatNearest(seconds: number): string {
  const [, size, name] = units.find(([below, unit]) => seconds + unit / 2 < below)!
  return `${Math.round(seconds / size)} ${name}`
}

/** "4 s ago", "in 3 d"; within a second either way "now". What lies ahead is rounded: it is looked at a moment after it was set. `now` in milliseconds. */
export function formatRelative(at: string, now: number): string {
  const seconds = (now - Date.parse(at)) / 1000
  if (!Number.isFinite(seconds)) return '—'
  if (Math.abs(seconds) < 1) return 'now'
  return seconds > 0 ? `${formatDuration(seconds)} ago` : `in ${formatNearest(-seconds)}`
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
export const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const two = (value: number) => String(value).padStart(2, '0')

/** "2:31 PM", with seconds "2:31:48 PM" (spec §9: h:mm AM/PM): the one clock of all screens. */
export function formatClock(hour: number, minute: number, second?: number): string {
  return `${hour % 12 || 12}:${two(minute)}${second === undefined ? '' : `:${two(second)}`} ${hour < 12 ? 'AM' : 'PM'}`
}

/** "Sat 21 Nov 2026, 2:31:48 PM UTC"; with minutes east of it "…, 5:31:48 PM UTC+3". */
export function formatExact(at: string, minutesEast = 0): string {
  const time = new Date(Date.parse(at) + minutesEast * 60_000)
  if (Number.isNaN(time.getTime())) return '—'
  const clock = formatClock(time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds())
  return `${days[time.getUTCDay()]} ${time.getUTCDate()} ${monthNames[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${clock} ${zoneName(minutesEast)}`
}

/** The same where the reader is, as all times of a screen are. */
export const formatExactHere = (at: string): string => formatExact(at, -new Date(at).getTimezoneOffset())

function zoneName(minutesEast: number): string {
  if (!minutesEast) return 'UTC'
  const minutes = Math.abs(minutesEast)
  return `UTC${minutesEast < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${minutes % 60 ? `:${two(minutes % 60)}` : ''}`
}

/** The day of a moment in UTC, as calls and the database write it: "2026-11-21". */
export const dayOf = (at: Date | number): string => new Date(at).toISOString().slice(0, 10)

/** "21 Nov 2026" in UTC. */
export function formatDay(at: string | Date): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? '—' : `${time.getUTCDate()} ${monthNames[time.getUTCMonth()]} ${time.getUTCFullYear()}`
}

/** "21 Nov 2026" where the reader is. */
export const formatDayHere = (at: string): string => formatDay(new Date(Date.parse(at) - new Date(at).getTimezoneOffset() * 60_000))

/** "21 Nov, 2:31 PM" where the reader is. */
export function formatMoment(at: string): string {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return '—'
  return `${time.getDate()} ${monthNames[time.getMonth()]}, ${formatClock(time.getHours(), time.getMinutes())}`
}

/** "Nov 05, 2:31 PM" in the reader's own time zone (spec §9: Mon DD, h:mm AM/PM). */
export function formatActivityTime(at: string): string {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return '—'
  return `${monthNames[time.getMonth()]} ${two(time.getDate())}, ${formatClock(time.getHours(), time.getMinutes())}`
}
