import { cx } from './cx.ts'
import { pointWords } from './chart-scale.ts'
import { type PaintedChart } from './chart-shape.ts'

/** The colour of a series, beside its name. */
export const Swatch = ({ color, off = false }: { color: string; off?: boolean }) => (
  <span
    aria-hidden
    className={cx('size-2.5 flex-none rounded-[2px] forced-color-adjust-none', off && 'ring-1 ring-control ring-inset')}
    style={off ? undefined : { background: color }}
  />
)

const isKnown = (value: number | null | undefined): value is number => value !== null && value !== undefined

/** What there is to say about a point: each series with its value, their sum, the period before, the span of a forecast. */
function pointRows({ kind, series, behind, band, format }: PaintedChart, at: number) {
  const words = (value: number | null | undefined) => (isKnown(value) ? format(value) : '—')
  const known = series.map((one) => one.values[at]).filter(isKnown)
  return [
    ...series.map((one) => ({
      label: one.forecastFrom !== undefined && at >= one.forecastFrom ? `${one.label}, forecast` : one.label,
      value: words(one.values[at]),
      paint: one.paint,
    })),
    ...(kind !== 'line' && series.length > 1
      ? [{ label: 'Total', value: words(known.length ? known.reduce((a, b) => a + b) : null) }]
      : []),
    ...(band && isKnown(band.low[at])
      ? [{ label: band.label, value: `${words(band.low[at])} to ${words(band.high[at])}`, quiet: true }]
      : []),
    ...(behind ? [{ label: behind.label, value: words(behind.values[at]), quiet: true }] : []),
  ] as { label: string; value: string; paint?: string; quiet?: boolean }[]
}

/** A point in one sentence, for a screen reader. */
export const pointText = (chart: PaintedChart, at: number) =>
  `${pointWords(chart.times[at] ?? 0, chart.interval)}: ${pointRows(chart, at)
    .map(({ label, value }) => `${label} ${value === '—' ? 'unknown' : value}`)
    .join(', ')}`

/** What the bar under the pointer says. */
export function PointTip({ chart, at, left, width }: { chart: PaintedChart; at: number; left: number; width: number }) {
  const time = chart.times[at]
  if (time === undefined) return null
  const right = left > width / 2
  return (
    <div aria-hidden className="chart-tip" style={right ? { right: width - left + 10 } : { left: left + 10 }}>
      <div className="text-on-ink-2">{pointWords(time, chart.interval)}</div>
      {pointRows(chart, at).map(({ label, value, paint, quiet }) => (
        <div key={label} className={cx('flex items-center gap-1.5', quiet && 'text-on-ink-2')}>
          {paint && <Swatch color={paint} />}
          {label}
          <span className={cx('ml-auto pl-3', !quiet && 'font-medium')}>{value}</span>
        </div>
      ))}
    </div>
  )
}

/** The names of the series, each a switch that takes it out of the drawing. */
export function ChartLegend({
  entries,
  onToggle,
}: {
  entries: readonly { label: string; paint: string; sum?: string; off: boolean }[]
  onToggle: (label: string) => void
}) {
  return (
    <ul aria-label="Series" className="-mx-1 flex flex-wrap gap-x-2 text-xs text-fg-2">
      {entries.map(({ label, paint, sum, off }) => (
        <li key={label}>
          <button
            type="button"
            aria-pressed={!off}
            className={cx(
              'inline-flex min-h-6 items-center gap-1.5 rounded-sm px-1 hover:text-fg coarse:min-h-9',
              off && 'text-fg-3 line-through'
            )}
            onClick={() => onToggle(label)}
          >
            <Swatch color={paint} off={off} />
            {label}
            {sum && !off && <b className="font-medium text-fg tabular-nums">{sum}</b>}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The columns of a chart's numbers: time, each series, a forecast by itself, and what stands behind. */
const columnsOf = ({ series, behind, band }: PaintedChart) => [
  ...series.flatMap(({ label, values, forecastFrom: from }) =>
    from === undefined
      ? [{ label, values }]
      : [
          { label, values: values.slice(0, from) },
          { label: `${label}, forecast`, values: values.map((value, at) => (at < from ? null : value)) },
        ]
  ),
  ...(behind ? [behind] : []),
  ...(band
    ? [
        { label: `${band.label}, from`, values: band.low },
        { label: `${band.label}, to`, values: band.high },
      ]
    : []),
]

/** The same numbers as rows, the first being the heads: for a file. */
export const chartRows = (chart: PaintedChart) => {
  const columns = columnsOf(chart)
  return [
    ['Time', ...columns.map((one) => one.label)],
    ...chart.times.map((time, at) => [new Date(time * 1000).toISOString(), ...columns.map((one) => one.values[at] ?? null)]),
  ]
}

/** The same numbers to be read one by one. */
export function ChartTable({ label, chart, height }: { label: string; chart: PaintedChart; height: number }) {
  const { times, interval, format } = chart
  const columns = columnsOf(chart)
  return (
    <div
      className="overflow-auto rounded-md border border-line"
      style={{ height }}
      tabIndex={0}
      role="region"
      aria-label={`${label}, as a table`}
    >
      <table className="w-full text-xs tabular-nums">
        <thead className="sticky top-0 bg-chrome text-fg-3">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium whitespace-nowrap">
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
              <th scope="row" className="px-3 py-1 text-left font-normal whitespace-nowrap text-fg-2">
                {pointWords(time, interval)}
              </th>
              {columns.map((one) => (
                <td key={one.label} className="px-3 py-1 text-right whitespace-nowrap">
                  {isKnown(one.values[at]) ? format(one.values[at]) : '—'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
