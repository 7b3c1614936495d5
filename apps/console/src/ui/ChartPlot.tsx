import { useEffect, useImperativeHandle, useLayoutEffect, useRef, type Ref } from 'react'
import uPlot from 'uplot'
import { plotNumbers, plotOptions, plotShape, type PlotSource } from './chart-plot.ts'
import type { PaintedChart } from './chart-shape.ts'
import { useTheme } from './use-theme.ts'

/** A point of the drawing and where it is, in pixels of the whole; `half` is half its band. */
export type PlotPoint = { at: number; left: number; half: number; top: number; height: number; width: number }

export type PlotHandle = {
  /** Where the plot stands, to take a picture of it. */
  place: () => HTMLElement | null
  /** Points at a place, or at nothing. */
  point: (at: number | null) => void
}

/** The drawing of a chart, on a canvas. Loaded with the first chart. */
export function ChartPlot({
  label,
  chart,
  height,
  points,
  onPoint,
  onBrush,
  onReset,
  ref,
}: {
  label: string
  chart: PaintedChart
  height: number
  points: readonly [first: number, last: number]
  onPoint: (point: PlotPoint | null) => void
  onBrush: (first: number, last: number) => void
  onReset: () => void
  ref: Ref<PlotHandle>
}) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const theme = useTheme()
  const source = useRef<PlotSource>({ chart, points })
  const calls = useRef({ onPoint, onBrush, onReset })
  // The plot asks while it draws, which is after this.
  useLayoutEffect(() => {
    source.current = { chart, points }
    calls.current = { onPoint, onBrush, onReset }
  })
  useImperativeHandle(ref, () => ({
    place: () => place.current,
    point: (at) => plot.current?.setCursor({ left: at === null ? -10 : plot.current.valToPos(at, 'x'), top: at === null ? -10 : 0 }),
  }))

  const shape = plotShape(chart)
  useEffect(() => {
    const element = place.current!
    const made = new uPlot(
      plotOptions({
        place: element,
        size: { width: element.clientWidth, height },
        source: () => source.current,
        onPoint: (at, drawn) => calls.current.onPoint(at === null ? null : pointOf(drawn, at)),
        onBrush: (first, last) => calls.current.onBrush(first, last),
        onReset: () => calls.current.onReset(),
      }),
      plotNumbers(source.current.chart),
      element
    )
    plot.current = made
    const resized = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== made.width) made.setSize({ width: element.clientWidth, height })
    })
    resized.observe(element)
    // Drawn before its font was there, its words would keep the wrong one.
    if (document.fonts.status !== 'loaded') void document.fonts.ready.then(() => plot.current === made && made.redraw(false, true))
    return () => {
      resized.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [shape, theme, height])

  // New numbers, marks and zooms move in place: nothing is drawn anew from empty.
  const { times, interval, series, behind, band, marks, moments, format } = chart
  const [first, last] = points
  useEffect(() => {
    plot.current?.setData(plotNumbers(source.current.chart))
  }, [times, interval, series, behind, band, marks, moments, format, first, last])

  return <div ref={place} role="img" aria-label={`${label}. Its numbers can be shown as a table.`} className="chart-canvas" />
}

function pointOf(plot: uPlot, at: number): PlotPoint {
  const [edge, top, height] = [plot.bbox.left, plot.bbox.top, plot.bbox.height].map((size) => size / devicePixelRatio) as [
    number,
    number,
    number,
  ]
  const left = edge + plot.valToPos(at, 'x')
  return { at, left, half: edge + plot.valToPos(at + 0.5, 'x') - left, top, height, width: plot.width }
}
