import { formatMoney, type Currency, type Micros } from '@masthead/contract/billing/money'
import { getBalanceRules, setBalanceWarnings } from '@masthead/contract/billing/refill/operations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { later } from '../../kit/later.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'

const WarningsForm = later(async () => (await import('./RefillForms.tsx')).WarningsForm)

/** Below which balances people are notified. Nothing stands here while billing is off: the balance says so. */
export function LowBalancePanel() {
  const { data, error, refetch } = useQuery(q(getBalanceRules, {}))
  const [changing, setChanging] = useState(false)
  if (data && !data.rules) return null
  return (
    <Panel
      title="Low-balance alerts"
      flush={Boolean(error && !data)}
      end={
        data && (
          <ActionButton operation={setBalanceWarnings} size="small" onClick={() => setChanging(true)}>
            Change
          </ActionButton>
        )
      }
    >
      {error && !data ? (
        <ErrorState title="The alerts could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data?.rules ? (
        <SkeletonLines />
      ) : (
        <>
          <Facts>
            <Fact label="Warn">{below(data.rules.warnings.warn_micros, data.rules.currency)}</Fact>
            <Fact label="Urgently">{below(data.rules.warnings.urgent_micros, data.rules.currency)}</Fact>
          </Facts>
          <p className="pt-2 text-xs text-fg-3">
            Everybody who may see billing is notified in the console and by mail, as they have chosen under Notifications.
          </p>
          {changing && <WarningsForm rules={data.rules} onClose={() => setChanging(false)} />}
        </>
      )}
    </Panel>
  )
}

const below = (amount: Micros | null, currency: Currency) => (amount === null ? 'Off' : `Below ${formatMoney(amount, currency)}`)
