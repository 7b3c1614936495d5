import * as ops from '@masthead/contract/assets/operations'
import type { Actor, Tx } from '../kernel/app.ts'
import { read, stream, write, type Route } from '../kernel/http/routes.ts'
import { activateSim } from './activate-sim.ts'
import { getAssetId } from './asset-queries.ts'
import { getAssetById } from './list/asset-rows.ts'
import { deactivateSim } from './deactivate-sim.ts'
import { exportAssets } from './list/export-assets.ts'
import { getSimUsages } from './get-sim-usages.ts'
import { listAssets } from './list/list-assets.ts'
import { registerAsset } from './register-asset.ts'
import { listSessions } from './session-queries.ts'
import { updateAsset } from './update-asset.ts'

/** Changes the asset that the path means, and answers with it as it is then. */
async function change(tx: Tx, actor: Actor, key: string, how: (id: string) => Promise<void>) {
  const id = await getAssetId(tx, actor, key)
  await how(id)
  return getAssetById(tx, actor, id)
}

export const assetRoutes: Route[] = [
  read(ops.listAssets, ({ db, actor, query }) => listAssets(db, actor, query)),
  read(ops.getAsset, async ({ db, actor, params }) => getAssetById(db, actor, await getAssetId(db, actor, params.asset_id))),
  read(ops.listAssetSessions, async ({ db, actor, params, query }) =>
    listSessions(db, actor, await getAssetId(db, actor, params.asset_id), query)
  ),
  read(ops.getSimUsages, async ({ db, actor, params, query }) =>
    getSimUsages(db, actor, await getAssetId(db, actor, params.asset_id), query)
  ),
  stream(ops.exportAssets, ({ db, actor, query }) => exportAssets(db, actor, query)),
  write(ops.registerAsset, async ({ db, actor, body }) => getAssetById(db, actor, await registerAsset(db, actor, body))),
  write(ops.updateAsset, ({ db, actor, params, body }) => change(db, actor, params.asset_id, (id) => updateAsset(db, actor, id, body))),
  write(ops.activateSim, ({ db, actor, params }) => change(db, actor, params.asset_id, (id) => activateSim(db, actor, id))),
  write(ops.deactivateSim, ({ db, actor, params }) => change(db, actor, params.asset_id, (id) => deactivateSim(db, actor, id))),
]
