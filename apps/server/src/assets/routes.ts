import { findNumbers as findNumbersOp } from '@masthead/contract/assets/find-operations'
import * as ops from '@masthead/contract/assets/operations'
import { read, stream, write, type Route } from '../kernel/http/routes.ts'
import { getAssetId } from './asset-queries.ts'
import { changing } from './changing.ts'
import { getAssetById } from './list/asset-rows.ts'
import { exportAssets, needExportable } from './list/export-assets.ts'
import { findNumbers } from './list/find-numbers.ts'
import { getSimUsages } from './get-sim-usages.ts'
import { listAssets } from './list/list-assets.ts'
import { registerAsset } from './register/register-asset.ts'
import { listSessions } from './session-queries.ts'
import { changeSimState } from './sim/change-state.ts'
import { updateAsset } from './update-asset.ts'

export const assetRoutes: Route[] = [
  read(ops.listAssets, ({ db, actor, query }) => listAssets(db, actor, query)),
  write(findNumbersOp, ({ db, actor, body }) => findNumbers(db, actor, body)),
  read(ops.getAsset, async ({ db, actor, params }) => getAssetById(db, actor, await getAssetId(db, actor, params.asset_id))),
  read(ops.listAssetSessions, async ({ db, actor, params, query }) =>
    listSessions(db, actor, await getAssetId(db, actor, params.asset_id), query)
  ),
  read(ops.getSimUsages, async ({ db, actor, params, query }) =>
    getSimUsages(db, actor, await getAssetId(db, actor, params.asset_id), query)
  ),
  stream(
    ops.exportAssets,
    ({ db, actor, query }) => exportAssets(db, actor, query),
    undefined,
    ({ db, actor, query }) => needExportable(db, actor, query)
  ),
  write(ops.registerAsset, async ({ db, actor, body }) => getAssetById(db, actor, await registerAsset(db, actor, body))),
  write(ops.updateAsset, ({ db, actor, params, body }) => changing(db, actor, params, (id) => updateAsset(db, actor, id, body))),
  write(ops.activateSim, ({ db, actor, params }) => changing(db, actor, params, (id) => changeSimState(db, actor, id, 'activate'))),
  write(ops.deactivateSim, ({ db, actor, params }) => changing(db, actor, params, (id) => changeSimState(db, actor, id, 'deactivate'))),
]
