import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react'
import uPlot from 'uplot'
import { plotNumbers, plotOptions, plotShape, type PlotSource } from './chart-plot.ts'
import { zoomAround, zoomedPoints, type ChartZoom } from './chart-scale.ts'
import { hasValues, type PaintedChart } from './chart-shape.ts'
import { pointText, PointTip } from './ChartParts.tsx'
import { useTheme } from './use-theme.ts'

/** Where the plot stands, to take a picture of it. */
export type PlotHandle = { place: () => HTMLElement | null }

/** The drawing of a chart: on a canvas, with a tooltip by pointer and by arrow keys, and a brush that zooms. Loaded with the first chart. */
export function ChartPlot({
  label,
  chart,
  height,
  zoom,
  onZoom,
  ref,
}: {
  label: string
  chart: PaintedChart
  height: number
  zoom: ChartZoom | null
  onZoom: (zoom: ChartZoom | null) => void
  ref?: Ref<PlotHandle>
}) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [point, setPoint] = useState<number | null>(null)
  const theme = useTheme()
  const points = zoomedPoints(chart.times, zoom)
  const source = useRef<PlotSource>({ chart, points })
  const latestZoom = useRef(onZoom)
  // The plot asks while it draws, which is after this.
  useLayoutEffect(() => {
    source.current = { chart, points }
    latestZoom.current = onZoom
  })
  useImperativeHandle(ref, () => ({ place: () => place.current }))

  const shape = plotShape(chart)
  useEffect(() => {
    const element = place.current!
    const made = new uPlot(
      plotOptions({
        place: element,
        size: { width: element.clientWidth, height },
        source: () => source.current,
        onPoint: setPoint,
        onBrush: (first, last) => {
          const { times } = source.current.chart
          const [from, to] = [times[Math.max(0, first)], times[Math.min(times.length - 1, last)]]
          if (from !== undefined && to !== undefined && from < to) latestZoom.current({ from, to })
        },
        onReset: () => latestZoom.current(null),
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
  const { times, interval, series, behind, band, marks, format } = chart
  const [first, last] = points
  useEffect(() => {
    const made = plot.current
    if (!made || made.data === undefined) return
    made.batch(() => made.setData(plotNumbers(source.current.chart)))
  }, [times, interval, series, behind, band, marks, format, first, last])

  const move = (to: number | null) => {
    const made = plot.current
    if (!made) return
    if (to === null) return made.setCursor({ left: -10, top: -10 })
    const at = Math.max(first, Math.min(last, to))
    made.setCursor({ left: made.valToPos(at, 'x'), top: 0 })
  }
  const shown = point !== null && point >= first && point <= last && times.length > 0 ? point : null
  const keys: Record<string, () => void> = {
    ArrowRight: () => move((shown ?? first - 1) + 1),
    ArrowLeft: () => move((shown ?? last + 1) - 1),
    Home: () => move(first),
    End: () => move(last),
    '+': () => onZoom(zoomAround(times, zoom, shown, 'in')),
    '-': () => onZoom(zoomAround(times, zoom, shown, 'out')),
    Escape: () => (shown === null ? onZoom(null) : move(null)),
  }
  return (
    <div className="relative min-w-0 select-none" style={{ height }} onPointerLeave={() => move(null)}>
      <div ref={place} role="img" aria-label={`${label}. Its numbers can be shown as a table.`} className="chart-canvas" />
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Points of ${label}`}
        aria-description="Arrow keys go from point to point, + and - zoom, Escape shows everything."
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={shown ?? first}
        aria-valuetext={shown === null ? 'No point' : pointText(chart, shown)}
        className="pointer-events-none absolute inset-0 rounded-sm"
        onKeyDown={(event) => {
          const act = keys[event.key]
          if (!act || event.ctrlKey || event.metaKey || event.altKey) return
          // Escape with nothing to take back belongs to the dialog around.
          if (event.key === 'Escape' && shown === null && !zoom) return
          event.preventDefault()
          event.stopPropagation()
          act()
        }}
        onBlur={() => move(null)}
      />
      {!hasValues(chart) && (
        <p className="pointer-events-none absolute inset-0 grid place-content-center pb-6 text-fg-3">No data in this period</p>
      )}
      {shown !== null && plot.current && <Pointed plot={plot.current} chart={chart} at={shown} />}
    </div>
  )
}

/** The band of the bar under the pointer, and what it says. */
function Pointed({ plot, chart, at }: { plot: uPlot; chart: PaintedChart; at: number }) {
  const edge = plot.bbox.left / devicePixelRatio
  const middle = edge + plot.valToPos(at, 'x')
  const half = plot.valToPos(at + 0.5, 'x') + edge - middle
  return (
    <>
      {chart.kind === 'bars' && (
        <div
          aria-hidden
          className="chart-band"
          style={{
            left: middle - half,
            width: half * 2,
            top: plot.bbox.top / devicePixelRatio,
            height: plot.bbox.height / devicePixelRatio,
          }}
        />
      )}
      <PointTip chart={chart} at={at} left={middle} width={plot.width} />
    </>
  )
}
