import { Wallet } from 'lucide-react'
import { EmptyState } from '../ui/EmptyState.tsx'

/** In place of everything that is about money, while there is none. */
export const BillingOff = () => (
  <EmptyState icon={Wallet} title="Billing is not switched on">
    Nothing is charged on this account. Once your provider switches billing on, your balance and every charge appear here.
  </EmptyState>
)
