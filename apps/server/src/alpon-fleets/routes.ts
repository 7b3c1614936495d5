import * as ops from '@masthead/contract/alpon-fleets/operations'
import * as rollouts from '@masthead/contract/alpon-fleets/rollout-operations'
import { ownHosts } from '../devices/agent/index.ts'
import { read, write, type Route } from '../kernel/http/routes.ts'
import { createFleet, deleteFleet, updateFleet } from './change-fleets.ts'
import { addAssets, removeAssets } from './change-members.ts'
import { getFleet, listFleets } from './fleet-queries.ts'
import { listFleetAssets } from './list-fleet-assets.ts'
import { restoreAsset } from './rollouts/rollout-members.ts'
import { publishVersion } from './rollouts/publish-version.ts'
import { getRolloutPreview } from './rollouts/rollout-preview.ts'
import { listRolloutAssets, listRollouts } from './rollouts/rollout-queries.ts'
import { startRollout, controlRollout } from './rollouts/control-rollout.ts'
import { listRolloutTries } from './rollouts/rollout-tries.ts'
import { listVersions } from './rollouts/version-queries.ts'

export const fleetRoutes: Route[] = [
  read(ops.listFleets, ({ db, actor, query }) => listFleets(db, actor, query)),
  read(ops.getFleet, ({ db, actor, params }) => getFleet(db, actor, params.fleet_id)),
  write(ops.createFleet, ({ db, actor, body }) => createFleet(db, actor, body)),
  write(ops.updateFleet, ({ db, actor, params, body }) => updateFleet(db, actor, params.fleet_id, body)),
  write(ops.deleteFleet, ({ db, actor, params }) => deleteFleet(db, actor, params.fleet_id)),
  read(ops.listFleetAssets, ({ db, actor, params, query }) => listFleetAssets(db, actor, params.fleet_id, query)),
  write(ops.addFleetAssets, ({ db, actor, params, body }) => addAssets(db, actor, params.fleet_id, body)),
  write(ops.removeFleetAssets, ({ db, actor, params, body }) => removeAssets(db, actor, params.fleet_id, body)),
  read(rollouts.listVersions, ({ db, actor, params, query }) => listVersions(db, actor, params.fleet_id, query)),
  write(rollouts.publishVersion, ({ db, actor, params, body }) => publishVersion(db, actor, params.fleet_id, body.note)),
  read(rollouts.listRollouts, ({ db, actor, params, query }) => listRollouts(db, actor, params.fleet_id, query)),
  read(rollouts.getRolloutPreview, ({ db, config, actor, params, query }) =>
    getRolloutPreview(db, ownHosts(config), actor, params.fleet_id, query.version)
  ),
  write(rollouts.startRollout, ({ db, actor, params, body }) => startRollout(db, actor, params.fleet_id, body)),
  read(rollouts.listRolloutAssets, ({ db, actor, params, query }) =>
    listRolloutAssets(db, actor, params.fleet_id, params.rollout_id, query)
  ),
  read(rollouts.listRolloutTries, ({ db, actor, params, query }) => listRolloutTries(db, actor, params, query)),
  write(rollouts.restoreFleetAsset, ({ db, actor, params }) => restoreAsset(db, actor, params)),
  write(rollouts.pauseRollout, ({ db, actor, params }) => controlRollout(db, actor, params, 'pause')),
  write(rollouts.resumeRollout, ({ db, actor, params }) => controlRollout(db, actor, params, 'resume')),
  write(rollouts.abortRollout, ({ db, actor, params }) => controlRollout(db, actor, params, 'abort')),
  write(rollouts.retryRollout, ({ db, actor, params }) => controlRollout(db, actor, params, 'retry')),
]
