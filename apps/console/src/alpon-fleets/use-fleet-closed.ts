import { fleetClosedWords, type Fleet } from '@masthead/contract/alpon-fleets/fleet'
import type { Operation } from '@masthead/contract/kernel/operation'
import { useDenied } from '../kit/ActionButton.tsx'

/** Why one may not change a fleet as a whole; null when one may. */
export function useFleetClosed(): (operation: Pick<Operation, 'access'>, fleet: Fleet) => string | null {
  const denied = useDenied()
  return (operation, { limited }) => denied(operation) ?? fleetClosedWords(limited)
}
