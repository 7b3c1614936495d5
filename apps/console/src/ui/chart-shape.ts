import { stack, type ChartInterval } from './chart-scale.ts'

export type ChartSeries = {
  label: string
  values: readonly (number | null)[]
  /** Which of the chart tokens, 1 to 8, or the quiet one of what is left over; by its place when left out. */
  color?: number | 'rest'
}

export type ChartData = {
  kind: 'bars' | 'area' | 'line'
  /** When each point begins, in seconds since 1970. */
  times: readonly number[]
  interval: ChartInterval
  /** Bars and areas stand on each other, lines beside. */
  series: readonly ChartSeries[]
  /** The period before, wider and paler behind. */
  behind?: { label: string; values: readonly (number | null)[] }
  /** Lines across: a limit, an alert. */
  marks?: readonly { label: string; value: number; tone: 'bad' | 'warn' }[]
  format: (value: number) => string
}

/** The first of one or two series takes a calmer green than that of the set of eight, which must differ from seven others. */
export const seriesColor = ({ color }: ChartSeries, at: number, count: number) =>
  color === 'rest'
    ? 'var(--idle-mark)'
    : color === undefined && at === 0 && count < 3
      ? 'var(--plot-1)'
      : `var(--chart-${color ?? (at % 8) + 1})`

/** From values and places to pixels, inside the plot. */
export type Scale = { x: (at: number) => number; y: (value: number) => number; band: number }

export function chartScale({ kind, times }: Pick<ChartData, 'kind' | 'times'>, top: number, width: number, height: number): Scale {
  const band = width / Math.max(1, times.length)
  // Lines reach both edges, unless there is a single point.
  const step = kind === 'bars' || times.length < 2 ? band : width / (times.length - 1)
  const first = kind === 'bars' || times.length < 2 ? band / 2 : 0
  return { x: (at) => first + at * step, y: (value) => height - (value / top) * height, band }
}

/** The values a series ends at: its own, or what it reaches on top of those below. */
export const levels = ({ kind, series }: Pick<ChartData, 'kind' | 'series'>): (number | null)[][] =>
  kind === 'line' ? series.map((one) => [...one.values]) : stack(series.map((one) => one.values))

const px = (value: number) => Math.round(value * 100) / 100

/** Bars from `from` (or zero) up to `to`, as one path. A hairline of the ground divides a bar from the one below. */
export function barsPath(
  to: readonly (number | null)[],
  from: readonly (number | null)[] | undefined,
  { x, y, band }: Scale,
  part: number,
  most: number
): string {
  const width = Math.max(1, Math.min(band * part, most))
  return to
    .map((value, at) => {
      const below = from?.[at] ?? 0
      if (value === null || value <= below) return ''
      const bottom = y(below) - (below > 0 ? 1 : 0)
      const top = Math.min(y(value), bottom)
      return `M${px(x(at) - width / 2)} ${px(top)}h${px(width)}V${px(bottom)}h${px(-width)}Z`
    })
    .join('')
}

/** The stretches of points without a gap, each as first and last place. */
function stretches(values: readonly (number | null)[]): [number, number][] {
  const found: [number, number][] = []
  values.forEach((value, at) => {
    if (value === null || value === undefined) return
    const last = found.at(-1)
    if (last && last[1] === at - 1) last[1] = at
    else found.push([at, at])
  })
  return found
}

const along = (values: readonly (number | null)[], [first, last]: [number, number], { x, y }: Scale) =>
  Array.from({ length: last - first + 1 }, (_, step) => `${px(x(first + step))} ${px(y(values[first + step] ?? 0))}`)

/** A line through the values, with gaps where nothing is known. */
export const linePath = (values: readonly (number | null)[], scale: Scale) =>
  stretches(values)
    .map((stretch) => {
      const points = along(values, stretch, scale)
      return `M${points.length > 1 ? points.join('L') : `${points[0]}h0.01`}`
    })
    .join('')

/** The ground between two lines, or below one. */
export const areaPath = (to: readonly (number | null)[], from: readonly (number | null)[] | undefined, scale: Scale) =>
  stretches(to)
    .map(
      (stretch) =>
        `M${along(to, stretch, scale).join('L')}L${along(from ?? to.map(() => 0), stretch, scale)
          .toReversed()
          .join('L')}Z`
    )
    .join('')
