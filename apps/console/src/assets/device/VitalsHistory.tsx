import { useQuery } from '@tanstack/react-query'
import { getVitals } from '@masthead/contract/devices/vitals-operations'
import { useMemo } from 'react'
import { q } from '../../api/query.ts'
import { useClock } from '../../kit/clock.ts'
import { useAddressState } from '../../kit/use-address-state.ts'
import { Chart } from '../../ui/Chart.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { chartOf, measures, periods, sentenceOf, type Period } from './vitals-words.ts'

const address = { vitals: 'day' } as const
const options = Object.entries(periods).map(([value, { label }]) => ({ value: value as Period, label }))
const again = 300_000 // ms

/** What the device measured over a day, a week or a month. */
export function VitalsHistory({ asset_id }: { asset_id: string }) {
  const [{ vitals }, change] = useAddressState<{ vitals: string }>(address)
  const period: Period = vitals in periods ? (vitals as Period) : 'day'
  const to = useClock((now) => Math.ceil(now / again)) * again
  const from = to - periods[period].seconds * 1000
  const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  // Of no area: every report of any device would have it asked for anew.
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...q(getVitals, { params: { asset_id }, query }),
    queryKey: ['device_vitals', asset_id, query],
  })
  return (
    <Panel
      title="Vitals over time"
      end={<Segmented label="Period" options={options} value={period} onChange={(next) => change({ vitals: next })} />}
    >
      {error && !data ? (
        <ErrorState title="What the device measured could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data || isPlaceholderData ? (
        <div className="grid gap-5 @lg:grid-cols-2">
          {measures.map(({ title }) => (
            <Skeleton key={title} className="h-52 w-full" />
          ))}
        </div>
      ) : data.items.length === 0 ? (
        <p className="grid h-24 place-items-center rounded-md bg-chrome px-4 text-fg-3">
          The device measured nothing in {periods[period].words}.
        </p>
      ) : (
        <Charts data={data} from={from} to={to} />
      )}
    </Panel>
  )
}

function Charts({ data, from, to }: { data: Parameters<typeof chartOf>[1]; from: number; to: number }) {
  const charts = useMemo(() => measures.map((measure) => ({ measure, chart: chartOf(measure, data, from, to) })), [data, from, to])
  return (
    <div className="grid gap-x-6 gap-y-5 @lg:grid-cols-2">
      {charts.map(({ measure: { title }, chart }) => (
        <div key={title} className="min-w-0">
          <h3 className="font-medium">{title}</h3>
          {chart ? (
            <>
              <p className="mb-2 text-xs text-fg-2">{sentenceOf(chart)}</p>
              <Chart label={`${title} of the device`} height={140} {...chart} />
            </>
          ) : (
            <p className="text-xs text-fg-3">This device does not measure it.</p>
          )}
        </div>
      ))}
    </div>
  )
}
