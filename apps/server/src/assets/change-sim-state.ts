import { simActionNotPossible } from '@masthead/contract/assets/problems'
import { simCan, simStates, type SimAction, type SimState } from '@masthead/contract/assets/sim'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../kernel/app.ts'
import type { LockedSim } from './asset-queries.ts'
import { setSimStates } from './service/set-states.ts'

/** Moves a locked SIM to another state when its state allows the action; else says in which one it is. */
export async function changeSimState(tx: Tx, actor: Actor, sim: LockedSim, action: SimAction, state: SimState) {
  if (!simCan(action, sim)) {
    throw new Problem(simActionNotPossible, `The SIM of ${sim.asset_name} is ${simStates[sim.state].toLowerCase()}`)
  }
  await setSimStates(tx, actor, [sim.sim_id], state)
}
