import { balanceDays, type BalanceDay, type CreditAdded } from '@masthead/contract/billing/ledger'
import { getBalanceHistory } from '@masthead/contract/billing/operations'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { formatDay } from '@masthead/contract/kernel/time'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '../api/query.ts'
import { Chart, type ChartData } from '../ui/Chart.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { inCents, signed } from './money-words.ts'

/** The settled balance by day, with a line down where credits were added. Nothing stands here while billing is off. */
export function BalanceChart() {
  const { data, error, refetch } = useQuery(q(getBalanceHistory, {}))
  if (data && (data.currency === null || data.days.length < 2)) return null
  return (
    <Panel title="Balance by day" note={`settled, the last ${balanceDays} days in UTC`}>
      {error && !data ? (
        <ErrorState title="The balance by day could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton className="h-56" />
      ) : (
        <Days days={data.days} credits={data.credits} currency={data.currency!} />
      )}
    </Panel>
  )
}

function Days({ days, credits, currency }: { days: readonly BalanceDay[]; credits: readonly CreditAdded[]; currency: Currency }) {
  const chart = useMemo((): ChartData => {
    const moments = credits.map(({ at, amount_micros }) => ({
      label: `+${formatMoney(amount_micros, currency, { decimals: 0 })}`,
      at: Date.parse(at) / 1000,
      tone: 'ok' as const,
    }))
    return {
      kind: 'area',
      interval: 'day',
      times: days.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1000),
      series: [{ label: `Balance, ${currency}`, values: days.map(({ balance_micros }) => balance_micros) }],
      moments,
      format: (value) => inCents(micros(Math.round(value)), currency),
      axis: (value) => (value / 1e6).toLocaleString('en', { maximumFractionDigits: 2 }),
    }
  }, [days, credits, currency])
  const last = credits.slice(-3).toReversed()
  return (
    <>
      <Chart label="Balance by day" height={180} {...chart} />
      {last.length > 0 && (
        <ul aria-label="Credits added last" className="mt-3 divide-y divide-line border-t border-line text-sm">
          {last.map(({ transaction_id, at, amount_micros, description }) => (
            <li key={transaction_id} className="flex flex-wrap gap-x-3 py-1.5">
              <span className="min-w-0 flex-[1_1_10rem] wrap-anywhere">{description}</span>
              <span className="text-fg-3">{formatDay(at)}</span>
              <span className="font-medium text-ok-fg tabular-nums">{signed(amount_micros, currency)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
