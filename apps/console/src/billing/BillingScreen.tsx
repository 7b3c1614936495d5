import { BalancePanel } from './BalancePanel.tsx'
import { CardsPanel } from './CardsPanel.tsx'
import { LowBalancePanel } from './refill/LowBalancePanel.tsx'
import { RefillPanel } from './refill/RefillPanel.tsx'

/** What an account has, and how it is filled. */
export default function BillingScreen() {
  return (
    <div className="grid items-start gap-4 @lg:grid-cols-2">
      <div className="grid gap-4">
        <BalancePanel />
        <LowBalancePanel />
      </div>
      <div className="grid gap-4">
        <CardsPanel />
        <RefillPanel />
      </div>
    </div>
  )
}
