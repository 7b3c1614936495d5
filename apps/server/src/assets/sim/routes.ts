import * as ops from '@masthead/contract/assets/sim-operations'
import { assetHasNoSim } from '@masthead/contract/assets/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { read, write, type Route } from '../../kernel/http/routes.ts'
import { getAssetId } from '../asset-queries.ts'
import { getAssetById } from '../list/asset-rows.ts'
import { changing } from '../changing.ts'
import { askStaff } from './ask-staff.ts'
import { acceptDevice, setDeviceLock } from './change-device-lock.ts'
import { raiseLimitOf, setLimitOf } from './change-limit.ts'
import { changeSimState, terminateSim } from './change-state.ts'
import { releaseAsset } from './release-asset.ts'
import { resetSim } from './reset-sim.ts'
import { swapSim } from './swap-sim.ts'

export const simRoutes: Route[] = [
  read(ops.getSim, async ({ db, actor, params }) => {
    const { sim } = await getAssetById(db, actor, await getAssetId(db, actor, params.asset_id))
    if (!sim) throw new Problem(assetHasNoSim)
    return sim
  }),
  write(ops.standbySim, ({ db, actor, params }) => changing(db, actor, params, (id) => changeSimState(db, actor, id, 'standby'))),
  write(ops.readySim, ({ db, actor, params }) => changing(db, actor, params, (id) => changeSimState(db, actor, id, 'ready'))),
  write(ops.terminateSim, ({ db, actor, params, body }) => changing(db, actor, params, (id) => terminateSim(db, actor, id, body))),
  write(ops.resetSim, async ({ db, actor, params }) => resetSim(db, actor, await getAssetId(db, actor, params.asset_id))),
  write(ops.setSimLimit, ({ db, actor, params, body }) => changing(db, actor, params, (id) => setLimitOf(db, actor, id, body))),
  write(ops.raiseSimLimit, ({ db, actor, params, body }) => changing(db, actor, params, (id) => raiseLimitOf(db, actor, id, body))),
  write(ops.setImeiLock, ({ db, actor, params, body }) => changing(db, actor, params, (id) => setDeviceLock(db, actor, id, body))),
  write(ops.acceptDevice, ({ db, actor, params, body }) => changing(db, actor, params, (id) => acceptDevice(db, actor, id, body))),
  write(ops.askStaff, async ({ db, actor, params, body }) => askStaff(db, actor, await getAssetId(db, actor, params.asset_id), body)),
  write(ops.swapSim, ({ db, actor, params, body }) => changing(db, actor, params, (id) => swapSim(db, actor, id, body))),
  write(ops.releaseAsset, async ({ db, actor, params, body }) =>
    releaseAsset(db, actor, await getAssetId(db, actor, params.asset_id), body)
  ),
]
