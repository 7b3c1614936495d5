import { simDeactivated } from '@masthead/contract/assets/events'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getSimForUpdate } from './asset-queries.ts'
import { changeSimState } from './change-sim-state.ts'

/** Takes the SIM of an asset off the network. Its live session is cut. */
export async function deactivateSim(tx: Tx, actor: Actor, asset_id: string): Promise<void> {
  const sim = await getSimForUpdate(tx, actor, asset_id)
  await changeSimState(tx, actor, sim, 'deactivate', 'inactive')
  await record(tx, actor, simDeactivated, sim)
}
