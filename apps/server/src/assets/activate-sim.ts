import { simActivated } from '@masthead/contract/assets/events'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getSimForUpdate } from './asset-queries.ts'
import { changeSimState } from './change-sim-state.ts'

/** Lets the SIM of an asset onto the network. What blocks it goes on blocking it. */
export async function activateSim(tx: Tx, actor: Actor, asset_id: string): Promise<void> {
  const sim = await getSimForUpdate(tx, actor, asset_id)
  await changeSimState(tx, actor, sim, 'activate', 'active')
  await record(tx, actor, simActivated, sim)
}
