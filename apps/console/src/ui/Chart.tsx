import { ChartColumn, Table2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { IconButton } from './Button.tsx'
import { plotData, plotOptions, seriesColor, type ChartData } from './chart-plot.ts'
import { pointWords } from './chart-scale.ts'

export type { ChartData, ChartSeries } from './chart-plot.ts'
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

const Swatch = ({ color }: { color: string }) => (
  <span aria-hidden className="size-2.5 flex-none rounded-[2px]" style={{ background: `var(${color})` }} />
)

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
          <Swatch color="--chart-past" />
          {behind.label}
        </li>
      )}
    </ul>
  )
}

/** The theme as it is now; renders again when it changes. */
function useTheme() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme)
  useEffect(() => {
    const watch = new MutationObserver(() => setTheme(document.documentElement.dataset.theme))
    watch.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => watch.disconnect()
  }, [])
  return theme
}

function Plot({ label, chart, height }: { label: string; chart: ChartData; height: number }) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(chart)
  const [point, setPoint] = useState<{ at: number; left: number } | null>(null)
  const theme = useTheme()
  latest.current = chart
  const shape = JSON.stringify([
    chart.kind,
    chart.interval,
    chart.series.map((one) => [one.label, one.color]),
    chart.behind?.label,
    chart.marks,
    chart.times.length,
  ])

  useEffect(() => {
    const element = place.current!
    const onPoint = ({ cursor }: uPlot) =>
      setPoint(cursor.idx === null || cursor.idx === undefined || cursor.left! < 0 ? null : { at: cursor.idx, left: cursor.left! + 60 })
    const made = new uPlot(plotOptions(latest.current, { width: element.clientWidth, height }, onPoint), plotData(latest.current), element)
    plot.current = made
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    resized.observe(element)
    return () => {
      resized.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [shape, theme, height])

  // New numbers of the same shape move in place, without drawing anew.
  useEffect(() => plot.current?.setData(plotData(chart)), [chart.times, chart.series, chart.behind])

  const step = (to: number) => {
    const at = Math.max(0, Math.min(chart.times.length - 1, to))
    const made = plot.current
    if (made && chart.times.length > 0) made.setCursor({ left: made.valToPos(chart.times[at]!, 'x'), top: 0 })
  }
  return (
    <div
      ref={place}
      role="img"
      aria-label={`${label}. Its numbers can be shown as a table.`}
      tabIndex={0}
      className="chart relative min-w-0 rounded-sm"
      style={{ height }}
      onKeyDown={({ key }) => {
        if (key === 'ArrowRight') step((point?.at ?? -1) + 1)
        if (key === 'ArrowLeft') step((point?.at ?? chart.times.length) - 1)
        if (key === 'Escape') setPoint(null)
      }}
      onBlur={() => setPoint(null)}
    >
      {point && <PointTip chart={chart} at={point.at} left={point.left} width={place.current?.clientWidth ?? 0} />}
    </div>
  )
}

/** What the bar under the pointer says. */
function PointTip({
  chart: { times, interval, series, behind, format },
  at,
  left,
  width,
}: {
  chart: ChartData
  at: number
  left: number
  width: number
}) {
  if (times[at] === undefined) return null
  const total = series.reduce((sum, one) => sum + (one.values[at] ?? 0), 0)
  const right = left > width / 2
  return (
    <div className="chart-tip" style={right ? { right: width - left + 10 } : { left: left + 10 }}>
      <div className="text-on-ink-2">{pointWords(times[at], interval)}</div>
      {series.map((one, place) => (
        <div key={one.label} className="flex items-center gap-1.5">
          <Swatch color={seriesColor(one, place, series.length)} />
          {one.label}
          <b className="ml-auto pl-3 font-medium">
            {one.values[at] === null || one.values[at] === undefined ? '—' : format(one.values[at])}
          </b>
        </div>
      ))}
      {series.length > 1 && (
        <div className="flex">
          Total<b className="ml-auto pl-3 font-medium">{format(total)}</b>
        </div>
      )}
      {behind && (
        <div className="flex text-on-ink-2">
          {behind.label}
          <span className="ml-auto pl-3">
            {behind.values[at] === null || behind.values[at] === undefined ? '—' : format(behind.values[at])}
          </span>
        </div>
      )}
    </div>
  )
}

function ChartTable({
  label,
  chart: { times, interval, series, behind, format },
  height,
}: {
  label: string
  chart: ChartData
  height: number
}) {
  const columns = [...series, ...(behind ? [behind] : [])]
  return (
    <div
      className="overflow-auto rounded-md border border-line"
      style={{ height }}
      tabIndex={0}
      role="region"
      aria-label={`${label}, as a table`}
    >
      <table className="w-full text-xs">
        <thead className="sticky top-0 bg-chrome text-fg-3">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              Time
            </th>
            {columns.map((one) => (
              <th key={one.label} scope="col" className="px-3 py-1.5 text-right font-medium">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {times.map((time, at) => (
            <tr key={time}>
              <th scope="row" className="px-3 py-1 text-left font-normal text-fg-2">
                {pointWords(time, interval)}
              </th>
              {columns.map((one) => (
                <td key={one.label} className="px-3 py-1 text-right">
                  {one.values[at] === null || one.values[at] === undefined ? '—' : format(one.values[at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
