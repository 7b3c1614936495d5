import uPlot from 'uplot'
import { axisWords, labelledPoints, stack, type ChartInterval } from './chart-scale.ts'

export type ChartSeries = {
  label: string
  values: readonly (number | null)[]
  /** Which of the chart tokens, 1 to 8; by its place when left out. */
  color?: number
}

export type ChartData = {
  kind: 'bars' | 'area' | 'line'
  /** When each point begins, in seconds since 1970. */
  times: readonly number[]
  interval: ChartInterval
  series: readonly ChartSeries[]
  /** The period before, wider and paler behind the bars. */
  behind?: { label: string; values: readonly (number | null)[] }
  /** Lines across: a limit, an alert. */
  marks?: readonly { label: string; value: number; tone: 'bad' | 'warn' }[]
  format: (value: number) => string
}

/** A token as it is now: charts are drawn on canvas and take their colours at run time. */
const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
/** The first of one or two series takes a calmer green than that of the set of eight, which must differ from seven others. */
export const seriesColor = ({ color }: ChartSeries, at: number, count: number) =>
  color === undefined && at === 0 && count < 3 ? '--plot-1' : `--chart-${color ?? (at % 8) + 1}`

const seconds = { hour: 3600, day: 86_400, month: 86_400 * 30.4 }

/** What uPlot draws: the period before, then the stacked series from the tallest to the lowest, so that each shows its own part. */
export function plotData({ kind, times, series, behind }: ChartData): uPlot.AlignedData {
  const values = kind === 'line' ? series.map((one) => [...one.values]) : stack(series.map((one) => one.values)).reverse()
  return [[...times], ...(behind ? [[...behind.values]] : []), ...values] as uPlot.AlignedData
}

const font = '11px "Inter Variable", system-ui, sans-serif'

function markLines(marks: NonNullable<ChartData['marks']>) {
  return (plot: uPlot) => {
    const { ctx, bbox } = plot
    ctx.save()
    ctx.textAlign = 'left'
    ctx.textBaseline = 'bottom'
    ctx.font = `${11 * devicePixelRatio}px "Inter Variable", system-ui, sans-serif`
    for (const { label, value, tone } of marks) {
      const y = Math.round(plot.valToPos(value, 'y', true)) + 0.5
      ctx.strokeStyle = token(`--${tone}-mark`)
      ctx.fillStyle = token(`--${tone}-fg`)
      ctx.lineWidth = devicePixelRatio * (tone === 'bad' ? 1.5 : 1)
      ctx.setLineDash(tone === 'bad' ? [] : [3 * devicePixelRatio, 3 * devicePixelRatio])
      ctx.beginPath()
      ctx.moveTo(bbox.left, y)
      ctx.lineTo(bbox.left + bbox.width, y)
      ctx.stroke()
      ctx.fillText(label, bbox.left + 4 * devicePixelRatio, y - 3 * devicePixelRatio)
    }
    ctx.restore()
  }
}

/** Everything uPlot needs but the numbers. Colours are read here: make it again when the theme changes. */
export function plotOptions(chart: ChartData, size: { width: number; height: number }, onPoint: (plot: uPlot) => void): uPlot.Options {
  const { kind, times, series, behind, marks = [], interval, format } = chart
  const bars = kind === 'bars'
  const half = seconds[interval] / 2
  const order = kind === 'line' ? series.map((_, at) => at) : series.map((_, at) => series.length - 1 - at)
  const drawn: uPlot.Series[] = order.map((at) => {
    const color = token(seriesColor(series[at]!, at, series.length))
    if (bars)
      return {
        fill: color,
        stroke: token('--bg'),
        width: series.length > 1 ? 1 : 0,
        paths: uPlot.paths.bars!({ size: [0.64, 40] }),
        points: { show: false },
      }
    return { stroke: color, width: 2, ...(kind === 'area' && { fill: `${color}26` }), points: { show: times.length < 2 } }
  })
  const before: uPlot.Series[] = behind
    ? [{ fill: token('--chart-past'), width: 0, paths: uPlot.paths.bars!({ size: [0.86, 52] }), points: { show: false } }]
    : []
  const axis = { stroke: token('--fg-3'), font, ticks: { show: false } }
  return {
    ...size,
    padding: [8, 4, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { show: !bars, size: 7 } },
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'UTC'),
    scales: {
      x: { range: (_plot, first, last) => (bars ? [first - half, last + half] : [first, last]) },
      y: { range: (_plot, _low, high) => [0, Math.max(high, ...marks.map((mark) => mark.value), 0) * 1.06 || 1] },
    },
    axes: [
      {
        ...axis,
        size: 24,
        gap: 6,
        grid: { show: false },
        border: { show: true, stroke: token('--chart-axis'), width: 1 },
        splits: (plot) => labelledPoints(times.length, plot.width - 60).map((at) => times[at]!),
        values: (_plot, splits) => splits.map((at) => axisWords(at, interval)),
      },
      {
        ...axis,
        size: 60,
        gap: 8,
        space: 44,
        grid: { stroke: token('--chart-grid'), width: 1 },
        values: (_plot, splits) => splits.map((value) => (value === 0 ? '0' : format(value))),
      },
    ],
    series: [{}, ...before, ...drawn],
    hooks: { setCursor: [onPoint], ...(marks.length > 0 && { draw: [markLines(marks)] }) },
  }
}
