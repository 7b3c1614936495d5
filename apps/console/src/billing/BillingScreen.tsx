import { later } from '../kit/later.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { BalancePanel } from './BalancePanel.tsx'
import { CardsPanel } from './CardsPanel.tsx'
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
        </div>
      </div>
      <BalanceChart />
      <section className="grid gap-2">
        <h2 className="text-sm font-semibold">Invoices and receipts</h2>
        <DocumentsTable />
      </section>
    </div>
  )
}
