import { CardsPanel } from './CardsPanel.tsx'

/** What credits are bought with. */
export default function BillingScreen() {
  return (
    <div className="grid max-w-xl gap-4">
      <CardsPanel />
    </div>
  )
}
