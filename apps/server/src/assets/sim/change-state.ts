import { simActivated, simDeactivated, simOnStandby, simReady, simTerminated } from '@masthead/contract/assets/events'
import { simActionNotPossible } from '@masthead/contract/assets/problems'
import { simCan, simLeadsTo, simStates, type SimAction } from '@masthead/contract/assets/sim'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { getSimForUpdate, type LockedSim } from '../asset-queries.ts'
import { setSimStates, unblockOfRules } from '../service/index.ts'

/** The event of each action on a SIM's state. */
export const simEvents = {
  activate: simActivated,
  deactivate: simDeactivated,
  standby: simOnStandby,
  ready: simReady,
  terminate: simTerminated,
} satisfies Record<SimAction, unknown>

/**
 * Brings the SIM of an asset to another state; what blocks it goes on blocking it, and a live session of one that loses its service is cut. Whoever activates or
 * deactivates it has it in hand: what alert rules hold against it goes, so that an active one which they block can be activated.
 * Throws asset_has_no_sim, sim_wrong_state.
 */
export async function changeSimState(tx: Tx, actor: Actor, asset_id: string, action: SimAction): Promise<void> {
  await moveSim(tx, actor, await getSimForUpdate(tx, actor, asset_id), action)
}

/** For ever: whoever asks has typed the whole ICCID. Throws asset_has_no_sim, sim_wrong_state, invalid_request. */
export async function terminateSim(tx: Tx, actor: Actor, asset_id: string, { iccid }: { iccid: string }): Promise<void> {
  const sim = await getSimForUpdate(tx, actor, asset_id)
  if (iccid.replaceAll(/[\s-]/g, '') !== sim.iccid) {
    const words = 'Type the whole ICCID of the SIM: this cannot be undone'
    throw new Problem(invalidRequest, words, { fields: { iccid: words } })
  }
  await moveSim(tx, actor, sim, 'terminate')
}

async function moveSim(tx: Tx, actor: Actor, sim: LockedSim, action: SimAction) {
  if (!simCan(action, sim)) {
    const state = simStates[sim.state].toLowerCase()
    const was = action === 'ready' && sim.state === 'inactive' ? ', and was active before' : ''
    throw new Problem(simActionNotPossible, `The SIM of ${sim.asset_name} is ${state}${was}`)
  }
  if (sim.state !== simLeadsTo[action]) {
    await setSimStates(tx, actor, [sim.sim_id], simLeadsTo[action])
    await record(tx, actor, simEvents[action], sim)
  }
  if (action === 'activate' || action === 'deactivate') await unblockOfRules(tx, actor, [sim.sim_id])
}
