import * as ops from '@masthead/contract/datapools/operations'
import { read, write, type Route } from '../kernel/http/routes.ts'
import { buyPackage } from './buying/buy-package.ts'
import { buyMoreData } from './buying/buy-more-data.ts'
import { updateDataPool } from './change-pool.ts'
import { listPoolSims } from './list-pool-sims.ts'
import { listPackages } from './packages.ts'
import { addPoolAssets, removePoolAssets, setPoolTags } from './pool-members.ts'
import { getDataPool, listDataPools } from './pool-queries.ts'

export const poolRoutes: Route[] = [
  read(ops.listDataPools, ({ db, actor, query }) => listDataPools(db, actor, query)),
  read(ops.listPackages, async ({ db, actor }) => ({ items: await listPackages(db, actor) })),
  read(ops.getDataPool, ({ db, actor, params }) => getDataPool(db, actor, params.pool_id)),
  read(ops.listPoolSims, ({ db, actor, params, query }) => listPoolSims(db, actor, params.pool_id, query)),
  write(ops.buyPackage, ({ db, actor, body }) => buyPackage(db, actor, body)),
  write(ops.buyMoreData, ({ db, actor, params }) => buyMoreData(db, actor, params.pool_id)),
  write(ops.updateDataPool, ({ db, actor, params, body }) => updateDataPool(db, actor, params.pool_id, body)),
  write(ops.addPoolAssets, ({ db, actor, params, body }) => addPoolAssets(db, actor, params.pool_id, body.assets)),
  write(ops.removePoolAssets, ({ db, actor, params, body }) => removePoolAssets(db, actor, params.pool_id, body.assets)),
  write(ops.setPoolTags, ({ db, actor, params, body }) => setPoolTags(db, actor, params.pool_id, body.tags)),
]
