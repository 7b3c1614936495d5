import { monthWords } from './month-words.ts'

/** How far apart the points of a chart are. */
export type ChartInterval = 'minute' | 'hour' | 'day' | 'month'

/** "2 PM": in hours, as all clocks of the screen (spec §9). */
const clockWords = (hour: number, minutes = '') => `${hour % 12 || 12}${minutes} ${hour < 12 ? 'AM' : 'PM'}`

const minutesOf = (time: Date) => `:${String(time.getUTCMinutes()).padStart(2, '0')}`

/** The time of a point below the axis: short, in UTC. Seconds in. A day's first hour shows the day. */
export function axisWords(seconds: number, interval: ChartInterval): string {
  const time = new Date(seconds * 1000)
  const month = monthWords[time.getUTCMonth()]!
  if (interval === 'month') return time.getUTCMonth() === 0 ? `${month} ${time.getUTCFullYear()}` : month
  const isMidnight = time.getUTCHours() === 0 && (interval !== 'minute' || time.getUTCMinutes() === 0)
  if (interval === 'day' || isMidnight) return `${time.getUTCDate()} ${month}`
  return clockWords(time.getUTCHours(), interval === 'minute' && time.getUTCMinutes() > 0 ? minutesOf(time) : '')
}

/** The time of a point in full, in UTC: for the tooltip and the table. */
export function pointWords(seconds: number, interval: ChartInterval): string {
  const time = new Date(seconds * 1000)
  const month = monthWords[time.getUTCMonth()]!
  if (interval === 'month') return `${month} ${time.getUTCFullYear()}`
  const day = `${time.getUTCDate()} ${month} ${time.getUTCFullYear()}`
  return interval === 'day' ? day : `${day}, ${clockWords(time.getUTCHours(), minutesOf(time))} UTC`
}

/** Which points get a label, so that none touches the next: every n-th, by steps people count in. */
export function labelledPoints(count: number, width: number, room = 64): number[] {
  const most = Math.max(1, Math.floor(width / room))
  const least = Math.ceil(count / most)
  const step = [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 48, 72, 168].find((one) => one >= least) ?? least
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step)
}

/** Each series on top of those before it. Where nothing is known of any, nothing is drawn; else the unknown counts as nothing. */
export function stack(series: readonly (readonly (number | null)[])[]): (number | null)[][] {
  const known = (at: number) => series.some((values) => values[at] !== null && values[at] !== undefined)
  const sums: (number | null)[][] = []
  for (const values of series) {
    const below = sums.at(-1)
    sums.push(values.map((value, at) => (known(at) ? (value ?? 0) + (below?.[at] ?? 0) : null)))
  }
  return sums
}

/** Lines across a chart from zero (or from below `low`, where it is negative) to above `high`, at steps people count in; about `room` pixels apart. First and last are the ends of the scale. */
export function ticks(high: number, height: number, { low = 0, room = 44 }: { low?: number; room?: number } = {}): number[] {
  const span = high - low
  if (!(span > 0)) return low !== 0 ? [low - 1, low, low + 1] : [0, 1]
  const rough = span / Math.max(1, Math.round(height / room))
  const ten = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].find((one) => one * ten >= rough * (1 - 1e-9))! * ten
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step)
}

/** The points that stand alone between gaps: a line through them has no length, so they are drawn as dots. */
export const lonePoints = (values: readonly (number | null | undefined)[]): number[] => {
  const known = (at: number) => values[at] !== null && values[at] !== undefined
  return values.flatMap((_, at) => (known(at) && !known(at - 1) && !known(at + 1) ? [at] : []))
}

/** A part of the time, in seconds since 1970; both ends are points that are shown. */
export type ChartZoom = { from: number; to: number }

/** The first and last point of a zoom; all of them without one, or when it has left the times. */
export function zoomedPoints(times: readonly number[], zoom: ChartZoom | null): [first: number, last: number] {
  const all: [number, number] = [0, Math.max(0, times.length - 1)]
  if (!zoom) return all
  const first = times.findIndex((time) => time >= zoom.from)
  const last = times.findLastIndex((time) => time <= zoom.to)
  return first < 0 || last < first ? all : [first, last]
}

/** A zoom in or out of the points around `at`, by a half; null when that is everything. */
export function zoomAround(times: readonly number[], zoom: ChartZoom | null, at: number | null, by: 'in' | 'out'): ChartZoom | null {
  const [first, last] = zoomedPoints(times, zoom)
  const count = last - first + 1
  const wanted = by === 'in' ? Math.max(Math.min(2, count), Math.ceil(count / 2)) : count * 2
  if (wanted >= times.length) return null
  const middle = at ?? Math.floor((first + last) / 2)
  const from = Math.max(0, Math.min(times.length - wanted, middle - Math.floor((wanted - 1) / 2)))
  return { from: times[from]!, to: times[from + wanted - 1]! }
}
