import type { Reply } from '@masthead/contract/kernel/operation'
import { formatDay } from '@masthead/contract/kernel/time'
import { formatBytes, formatSteadyBytes } from '@masthead/contract/usage/bytes'
import type { getTotalUsage } from '@masthead/contract/usage/operations'
import { lateHours, type UsageInterval } from '@masthead/contract/usage/usage'
import { useMemo } from 'react'
import { Chart, type ChartData } from '../ui/Chart.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { beforeWords, intervalStarts, type Period } from './period.ts'
import type { UsageSums } from './UsageFigures.tsx'

export type UsageSeries = Reply<typeof getTotalUsage>['series']

/** The period's usage, stacked by its largest groups once these are known. What is to come of the period stays empty. */
export function UsageChart({
  usage,
  series,
  dates,
  interval,
  label,
}: {
  usage: UsageSums | undefined
  series: UsageSeries | undefined
  dates: Period
  interval: UsageInterval
  label: string
}) {
  const chart = useMemo(() => usage && chartOf(usage, series, interval), [usage, series, interval])
  // While another period is on its way, the chart of the one before does not fit its axis.
  if (!usage || !chart || usage.start !== dates.start) return <Skeleton className={`${roomOfGroups} w-full`} />
  if (usage.bytes_up + usage.bytes_down === 0) return <p className="grid h-66 place-content-center text-fg-3">No data in this period</p>
  return (
    <div className={series ? undefined : roomOfGroups}>
      <Chart label={label} height={240} sums legend={series !== undefined} {...chart} />
    </div>
  )
}

/** The height of the chart with two lines of groups below it, so that little moves when these come. */
const roomOfGroups = 'h-73'

function chartOf(usage: UsageSums, groups: UsageSeries | undefined, interval: UsageInterval): ChartData {
  const times = intervalStarts(usage, interval)
  const padded = (values: readonly number[]) => times.map((_, at) => values[at] ?? null)
  const all = { label: 'All', rest: true, bytes: usage.points.map(({ bytes_up, bytes_down }) => bytes_up + bytes_down) }
  const series = (groups ?? [all]).map(({ label, bytes, rest }, at) => ({
    label,
    values: padded(bytes),
    color: rest ? ('rest' as const) : at + 1,
  }))
  const before = usage.previous_points.map(({ bytes_up, bytes_down }) => bytes_up + bytes_down)
  const compared = before.some((bytes) => bytes > 0)
  // Whole months before whole months: a chart of it all says which.
  const past = { start: usage.previous_start, end: usage.start }
  return {
    kind: times.length <= 100 ? 'bars' : 'area',
    times,
    interval,
    series,
    ...(compared && { behind: { label: beforeWords(past), values: padded(before) } }),
    ...lateMoments(usage, interval),
    // Below each other, so that the points line up.
    format: formatSteadyBytes,
    axis: formatBytes,
  }
}

/** The chart stays readable with so many; the table below has all. */
const mostMarked = 5

/** Days that changed after they were over, and from where on late reports may still change what is shown. */
function lateMoments({ complete_until, start, end, late_days }: UsageSums, interval: UsageInterval): Pick<ChartData, 'moments'> {
  const until = complete_until === null ? null : Date.parse(complete_until) - lateHours * 3_600_000
  const may = until !== null && until > Date.parse(start) && until < Date.parse(end)
  const changed = interval === 'day' ? late_days.slice(0, mostMarked) : []
  const moments = [
    ...changed.map(({ day, bytes }) => ({
      label: `${formatDay(day)}: ${formatBytes(bytes)} reported late`,
      at: Date.parse(`${day}T00:00:00Z`) / 1000,
      tone: 'warn' as const,
    })),
    ...(may ? [{ label: 'Late reports may change what follows', at: until / 1000, tone: 'warn' as const }] : []),
  ]
  return moments.length > 0 ? { moments } : {}
}
