import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getSimUsages } from '@masthead/contract/assets/operations'
import { rehearse, type Rehearsed } from '@masthead/contract/assets/past/rehearse'
import type { Sim } from '@masthead/contract/assets/sim'
import { listDataPools } from '@masthead/contract/datapools/operations'
import { listNetworkGroups } from '@masthead/contract/network-groups/operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useMemo, useState } from 'react'
import { q } from '../../api/query.ts'
import { useDenied } from '../../kit/ActionButton.tsx'
import { useClock } from '../../kit/clock.ts'
import { Chart, type ChartData } from '../../ui/Chart.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Select } from '../../ui/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { breakOf } from '../page/usage-window.ts'
import { shortDay } from '../sim-words.ts'
import { courseOf, poolWith, rehearsedWords, triedLimits } from './what-if.ts'

const dayMs = 86_400_000
const noPool = 'none'

/** What another limit, group or pool would do, at the pace of the last days. It only looks: nothing is changed. */
export function WhatIfPanel({ asset, sim }: { asset: Asset; sim: Sim }) {
  const hour = useClock((now) => Math.floor(now / 3_600_000)) * 3_600_000
  const today = hour - (hour % dayMs)
  const window = { start: new Date(today - 30 * dayMs).toISOString(), end: new Date(today + dayMs).toISOString() }
  const { data, error, refetch } = useQuery(q(getSimUsages, { params: { asset_id: asset.id }, query: { ...window, interval: 'day' } }))
  const denied = useDenied()
  const groups = useQuery({ ...q(listNetworkGroups, {}), enabled: !denied(listNetworkGroups) })
  const pools = useQuery({ ...q(listDataPools, { query: { state: 'running', page: 1, page_size: 50 } }), enabled: !denied(listDataPools) })
  const limits = useMemo(() => triedLimits(sim, groups.data?.items ?? []), [sim, groups.data])
  const [chosen, choose] = useState<string | null>(null)
  const [pool, choosePool] = useState(noPool)
  const tried = limits.find(({ value }) => value === chosen) ?? limits[0]!
  // A day without service says nothing of what it would use.
  const broken = breakOf(sim)
  const until = broken ? Math.min(today, broken.at * 1000) : today
  const days = useMemo(
    () => (data?.items ?? []).filter(({ at }) => Date.parse(at) + dayMs <= until).map(({ bytes_up, bytes_down }) => bytes_up + bytes_down),
    [data, until]
  )
  const used = tried.period === 'month' ? sim.usage.period_bytes : todayBytes(data?.items ?? [], today)
  const result = rehearse({ days, used_bytes: used, limit_bytes: tried.bytes, period: tried.period }, hour)
  const other = pools.data?.items.find(({ id }) => id === pool)
  return (
    <Panel title="What if" note="nothing is changed by looking">
      {error && !data ? (
        <ErrorState title="The usage could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton className="h-60" />
      ) : (
        <div className="grid gap-3">
          <div className="grid gap-3 @sm:grid-cols-2">
            <Select label="Limit" value={tried.value} onChange={choose} options={limits.map(({ value, label }) => ({ value, label }))} />
            {pools.data && pools.data.items.length > 0 && (
              <Select
                label="Data pool"
                value={pool}
                onChange={choosePool}
                options={[
                  { value: noPool, label: sim.data_pool ? `As it is: ${sim.data_pool.name}` : 'As it is: none' },
                  ...pools.data.items.filter(({ id }) => id !== sim.data_pool?.id).map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
            )}
          </div>
          <div role="status" className="grid gap-1">
            {(result ? rehearsedWords(result, tried, hour) : noPace).map((words, nth) => (
              <p key={words} className={nth === 0 ? 'text-md font-semibold' : 'text-fg-2 text-pretty'}>
                {words}
              </p>
            ))}
            {result && other && <p className="text-fg-2 text-pretty">{poolWith(other, result.pace_bytes, hour)}</p>}
          </div>
          {result && tried.period === 'month' && <Course result={result} used={used} limit={tried.bytes} points={data.items} now={hour} />}
        </div>
      )}
    </Panel>
  )
}

const noPace = ['There is no pace to go by.', 'Nothing was used on whole days with service in the last 30 days.']

const todayBytes = (points: readonly { at: string; bytes_up: number; bytes_down: number }[], today: number) =>
  points.filter(({ at }) => Date.parse(at) >= today).reduce((sum, { bytes_up, bytes_down }) => sum + bytes_up + bytes_down, 0)

function Course({
  result,
  used,
  limit,
  points,
  now,
}: {
  result: Rehearsed
  used: number
  limit: number | null
  points: Parameters<typeof courseOf>[0]['points']
  now: number
}) {
  const chart = useMemo((): ChartData => {
    const { times, values, forecastFrom } = courseOf({ points, used, pace: result.pace_bytes, limit, now })
    const reached = result.reached
      ? [
          {
            label: `Reached ${shortDay(new Date(result.reached.expected).toISOString())}`,
            at: result.reached.expected / 1000,
            tone: 'warn' as const,
          },
        ]
      : []
    return {
      kind: 'line',
      interval: 'day',
      times,
      series: [{ label: 'Used in its month', values, forecastFrom }],
      format: formatBytes,
      ...(limit !== null && { marks: [{ label: `Limit ${formatBytes(limit)}`, value: limit, tone: 'bad' as const }] }),
      ...(reached.length > 0 && { moments: reached }),
    }
  }, [points, used, result, limit, now])
  return <Chart label="Used in its month, and at this pace" height={168} {...chart} />
}
