import { CardsPanel } from './CardsPanel.tsx'

/** The cards of an account. */
export default function BillingScreen() {
  return (
    <div className="grid max-w-xl gap-4">
      <CardsPanel />
    </div>
  )
}
