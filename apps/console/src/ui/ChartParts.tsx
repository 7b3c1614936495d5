import { pointWords } from './chart-scale.ts'
import { seriesColor, type ChartData } from './chart-shape.ts'

/** The colour of a series, beside its name. */
export const Swatch = ({ color }: { color: string }) => (
  <span aria-hidden className="size-2.5 flex-none rounded-[2px]" style={{ background: color }} />
)

/** What the bar under the pointer says. */
export function PointTip({
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

/** The same numbers to be read one by one. */
export function ChartTable({
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
