import { listCards } from '@masthead/contract/billing/card-operations'
import { getBillingProfile } from '@masthead/contract/billing/invoices/operations'
import { getBalance } from '@masthead/contract/billing/operations'
import { getBalanceRules } from '@masthead/contract/billing/refill/operations'
import { useQuery } from '@tanstack/react-query'
import { q } from '../api/query.ts'
import { later } from '../kit/later.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Skeleton, SkeletonLines } from '../ui/Skeleton.tsx'
import { BalancePanel } from './BalancePanel.tsx'
import { CardsPanel } from './CardsPanel.tsx'
import { CostLimitsPanel } from './cost-limits/CostLimitsPanel.tsx'
import { DocumentsTable } from './invoices/DocumentsTable.tsx'
import { ProfilePanel } from './invoices/ProfilePanel.tsx'
import { LowBalancePanel } from './refill/LowBalancePanel.tsx'
import { RefillPanel } from './refill/RefillPanel.tsx'

const BalanceChart = later(
  async () => (await import('./BalanceChart.tsx')).BalanceChart,
  <Panel title="Balance by day">
    <Skeleton className="h-56" />
  </Panel>
)

/** What an account has, how it is filled, and the papers of that. */
export default function BillingScreen() {
  // The panels come together: one that came by itself would move the others.
  const balance = useQuery(q(getBalance, {}))
  const asked = [balance, useQuery(q(getBalanceRules, {})), useQuery(q(getBillingProfile, {})), useQuery(q(listCards, {}))]
  if (asked.some(({ isPending }) => isPending)) return <Coming />
  return (
    <div className="grid gap-4">
      <div className="grid items-start gap-4 @lg:grid-cols-2">
        <div className="grid gap-4">
          <BalancePanel />
          <LowBalancePanel />
          <ProfilePanel />
        </div>
        <div className="grid gap-4">
          <CardsPanel />
          <RefillPanel />
          <CostLimitsPanel />
        </div>
      </div>
      {balance.data?.balance !== null && <BalanceChart />}
      <section className="grid gap-2">
        <h2 className="text-sm font-semibold">Invoices and receipts</h2>
        <DocumentsTable />
      </section>
    </div>
  )
}

const Coming = () => (
  <div className="grid items-start gap-4 @lg:grid-cols-2">
    <Panel title="Balance">
      <SkeletonLines lines={16} />
    </Panel>
    <Panel title="Cards">
      <SkeletonLines lines={6} />
    </Panel>
  </div>
)
