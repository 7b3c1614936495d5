import type { Actor, Tx } from '../kernel/app.ts'
import { getGroupByWord, moveSims } from '../network-groups/index.ts'
import { getSimForUpdate } from './asset-queries.ts'

/** Puts the SIM in use of an asset into the group that is meant by id or name, unless it is there. Throws asset_has_no_sim, network_group_unknown. */
export async function setNetworkGroup(tx: Tx, actor: Actor, asset_id: string, word: string): Promise<void> {
  const group = await getGroupByWord(tx, actor, word, 'supersim.network_group')
  const sim = await getSimForUpdate(tx, actor, asset_id)
  if (sim.group_id !== group.id) await moveSims(tx, actor, [sim], group)
}
