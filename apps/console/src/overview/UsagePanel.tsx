import type { OverviewRange } from '@masthead/contract/overview/range'
import type { getTotalUsage } from '@masthead/contract/usage/operations'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useMay } from '../api/session.ts'
import { useClock } from '../kit/clock.ts'
import { Chart } from '../ui/Chart.tsx'
import { PanelCell } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { forecastBytes } from '../usage/index.ts'
import { lastDayOf, rangeWords, type Overview } from './range-words.ts'
import { chartOf } from './usage-chart.ts'

const perWords = { hour: 'Data per hour', day: 'Data per day', month: 'Data per month' }

// The operation itself would make the first screen larger: its type says what it asks for.
const totalUsage: Pick<typeof getTotalUsage, 'access'> = { access: 'usage.view' }

const daysOf = ({ start, end }: Overview['usage']) => `&from=${start.slice(0, 10)}&to=${lastDayOf(end)}`

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
          <Link
            to={`/usage/total${range === 'month' ? '' : `?period=${range}`}${usage && range === 'custom' ? daysOf(usage) : ''}`}
            className="link text-xs"
          >
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
