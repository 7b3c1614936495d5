import type { Asset } from '@masthead/contract/assets/asset'
import type { Actor, Tx } from '../kernel/app.ts'
import { getAssetId } from './asset-queries.ts'
import { getAssetById } from './list/asset-rows.ts'

/** Changes the asset that a path means, and answers with it as it is then. Throws not_found. */
export async function changing(
  tx: Tx,
  actor: Actor,
  { asset_id }: { asset_id: string },
  how: (id: string) => Promise<void>
): Promise<Asset> {
  const id = await getAssetId(tx, actor, asset_id)
  await how(id)
  return getAssetById(tx, actor, id)
}
