import { sql } from 'kysely'
import { simActionNotPossible } from '@masthead/contract/assets/problems'
import { simCan, simStates, type SimAction, type SimState } from '@masthead/contract/assets/sim'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../kernel/app.ts'
import type { LockedSim } from './asset-queries.ts'
import { anyOf } from './viewer.ts'

/** Moves a locked SIM to another state when its state allows the action; else says in which one it is. */
export async function changeSimState(tx: Tx, actor: Actor, sim: LockedSim, action: SimAction, state: SimState) {
  if (!simCan(action, sim)) {
    throw new Problem(simActionNotPossible, `The SIM of ${sim.asset_name} is ${simStates[sim.state].toLowerCase()}`)
  }
  await setSimStates(tx, actor, [sim.sim_id], state)
}

/** Writes the state of locked SIMs, which may all go there. */
export async function setSimStates(tx: Tx, actor: Actor, sim_ids: readonly string[], state: SimState): Promise<void> {
  if (sim_ids.length === 0) return
  await tx
    .updateTable('sim')
    .set({ state, state_changed_at: actor.at, state_changed_by: actor.email })
    .$if(state === 'active', (update) => update.set({ activated_at: sql`coalesce(activated_at, ${actor.at})` }))
    .where('account_id', '=', actor.account_id)
    .where('id', '=', anyOf(sim_ids))
    .execute()
}
