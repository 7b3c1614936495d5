import { stack, type ChartInterval } from './chart-scale.ts'

type Values = readonly (number | null)[]

export type ChartSeries = {
  label: string
  values: Values
  /** Which of the chart tokens, 1 to 8, or the quiet one of what is left over; by its place when left out. */
  color?: number | 'rest'
  /** From this point on it is a forecast: bars are hatched, lines dashed. */
  forecastFrom?: number
}

export type ChartData = {
  kind: 'bars' | 'area' | 'line'
  /** When each point begins, in seconds since 1970. */
  times: readonly number[]
  interval: ChartInterval
  /** Bars and areas stand on each other, lines beside. */
  series: readonly ChartSeries[]
  /** The period before, wider and paler behind. */
  behind?: { label: string; values: Values }
  /** How far off a forecast may be: the area between two values. */
  band?: { label: string; low: Values; high: Values }
  /** Lines across: a limit, an alert. */
  marks?: readonly { label: string; value: number; tone: 'bad' | 'warn' }[]
  /** Lines down: when something happened, in seconds since 1970. */
  moments?: readonly { label: string; at: number; tone: 'bad' | 'warn' | 'ok' }[]
  /** False lets the scale of lines fit the values, for what is never near zero: a signal, a temperature. */
  fromZero?: boolean
  format: (value: number) => string
  /** What the scale says beside the ruled lines, where whole numbers stand; as `format` when left out. */
  axis?: (value: number) => string
}

/** A series with the colour it has, whatever others are hidden. */
export type PaintedSeries = ChartSeries & { paint: string }
export type PaintedChart = Omit<ChartData, 'series'> & { series: readonly PaintedSeries[] }

/** The first of one or two series takes a calmer green than that of the set of eight, which must differ from seven others. */
export const seriesColor = ({ color }: Pick<ChartSeries, 'color'>, at: number, count: number) =>
  color === 'rest'
    ? 'var(--idle-mark)'
    : color === undefined && at === 0 && count < 3
      ? 'var(--plot-1)'
      : `var(--chart-${color ?? (at % 8) + 1})`

/** The values a series ends at: its own, or what it reaches on top of those below. */
export const levels = ({ kind, series }: Pick<ChartData, 'kind' | 'series'>): (number | null)[][] =>
  kind === 'line' ? series.map((one) => [...one.values]) : stack(series.map((one) => one.values))

/** The lowest and highest of everything drawn between two points, marks included. */
export function extent(chart: PaintedChart, [first, last]: readonly [number, number]): { low: number; high: number } {
  const { behind, band, marks = [], fromZero = true } = chart
  const drawn = [...levels(chart), ...(behind ? [behind.values] : []), ...(band ? [band.low, band.high] : [])]
  const known = drawn.flatMap((values) => values.slice(first, last + 1)).filter((value): value is number => typeof value === 'number')
  // A line at the very top would leave no room for its words.
  const all = [...known, ...marks.map((mark) => mark.value * 1.06)]
  if (all.length === 0) return { low: 0, high: 0 }
  // One by one: a spread of many thousand arguments overflows the stack.
  const [low, high] = all.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity])
  return fromZero ? { low: Math.min(0, low), high: Math.max(0, high) } : { low, high }
}

/** Whether there is any value to draw. */
export const hasValues = ({ series, behind }: Pick<ChartData, 'series' | 'behind'>) =>
  [...series, ...(behind ? [behind] : [])].some(({ values }) => values.some((value) => value !== null && value !== undefined))

/** Where a moment stands among the points, which are counted and not timed; null outside of them. Bars stand around their point, half a step to each side. */
export function momentPlace({ times, kind }: Pick<ChartData, 'times' | 'kind'>, at: number): number | null {
  const before = times.findLastIndex((time) => time <= at)
  if (before === -1) return null
  const begun = times[before]!
  // The last one lasts as long as the one before it.
  const length = (times[before + 1] ?? Number.NaN) - begun || begun - (times[before - 1] ?? Number.NaN)
  const share = (at - begun) / length
  if (!(share < 1)) return null
  return before + share - (kind === 'bars' ? 0.5 : 0)
}

/**
 * Where the words beside lines down a plot begin, so that no line and no other words lie on them: to the right of their line, else to its left; null where
 * neither has room. In pixels, in the order of `moments`, which is any.
 */
export function placeWords(
  moments: readonly { x: number; width: number }[],
  edges: { left: number; right: number },
  gap: number
): (number | null)[] {
  const places: (number | null)[] = moments.map(() => null)
  const order = [...moments.keys()].toSorted((one, other) => moments[one]!.x - moments[other]!.x)
  let taken = edges.left
  for (const [nth, moment] of order.entries()) {
    const { x, width } = moments[moment]!
    const next = moments[order[nth + 1] ?? -1]?.x ?? edges.right
    const before = Math.max(taken, moments[order[nth - 1] ?? -1]?.x ?? edges.left)
    const left = x + gap + width <= next ? x + gap : x - gap - width >= before ? x - gap - width : null
    if (left !== null) taken = left + width
    places[moment] = left
  }
  return places
}
