import { assetRenamed } from '@masthead/contract/assets/events'
import type { Position } from '@masthead/contract/assets/place-operations'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getTagsByWord, setTags } from '../tags/index.ts'
import { lockPools } from './lock-pools.ts'
import { getAssetForUpdate, lockSimsOf } from './asset-queries.ts'
import { setNetworkGroup } from './set-network-group.ts'
import { setPosition } from './set-position.ts'
import { switchAsset } from './switch-asset.ts'

type Changes = {
  name?: string | undefined
  tags?: string[] | undefined
  status?: 'active' | 'inactive' | undefined
  supersim?: { network_group: string } | undefined
  position?: Position | null | undefined
}

/** Changes what is given and differs; the rest is left alone. */
export async function updateAsset(tx: Tx, actor: Actor, id: string, { name, tags, status, supersim, position }: Changes): Promise<void> {
  if (tags) await lockPools(tx, actor)
  // Its SIMs first: a tag has them follow its pools, and a switch concerns all of them.
  if (tags || status) await lockSimsOf(tx, actor, [id])
  if (status) await switchAsset(tx, actor, id, status)
  if (supersim) await setNetworkGroup(tx, actor, id, supersim.network_group)
  const asset = await getAssetForUpdate(tx, actor, id)
  if (name !== undefined && name !== asset.asset_name) {
    await tx.updateTable('asset').set({ name }).where('account_id', '=', actor.account_id).where('id', '=', id).execute()
    await record(tx, actor, assetRenamed, { asset_id: id, asset_name: name, old_name: asset.asset_name, new_name: name })
  }
  const named = { asset_id: id, asset_name: name ?? asset.asset_name }
  if (tags) await setTags(tx, actor, named, await getTagsByWord(tx, actor, tags))
  if (position !== undefined) await setPosition(tx, actor, named, position)
}
