import { setCostLimits } from '@masthead/contract/billing/cost-limits/operations'
import { formatMoney } from '@masthead/contract/billing/money'
import { getBalanceRules } from '@masthead/contract/billing/refill/operations'
import type { BalanceRules } from '@masthead/contract/billing/refill/refill'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { later } from '../../kit/later.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'

const CostLimitsForm = later(async () => (await import('./CostLimitsForm.tsx')).CostLimitsForm)

/** What data may cost: the price of a megabyte, and all data of a SIM on a day. Nothing stands here while billing is off: the balance says so. */
export function CostLimitsPanel() {
  const { data, error, refetch } = useQuery(q(getBalanceRules, {}))
  const [changing, setChanging] = useState(false)
  if (data && !data.rules) return null
  return (
    <Panel
      title="Cost limits"
      flush={Boolean(error && !data)}
      end={
        data && (
          <ActionButton operation={setCostLimits} size="small" onClick={() => setChanging(true)}>
            Change
          </ActionButton>
        )
      }
    >
      {error && !data ? (
        <ErrorState title="The cost limits could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data?.rules ? (
        <SkeletonLines />
      ) : (
        <>
          <Facts>
            <Fact label="Price of data">{priceWords(data.rules)}</Fact>
            <Fact label="Cost of a SIM a day">{dayWords(data.rules)}</Fact>
          </Facts>
          <p className="pt-2 text-xs text-fg-3">Data that a pool gives costs nothing. Nothing is blocked where no limit is set.</p>
          {changing && <CostLimitsForm rules={data.rules} onClose={() => setChanging(false)} />}
        </>
      )}
    </Panel>
  )
}

function priceWords({ cost_limits: { most_price_micros, price_action }, currency, megabyte }: BalanceRules): string {
  if (most_price_micros === null) return 'No limit'
  return `${price_action === 'refuse' ? 'Refused' : 'A warning'} above ${formatMoney(most_price_micros, currency)} per ${megabyte}`
}

const dayWords = ({ cost_limits: { sim_day_micros }, currency }: BalanceRules): string =>
  sim_day_micros === null ? 'No limit' : `Blocked at ${formatMoney(sim_day_micros, currency)} until 00:00 UTC`
