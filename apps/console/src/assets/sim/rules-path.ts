import type { Sim } from '@masthead/contract/assets/sim'

/** Where what a rule holds against a SIM is taken back: at that rule, or among all where the block does not say which. */
export function rulesPath(sim: Pick<Sim, 'blocks'> | null): string {
  const id = sim?.blocks.find(({ code }) => code === 'rule')?.rule_id
  return id === undefined ? '/notifications?tab=rules' : `/notifications?tab=rules&rule=${id}`
}
