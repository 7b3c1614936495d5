import { daysCovered } from '@masthead/contract/billing/refill/days-covered'
import type { Balance } from '@masthead/contract/billing/ledger'
import { formatMoney } from '@masthead/contract/billing/money'
import { getBalance } from '@masthead/contract/billing/operations'
import { listDataPools } from '@masthead/contract/datapools/operations'
import { formatDay } from '@masthead/contract/kernel/time'
import { formatSteadyBytes } from '@masthead/contract/usage/bytes'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { poolLook, poolSentence } from '../datapools/index.ts'
import { useClock } from '../kit/clock.ts'
import { cx } from '../ui/cx.ts'
import { ErrorState } from '../ui/EmptyState.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'

const dayMs = 86_400_000
const mostPools = 3

export function Credits() {
  const { data, error, refetch } = useQuery(q(getBalance, {}))
  if (error && !data) return <ErrorState title="The credits could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <Coming />
  if (!data.balance) return <p className="px-4 py-3 text-fg-3">Billing is not switched on: nothing is charged on this account.</p>
  const { available_micros, currency } = data.balance
  return (
    <p className="grid gap-0.5 px-4 py-3">
      <span className={cx('tight text-xl font-semibold tabular-nums', available_micros < 0 && 'text-bad-fg')}>
        {formatMoney(available_micros, currency, { decimals: 2 }).replace('-', '−')}
      </span>
      <Lasts balance={data.balance} />
    </p>
  )
}

function Lasts({ balance }: { balance: Balance }) {
  const now = useClock((at) => at - (at % 3_600_000))
  const { available_micros: left } = balance
  const days = daysCovered(left, balance, now)
  return (
    <span className="text-xs text-fg-3">
      {left < 0
        ? 'This is owed: credits that you add pay it first.'
        : left === 0
          ? 'None are left.'
          : days === null
            ? 'Last for more than a year, if none are added.'
            : `Last until ${formatDay(new Date(now + days * dayMs).toISOString())}, if none are added.`}
    </span>
  )
}

export function Pools() {
  const { data, error, refetch } = useQuery(q(listDataPools, { query: { page_size: mostPools } }))
  if (error && !data) return <ErrorState title="The data pools could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <Coming />
  if (data.items.length === 0) return <p className="border-t border-line px-4 py-3 text-fg-3">No data pool is open.</p>
  return (
    <ul className="divide-y divide-line border-t border-line" aria-label="Data pools">
      {data.items.map((pool) => {
        const { bar, tone } = poolLook(pool)
        return (
          <li key={pool.id}>
            <Link
              to={`/datapools?pool=${pool.id}`}
              className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1.5 px-4 pt-2 pb-2.5 hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="truncate font-medium">{pool.name}</span>
              <span className="tabular-nums">
                {formatSteadyBytes(pool.used_bytes)} <span className="text-xs text-fg-3">of {formatSteadyBytes(pool.size_bytes)}</span>
              </span>
              <ProgressBar
                value={pool.size_bytes === 0 ? 1 : pool.used_bytes / pool.size_bytes}
                label={`Used of ${pool.name}`}
                tone={bar}
                className="col-span-2"
              />
              <span
                className={cx(
                  'col-span-2 text-xs',
                  tone === 'ok' || tone === 'idle' ? 'text-fg-3' : tone === 'bad' ? 'text-bad-fg' : 'text-warn-fg'
                )}
              >
                {poolSentence(pool).first}
              </span>
            </Link>
          </li>
        )
      })}
      {data.total > data.items.length && (
        <li className="px-4 py-2 text-xs">
          <Link to="/datapools" className="link">
            All {data.total.toLocaleString('en')} data pools
          </Link>
        </li>
      )}
    </ul>
  )
}

const Coming = () => (
  <div className="p-4">
    <SkeletonLines lines={3} />
  </div>
)
