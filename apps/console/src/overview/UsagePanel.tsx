import { formatBytes, formatSteadyBytes } from '@masthead/contract/usage/bytes'
import type { OverviewRange } from '@masthead/contract/overview/range'
import type { getTotalUsage } from '@masthead/contract/usage/operations'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useMay } from '../api/session.ts'
import { useClock } from '../kit/clock.ts'
import { Chart } from '../ui/Chart.tsx'
import { PanelCell } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { forecastBytes, intervalStarts } from '../usage/index.ts'
import { rangeWords, type Overview } from './range-words.ts'

const perWords = { hour: 'Data per hour', day: 'Data per day', month: 'Data per month' }

// The operation itself would make the first screen larger: its type says what it asks for.
const totalUsage: Pick<typeof getTotalUsage, 'access'> = { access: 'usage.view' }

/** Usage of the range over time, the period before behind it; of the month that runs also its days to come. */
export function UsagePanel({ usage, range }: { usage: Overview['usage'] | undefined; range: OverviewRange }) {
  const hour = useClock((now) => Math.floor(now / 3_600_000))
  const forecast = usage && range === 'month' ? forecastBytes(usage.bytes_up + usage.bytes_down, usage, hour * 3_600_000) : null
  const chart = useMemo(() => usage && chartOf(usage, forecast), [usage, forecast])
  const seesUsage = useMay(totalUsage)
  const words = usage && rangeWords(range, usage)
  return (
    <PanelCell
      className="col-span-2 @lg:col-span-8"
      title={usage ? perWords[usage.interval] : 'Data'}
      note={words && (forecast ? `${words.now}; hatched: at this pace` : words.now)}
      line={false}
      end={
        seesUsage && (
          <Link to={`/usage/total${range === 'month' ? '' : `?period=${range}`}`} className="link text-xs">
            Total usage
          </Link>
        )
      }
    >
      <div className="px-4 pb-3">
        {chart && words ? (
          <Chart
            label={`Data, ${words.now}, beside ${words.before}${forecast ? ', and the days to come at this pace' : ''}`}
            height={216}
            sums
            {...chart}
            behind={{ label: words.before, values: chart.before }}
          />
        ) : (
          <Skeleton className="h-61 w-full" />
        )}
      </div>
    </PanelCell>
  )
}

/** `forecast`: what the whole period comes to. Each day to come has its part of that, upload and download as they were so far. */
function chartOf(usage: Overview['usage'], forecast: number | null) {
  const times = intervalStarts(usage, usage.interval)
  const padded = (values: readonly number[]) => times.map((_, at) => values[at] ?? null)
  const perByte = forecast ? forecast / (usage.bytes_up + usage.bytes_down) / times.length : null
  const { length: forecastFrom } = usage.points
  const known = (values: readonly number[], sum: number) =>
    perByte === null ? { values: padded(values) } : { values: times.map((_, at) => values[at] ?? sum * perByte), forecastFrom }
  return {
    kind: 'bars' as const,
    times,
    interval: usage.interval,
    series: [
      // In this order on every chart: a colour means one direction.
      { label: 'Download', ...known(usage.points.map((point) => point.bytes_down), usage.bytes_down) },
      { label: 'Upload', ...known(usage.points.map((point) => point.bytes_up), usage.bytes_up) },
    ],
    before: padded(usage.previous_points.map((point) => point.bytes_up + point.bytes_down)),
    // Below each other, so that the points line up.
    format: formatSteadyBytes,
    axis: formatBytes,
  }
}
