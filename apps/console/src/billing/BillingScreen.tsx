import { BalancePanel } from './BalancePanel.tsx'
import { CardsPanel } from './CardsPanel.tsx'

/** What an account has, and the cards that fill it. */
export default function BillingScreen() {
  return (
    <div className="grid items-start gap-4 @lg:grid-cols-2">
      <BalancePanel />
      <CardsPanel />
    </div>
  )
}
