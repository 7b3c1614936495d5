import { lazy, Suspense, useRef, useState, type Ref } from 'react'
import { zoomAround, zoomedPoints, type ChartZoom } from './chart-scale.ts'
import { hasValues, type PaintedChart } from './chart-shape.ts'
import { pointText, PointTip } from './ChartParts.tsx'
import type { PlotHandle, PlotPoint } from './ChartPlot.tsx'
import { Skeleton } from './Skeleton.tsx'
import { useSeen } from './use-seen.ts'

const ChartPlot = lazy(() => import('./ChartPlot.tsx').then((module) => ({ default: module.ChartPlot })))

/** The drawing of a chart with what one points at: by pointer, or by arrow keys; a brush and + and - zoom. */
export function ChartPointer({
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
  ref: Ref<PlotHandle>
}) {
  const plot = useRef<PlotHandle>(null)
  const [point, setPoint] = useState<PlotPoint | null>(null)
  const [place, seen] = useSeen<HTMLDivElement>()
  const { times } = chart
  const points = zoomedPoints(times, zoom)
  const [first, last] = points
  const shown = point && point.at >= first && point.at <= last && times.length > 0 ? point : null
  const move = (to: number | null) => plot.current?.point(to === null ? null : Math.max(first, Math.min(last, to)))
  const brush = (begin: number, end: number) => {
    const [from, to] = [times[Math.max(0, begin)], times[Math.min(times.length - 1, end)]]
    if (from !== undefined && to !== undefined && from < to) onZoom({ from, to })
  }
  const keys: Record<string, () => void> = {
    ArrowRight: () => move((shown?.at ?? first - 1) + 1),
    ArrowLeft: () => move((shown?.at ?? last + 1) - 1),
    Home: () => move(first),
    End: () => move(last),
    '+': () => onZoom(zoomAround(times, zoom, shown?.at ?? null, 'in')),
    '-': () => onZoom(zoomAround(times, zoom, shown?.at ?? null, 'out')),
    Escape: () => (shown ? move(null) : onZoom(null)),
  }
  return (
    <div ref={place} className="relative min-w-0 select-none" style={{ height }} onPointerLeave={() => move(null)}>
      {seen ? (
        <Suspense fallback={<Skeleton className="h-full w-full" />}>
          <ChartPlot
            ref={(handle) => {
              plot.current = handle
              if (typeof ref === 'function') ref(handle)
              else if (ref) ref.current = handle
            }}
            label={label}
            chart={chart}
            height={height}
            points={points}
            onPoint={setPoint}
            onBrush={brush}
            onReset={() => onZoom(null)}
          />
          {!hasValues(chart) && (
            <p className="pointer-events-none absolute inset-0 grid place-content-center pb-6 text-fg-3">No data in this period</p>
          )}
        </Suspense>
      ) : (
        <Skeleton className="h-full w-full" />
      )}
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Points of ${label}`}
        aria-description="Arrow keys go from point to point, + and - zoom, Escape shows everything."
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={shown?.at ?? first}
        aria-valuetext={shown ? pointText(chart, shown.at) : 'No point'}
        className="pointer-events-none absolute inset-0 rounded-sm"
        onKeyDown={(event) => {
          const act = keys[event.key]
          if (!act || event.ctrlKey || event.metaKey || event.altKey) return
          // Escape with nothing to take back belongs to the dialog around.
          if (event.key === 'Escape' && !shown && !zoom) return
          event.preventDefault()
          event.stopPropagation()
          act()
        }}
        onBlur={() => move(null)}
      />
      {shown && chart.kind === 'bars' && (
        <div
          aria-hidden
          className="chart-band"
          style={{ left: shown.left - shown.half, width: shown.half * 2, top: shown.top, height: shown.height }}
        />
      )}
      {shown && <PointTip chart={chart} at={shown.at} left={shown.left} width={shown.width} />}
    </div>
  )
}
