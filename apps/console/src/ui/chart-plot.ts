import uPlot from 'uplot'
import { canvasFont, dashedFrom, drawMarks, drawMoments, forecastFill, paintAt } from './chart-ink.ts'
import { axisWords, labelledPoints, lonePoints, ticks } from './chart-scale.ts'
import { extent, levels, type PaintedChart } from './chart-shape.ts'

/** What a plot asks for while it draws: always the newest, so that new numbers need no new plot. */
export type PlotSource = { chart: PaintedChart; points: readonly [first: number, last: number] }

const faded = (color: string) => (/^#[\da-f]{6}$/i.test(color) ? `${color}26` : color)

/** In the order they are drawn: behind, the band's two edges, then bars from the tallest down, so that each shows its own part. */
const drawnOrder = ({ kind, series }: PaintedChart) => {
  const places = series.map((_, at) => at)
  return kind === 'bars' ? places.toReversed() : places
}

/** The numbers as uPlot draws them. Points are counted, not timed: months and days stand equally far apart. */
export function plotNumbers(chart: PaintedChart): uPlot.AlignedData {
  const { times, behind, band } = chart
  const ends = levels(chart)
  const rows = [...(behind ? [behind.values] : []), ...(band ? [band.low, band.high] : []), ...drawnOrder(chart).map((at) => ends[at]!)]
  return [times.map((_, at) => at), ...rows.map((row) => [...row])]
}

/** Bars need half a bar of room at each end; so does a single point. */
const xEnds = ({ chart, points: [first, last] }: PlotSource): [number, number] => {
  const half = chart.kind === 'bars' || first === last ? 0.5 : 0
  return [first - half, last + half]
}

/** What only a new plot can change. While it stays, numbers move in place. */
export const plotShape = ({ kind, series, behind, band }: PaintedChart) =>
  JSON.stringify([kind, series.map((one) => [one.paint, one.forecastFrom]), Boolean(behind), Boolean(band)])

/** Everything uPlot needs but the numbers. Colours are read here: make it anew when the theme changes. */
export function plotOptions({
  place,
  size,
  source,
  onPoint,
  onBrush,
  onReset,
}: {
  place: Element
  size: { width: number; height: number }
  source: () => PlotSource
  onPoint: (point: number | null, plot: uPlot) => void
  onBrush: (first: number, last: number) => void
  onReset: () => void
}): uPlot.Options {
  const paint = paintAt(place)
  const { chart } = source()
  const bars = chart.kind === 'bars'
  const axis = { stroke: paint('--fg-3'), font: canvasFont(1), ticks: { show: false } }
  const quiet = { width: 0, points: { show: false } }

  const drawn: uPlot.Series[] = drawnOrder(chart).map((at) => {
    const one = chart.series[at]!
    const color = paint(one.paint)
    if (bars)
      return {
        fill: forecastFill(color, paint('--bg'), one.forecastFrom),
        stroke: paint('--bg'),
        width: chart.series.length > 1 ? 1 : 0,
        paths: uPlot.paths.bars!({ size: [0.64, 40] }),
        points: { show: false },
      }
    return {
      stroke: color,
      width: 2,
      cap: 'round',
      ...(chart.kind === 'area' && { fill: faded(color) }),
      ...(one.forecastFrom !== undefined && { paths: dashedFrom(one.forecastFrom) }),
      points: { show: true, size: 6, fill: color, filter: (plot, index) => lonePoints([...(plot.data[index] ?? [])]) },
    }
  })
  const before: uPlot.Series[] = chart.behind
    ? [
        {
          ...quiet,
          fill: paint('--chart-past'),
          ...(bars ? { paths: uPlot.paths.bars!({ size: [0.86, 52] }) } : {}),
        },
      ]
    : []
  const edges: uPlot.Series[] = chart.band ? [quiet, quiet] : []
  const firstDrawn = 1 + before.length + edges.length
  const bands: uPlot.Band[] = [
    ...(chart.band ? [{ series: [firstDrawn - 1, firstDrawn - 2] as uPlot.Band.Bounds, fill: paint('--chart-1-soft') }] : []),
    ...(chart.kind === 'area'
      ? drawn.slice(1).map((_, at) => ({ series: [firstDrawn + at + 1, firstDrawn + at] as uPlot.Band.Bounds }))
      : []),
  ]
  return {
    ...size,
    padding: [8, 6, 0, 0],
    legend: { show: false },
    cursor: {
      x: !bars,
      y: false,
      drag: { x: true, y: false, setScale: false, dist: 6 },
      points: { show: !bars, size: 9, width: 2, fill: paint('--bg'), stroke: (plot, at) => String(plot.series[at]!.points?.fill ?? '') },
      bind: { dblclick: () => () => (onReset(), null) },
    },
    scales: {
      x: { time: false, range: () => xEnds(source()) },
      y: { range: (plot) => endsOf(plot, source()) },
    },
    axes: [
      {
        ...axis,
        size: 24,
        gap: 6,
        grid: { show: false },
        border: { show: true, stroke: paint('--chart-axis'), width: 1 },
        splits: (plot) => labelsThatFit(plot, source()),
        values: (_plot, splits) => splits.map((at) => axisWords(source().chart.times[at] ?? 0, source().chart.interval)),
      },
      {
        ...axis,
        size: (plot, values) => gutterOf(plot, values),
        gap: 8,
        grid: { stroke: paint('--chart-grid'), width: 1 },
        splits: (plot) => linesOf(plot, source()),
        values: (_plot, splits) => splits.map((value) => (value === 0 ? '0' : (source().chart.axis ?? source().chart.format)(value))),
      },
    ],
    series: [{}, ...before, ...edges, ...drawn],
    bands,
    hooks: {
      setCursor: [
        (plot) => {
          const { idx, left } = plot.cursor
          onPoint(idx === null || idx === undefined || (left ?? -1) < 0 ? null : idx, plot)
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width === 0) return
          const [first, last] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          onBrush(Math.ceil(first - (bars ? 0.5 : 0)), Math.floor(last + (bars ? 0.5 : 0)))
        },
      ],
      draw: [(plot) => drawMarks(plot, source().chart, paint), (plot) => drawMoments(plot, source().chart, paint)],
    },
  }
}

const plotHeight = (plot: uPlot) => (plot.bbox.height > 0 ? plot.bbox.height / devicePixelRatio : plot.height - 32)

const linesOf = (plot: uPlot, { chart, points }: PlotSource) => {
  const { low, high } = extent(chart, points)
  return ticks(high, plotHeight(plot), { low })
}

const endsOf = (plot: uPlot, source: PlotSource): [number, number] => {
  const lines = linesOf(plot, source)
  return [lines[0]!, lines.at(-1)!]
}

/** As wide as the longest number beside the axis. */
function gutterOf(plot: uPlot, values: readonly string[] | null) {
  if (!values?.length) return 48
  plot.ctx.save()
  plot.ctx.font = canvasFont(devicePixelRatio)
  const widest = Math.max(...values.map((words) => plot.ctx.measureText(words).width)) / devicePixelRatio
  plot.ctx.restore()
  return Math.max(40, Math.ceil(widest) + 14)
}

function labelsThatFit(plot: uPlot, { chart, points: [first, last] }: PlotSource) {
  if (chart.times.length === 0) return []
  const width = plot.bbox.width > 0 ? plot.bbox.width / devicePixelRatio : plot.width - 56
  return (
    labelledPoints(last - first + 1, width)
      .map((at) => first + at)
      // The last one's words would be cut at the edge.
      .filter((at) => plot.bbox.width === 0 || plot.valToPos(at, 'x') <= width - 12)
  )
}
