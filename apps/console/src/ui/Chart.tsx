import { ChartColumn, Table2 } from 'lucide-react'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { IconButton } from './Button.tsx'
import { areaPath, barsPath, chartScale, levels, linePath, seriesColor, type ChartData } from './chart-shape.ts'
import { ChartTable, PointTip, Swatch } from './ChartParts.tsx'
import { axisWords, labelledPoints, ticks } from './chart-scale.ts'

export type { ChartData, ChartSeries } from './chart-shape.ts'
export type { ChartInterval } from './chart-scale.ts'

type ChartProps = ChartData & {
  /** Names the chart for a screen reader and heads its table. */
  label: string
  height?: number
  /** Sums stand behind the names in the legend. */
  sums?: boolean
}

/** A chart over time: bars or areas stacked on each other, or lines. Its numbers can also be read as a table. Pass the same arrays while nothing changed. */
export function Chart({ label, height = 200, sums = false, ...chart }: ChartProps) {
  const [asTable, setAsTable] = useState(false)
  return (
    <figure className="grid min-w-0 gap-2" aria-label={label}>
      {asTable ? <ChartTable label={label} chart={chart} height={height} /> : <Plot label={label} chart={chart} height={height} />}
      <figcaption className="flex items-end gap-4">
        <Legend chart={chart} sums={sums} />
        <IconButton
          label={asTable ? 'Show as a chart' : 'Show as a table'}
          icon={asTable ? ChartColumn : Table2}
          size="small"
          className="-my-1 ml-auto"
          onClick={() => setAsTable(!asTable)}
        />
      </figcaption>
    </figure>
  )
}

function Legend({ chart: { series, behind, format }, sums }: { chart: ChartData; sums: boolean }) {
  if (series.length < 2 && !behind && !sums) return null
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-fg-2">
      {series.map((one, at) => (
        <li key={one.label} className="inline-flex items-center gap-1.5">
          <Swatch color={seriesColor(one, at, series.length)} />
          {one.label}
          {sums && <b className="font-medium text-fg">{format(one.values.reduce<number>((sum, value) => sum + (value ?? 0), 0))}</b>}
        </li>
      ))}
      {behind && (
        <li className="inline-flex items-center gap-1.5">
          <Swatch color="var(--chart-past)" />
          {behind.label}
        </li>
      )}
    </ul>
  )
}

const gutter = 56
const axis = 24

/** The width an element has, for drawing. */
function useWidth(): [React.RefObject<HTMLDivElement | null>, number] {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = place.current!
    setWidth(element.clientWidth)
    const resized = new ResizeObserver(() => setWidth(element.clientWidth))
    resized.observe(element)
    return () => resized.disconnect()
  }, [])
  return [place, width]
}

function Plot({ label, chart, height }: { label: string; chart: ChartData; height: number }) {
  const [place, whole] = useWidth()
  const [point, setPoint] = useState<number | null>(null)
  const width = Math.max(0, whole - gutter)
  const last = chart.times.length - 1
  const step = (to: number) => setPoint(last < 0 ? null : Math.max(0, Math.min(last, to)))
  const { kind, times, series, behind, marks } = chart
  const scale = useMemo(
    () => drawing({ kind, times, series, behind, marks }, width, height - axis - 8),
    [kind, times, series, behind, marks, width, height]
  )
  const pointed = (event: React.PointerEvent) => {
    const left = event.clientX - place.current!.getBoundingClientRect().left - gutter
    step(chart.kind === 'bars' || last < 1 ? Math.floor(left / scale.band) : Math.round((left / width) * last))
  }
  return (
    <div
      ref={place}
      role="img"
      aria-label={`${label}. Its numbers can be shown as a table.`}
      tabIndex={0}
      className="relative min-w-0 rounded-sm select-none"
      style={{ height }}
      onPointerMove={pointed}
      onPointerDown={pointed}
      onPointerLeave={() => setPoint(null)}
      onKeyDown={({ key }) => {
        if (key === 'ArrowRight') step((point ?? -1) + 1)
        if (key === 'ArrowLeft') step((point ?? last + 1) - 1)
        if (key === 'Escape') setPoint(null)
      }}
      onBlur={() => setPoint(null)}
    >
      {width > 0 && <Drawing chart={chart} scale={scale} width={width} height={height} point={point} />}
      {point !== null && <PointTip chart={chart} at={point} left={gutter + scale.x(point)} width={whole} />}
    </div>
  )
}

type Drawn = Pick<ChartData, 'kind' | 'times' | 'series'> & { behind: ChartData['behind']; marks: ChartData['marks'] }

/** Everything that depends on the numbers and the size, but not on the pointer. */
function drawing(chart: Drawn, width: number, height: number) {
  const ends = levels(chart)
  const high = Math.max(
    0,
    ...[...ends, chart.behind?.values ?? []].flatMap((values) => values.map((value) => value ?? 0)),
    ...(chart.marks ?? []).map((mark) => mark.value)
  )
  const lines = ticks(high, height)
  return { ...chartScale(chart, lines.at(-1)!, width, height), ends, lines, bottom: height }
}

function Drawing({
  chart,
  scale,
  width,
  height,
  point,
}: {
  chart: ChartData
  scale: ReturnType<typeof drawing>
  width: number
  height: number
  point: number | null
}) {
  const { kind, times, interval, series, behind, marks = [], format } = chart
  const { x, y, band, ends, lines, bottom } = scale
  return (
    <svg width={width + gutter} height={height} aria-hidden className="chart block overflow-visible">
      <g transform={`translate(${gutter} 8)`}>
        {lines.map((value) => (
          <g key={value}>
            <line x2={width} y1={y(value)} y2={y(value)} className={value === 0 ? 'chart-axis' : 'chart-line'} />
            <text x={-8} y={y(value)} dy="0.35em" textAnchor="end">
              {value === 0 ? '0' : format(value)}
            </text>
          </g>
        ))}
        {labelledPoints(times.length, width).map((at) => (
          <text key={at} x={x(at)} y={bottom + 17} textAnchor={kind !== 'bars' && at === 0 ? 'start' : 'middle'}>
            {axisWords(times[at]!, interval)}
          </text>
        ))}
        {point !== null && kind === 'bars' && <rect x={x(point) - band / 2} width={band} height={bottom} className="chart-band" />}
        {behind && (
          <path
            d={kind === 'bars' ? barsPath(behind.values, undefined, scale, 0.86, 52) : areaPath(behind.values, undefined, scale)}
            fill="var(--chart-past)"
          />
        )}
        {series.map((one, at) => {
          const color = seriesColor(one, at, series.length)
          const below = kind === 'line' ? undefined : ends[at - 1]
          if (kind === 'bars') return <path key={one.label} d={barsPath(ends[at]!, below, scale, 0.64, 40)} fill={color} />
          return (
            <g key={one.label}>
              {kind === 'area' && <path d={areaPath(ends[at]!, below, scale)} fill={color} fillOpacity={0.15} />}
              <path
                d={linePath(ends[at]!, scale)}
                fill="none"
                stroke={color}
                strokeWidth={2}
                strokeLinejoin="round"
                strokeLinecap="round"
              />
            </g>
          )
        })}
        {marks.map((mark) => (
          <g key={mark.label} stroke={`var(--${mark.tone}-mark)`}>
            <line
              x2={width}
              y1={y(mark.value)}
              y2={y(mark.value)}
              strokeWidth={mark.tone === 'bad' ? 1.5 : 1}
              strokeDasharray={mark.tone === 'bad' ? undefined : '3 3'}
            />
            <text x={4} y={y(mark.value) - 5} stroke="none" style={{ fill: `var(--${mark.tone}-fg)` }}>
              {mark.label}
            </text>
          </g>
        ))}
        {point !== null && kind !== 'bars' && (
          <>
            <line x1={x(point)} x2={x(point)} y2={bottom} className="chart-pointer" />
            {ends.map((values, at) => {
              const value = values[point]
              if (value === null || value === undefined) return null
              return (
                <circle
                  key={series[at]!.label}
                  cx={x(point)}
                  cy={y(value)}
                  r={4}
                  fill="var(--bg)"
                  stroke={seriesColor(series[at]!, at, series.length)}
                  strokeWidth={2}
                />
              )
            })}
          </>
        )}
      </g>
    </svg>
  )
}
