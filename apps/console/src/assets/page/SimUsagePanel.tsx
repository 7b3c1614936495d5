import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getSimUsages } from '@masthead/contract/assets/operations'
import { hasService } from '@masthead/contract/assets/service'
import { monthLimitOf } from '@masthead/contract/assets/month-limit'
import type { Sim } from '@masthead/contract/assets/sim'
import { formatClock, monthNames } from '@masthead/contract/kernel/time'
import { formatBytes, formatSteadyBytes } from '@masthead/contract/usage/bytes'
import { usageIntervals, type UsageInterval } from '@masthead/contract/usage/usage'
import { useMemo } from 'react'
import { q } from '../../api/query.ts'
import { alertShare } from '../../kit/Bytes.tsx'
import { useClock } from '../../kit/clock.ts'
import { useAddressState } from '../../kit/use-address-state.ts'
import { Chart, type ChartData } from '../../ui/Chart.tsx'
import { momentPlace } from '../../ui/chart-shape.ts'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Panel, StatPart } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StateShape } from '../../ui/StateShape.tsx'
import { figure } from '../../usage/index.ts'
import { shortDay } from '../sim-words.ts'
import { breakOf, paceWords, usageGrid, usageWindow } from './usage-window.ts'

const address = { usage: 'day' }
const steps = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'month', label: 'Month' },
] as const
const spans: Record<UsageInterval, string> = { hour: 'the last 48 hours', day: 'this month', month: 'the last 12 months' }

/** What the SIM used in its billing month, of its limit, and over time. */
export function SimUsagePanel({ asset, sim }: { asset: Asset; sim: Sim }) {
  const { usage } = sim
  const [{ usage: chosen }, change] = useAddressState(address)
  const interval = usageIntervals.find((one) => one === chosen) ?? 'day'
  const hour = useClock((now) => Math.floor(now / 3_600_000)) * 3_600_000
  const { period_start, period_end } = usage
  const window = useMemo(() => usageWindow(interval, { period_start, period_end }, hour), [interval, period_start, period_end, hour])
  const { data, error, refetch, isPlaceholderData } = useQuery(
    q(getSimUsages, { params: { asset_id: asset.id }, query: { ...window, interval } })
  )
  const last = shortDay(new Date(Date.parse(usage.period_end) - 1).toISOString())
  return (
    <Panel
      title="Usage this month"
      note={
        <span className="@max-xs:hidden">
          {shortDay(usage.period_start)} to {last}, UTC
        </span>
      }
      end={<Segmented label="Step" options={steps} value={interval} onChange={(to) => change({ usage: to })} />}
    >
      <Figures usage={sim.usage} open={hasService(sim)} />
      {error && !data ? (
        <ErrorState title="The usage could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data || isPlaceholderData ? (
        <Skeleton className="mt-5 h-60" />
      ) : data.bytes_up + data.bytes_down === 0 ? (
        <p className="mt-5 grid h-24 place-items-center rounded-md bg-chrome px-4 text-fg-3">
          Nothing was used {interval === 'day' ? '' : 'in '}
          {spans[interval]}.
        </p>
      ) : (
        <>
          <UsageCharts interval={interval} window={window} points={data.items} limit={monthLimitOf(usage)} hour={hour} sim={sim} />
          {data.late.length > 0 && <Late late={data.late} interval={interval} />}
          {asset.sims?.some(({ id }) => id !== sim.id) && (
            <p className="mt-3 text-xs text-fg-2">
              The chart is of the asset, with what its other SIMs used. The figures above are of this SIM.
            </p>
          )}
        </>
      )}
    </Panel>
  )
}

/** What came late stands in the chart where it was used: whoever looked before that read less. */
function Late({ late, interval }: { late: readonly { at: string; bytes: number }[]; interval: UsageInterval }) {
  const sum = late.reduce((all, { bytes }) => all + bytes, 0)
  const named = late.slice(-3).map(({ at }) => {
    const time = new Date(at)
    const month = monthNames[time.getUTCMonth()]
    if (interval === 'month') return `${month} ${time.getUTCFullYear()}`
    return interval === 'day' ? shortDay(at) : `${shortDay(at)}, ${formatClock(time.getUTCHours(), 0)}`
  })
  const more = late.length > named.length ? ` and ${late.length - named.length} before` : ''
  return (
    <p className="mt-3 flex items-start gap-2 text-xs text-fg-2">
      <StateShape shape="diamond" tone="info" size={12} className="mt-0.5" />
      <span>
        {formatBytes(sum)} were reported more than an hour late: of {named.join('; ')}
        {more}, UTC. They count where they were used.
      </span>
    </p>
  )
}

function Figures({ usage, open }: { usage: Sim['usage']; open: boolean }) {
  const { period_bytes, limit_bytes, limit_used_bytes, bytes_up, bytes_down } = usage
  const monthLimit = monthLimitOf(usage)
  const { value, unit } = figure(period_bytes)
  const share = limit_bytes ? (limit_used_bytes ?? 0) / limit_bytes : 0
  // Without service the pace so far says nothing of what is to come.
  const pace = useClock((now) => (open && paceWords(usage, now)) || '')
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-end gap-x-8 gap-y-3">
        <p className="tight text-2xl font-semibold whitespace-nowrap tabular-nums">
          {value}{' '}
          <span className="text-sm font-normal tracking-normal text-fg-3">
            {unit} {limit_bytes === null ? 'used, no limit' : monthLimit === null ? 'used' : `of ${formatBytes(monthLimit)}`}
          </span>
        </p>
        <dl className="flex gap-x-6">
          <StatPart label="Download">{formatSteadyBytes(bytes_down)}</StatPart>
          <StatPart label="Upload">{formatSteadyBytes(bytes_up)}</StatPart>
        </dl>
        {pace && <p className="ml-auto text-xs text-fg-2 @max-sm:ml-0">{pace}</p>}
      </div>
      {limit_bytes !== null && monthLimit === null && (
        <p className="text-sm text-fg-2">
          {formatSteadyBytes(limit_used_bytes ?? 0)} of {formatBytes(limit_bytes)} used today
        </p>
      )}
      {limit_bytes !== null && (
        <ProgressBar
          value={share}
          size={10}
          label={`Used of the limit of ${formatBytes(limit_bytes)}`}
          threshold={alertShare}
          tone={share >= 1 ? 'bad' : share >= alertShare ? 'warn' : 'ok'}
        />
      )}
    </div>
  )
}

/** Bars up and down; for a month whose usage nears its limit, above them how the sum nears it. */
function UsageCharts({
  interval,
  window,
  points,
  limit,
  hour,
  sim,
}: {
  interval: UsageInterval
  window: { start: string; end: string }
  points: Parameters<typeof usageGrid>[2]
  limit: number | null
  hour: number
  sim: Sim
}) {
  const { at: brokenAt, label: brokenWords = '' } = breakOf(sim) ?? {}
  const { bars, sum } = useMemo(() => {
    const { times, up, down, used } = usageGrid(interval, window, points, hour)
    const moments = brokenAt === undefined ? [] : [{ label: brokenWords, at: brokenAt, tone: 'bad' as const }]
    const shown = moments.filter(({ at }) => momentPlace({ times, kind: 'bars' }, at) !== null)
    const shared = { times, interval, format: formatSteadyBytes, axis: formatBytes, ...(shown.length > 0 && { moments: shown }) }
    const line = (value: number) => [{ label: `Limit ${formatBytes(value)}`, value, tone: 'bad' as const }]
    const bars: ChartData = {
      ...shared,
      kind: 'bars',
      series: [
        { label: 'Download', values: down },
        { label: 'Upload', values: up },
      ],
      ...(interval === 'month' &&
        limit !== null &&
        isNear(
          limit,
          times.map((_, at) => (up[at] ?? 0) + (down[at] ?? 0))
        ) && { marks: line(limit) }),
    }
    const alert = limit === null ? [] : [{ label: 'Alert at 80 %', value: limit * alertShare, tone: 'warn' as const }]
    const sum: ChartData | null =
      interval === 'day' && limit !== null && isNear(limit, used)
        ? { ...shared, kind: 'area', series: [{ label: 'Used so far', values: used }], marks: [...line(limit), ...alert] }
        : null
    return { bars, sum }
  }, [interval, window, points, limit, hour, brokenAt, brokenWords])
  return (
    <div className="mt-5 grid gap-4">
      {sum && <Chart label="Used this month, of the limit" height={160} {...sum} />}
      <Chart label={`Usage of ${spans[interval]} by ${interval}`} height={sum ? 120 : 200} sums={interval !== 'day'} {...bars} />
    </div>
  )
}

/** A limit far above what is used would make the figures too small to read. */
const isNear = (limit: number, values: readonly (number | null)[]) => Math.max(0, ...values.map((value) => value ?? 0)) > limit / 4
