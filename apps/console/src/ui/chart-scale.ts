import { monthWords } from './month-words.ts'

/** How far apart the points of a chart are. */
export type ChartInterval = 'hour' | 'day' | 'month'

const two = (value: number) => String(value).padStart(2, '0')

/** The time of a point below the axis: short, in UTC. Seconds in. A day's first hour shows the day. */
export function axisWords(seconds: number, interval: ChartInterval): string {
  const time = new Date(seconds * 1000)
  const month = monthWords[time.getUTCMonth()]!
  if (interval === 'month') return time.getUTCMonth() === 0 ? `${month} ${time.getUTCFullYear()}` : month
  if (interval === 'day' || time.getUTCHours() === 0) return `${time.getUTCDate()} ${month}`
  return `${two(time.getUTCHours())}:00`
}

/** The time of a point in full, in UTC: for the tooltip and the table. */
export function pointWords(seconds: number, interval: ChartInterval): string {
  const time = new Date(seconds * 1000)
  const month = monthWords[time.getUTCMonth()]!
  if (interval === 'month') return `${month} ${time.getUTCFullYear()}`
  const day = `${time.getUTCDate()} ${month} ${time.getUTCFullYear()}`
  return interval === 'day' ? day : `${day}, ${two(time.getUTCHours())}:00 UTC`
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

/** Lines across a chart from zero to above `high`, at steps people count in; about `room` pixels apart. The last is the top of the scale. */
export function ticks(high: number, height: number, room = 44): number[] {
  if (!(high > 0)) return [0, 1]
  const rough = high / Math.max(1, Math.round(height / room))
  const ten = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].find((one) => one * ten >= rough * (1 - 1e-9))! * ten
  const count = Math.max(1, Math.ceil(high / step - 1e-9))
  return Array.from({ length: count + 1 }, (_, at) => at * step)
}
