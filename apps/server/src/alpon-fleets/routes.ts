import * as ops from '@masthead/contract/alpon-fleets/operations'
import { read, write, type Route } from '../kernel/http/routes.ts'
import { createFleet, deleteFleet, updateFleet } from './change-fleets.ts'
import { addAssets, removeAssets } from './change-members.ts'
import { getFleet, listFleetAssets, listFleets } from './fleet-queries.ts'

export const fleetRoutes: Route[] = [
  read(ops.listFleets, ({ db, actor, query }) => listFleets(db, actor, query)),
  read(ops.getFleet, ({ db, actor, params }) => getFleet(db, actor, params.fleet_id)),
  write(ops.createFleet, ({ db, actor, body }) => createFleet(db, actor, body)),
  write(ops.updateFleet, ({ db, actor, params, body }) => updateFleet(db, actor, params.fleet_id, body)),
  write(ops.deleteFleet, ({ db, actor, params }) => deleteFleet(db, actor, params.fleet_id)),
  read(ops.listFleetAssets, ({ db, actor, params, query }) => listFleetAssets(db, actor, params.fleet_id, query)),
  write(ops.addFleetAssets, ({ db, actor, params, body }) => addAssets(db, actor, params.fleet_id, body.assets)),
  write(ops.removeFleetAssets, ({ db, actor, params, body }) => removeAssets(db, actor, params.fleet_id, body.assets)),
]
