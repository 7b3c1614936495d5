import * as connection from '@masthead/contract/assets/connection-operations'
import * as enforcements from '@masthead/contract/assets/enforcement-operations'
import * as past from '@masthead/contract/assets/past/history-operations'
import * as places from '@masthead/contract/assets/place-operations'
import { read, type Route } from '../../kernel/http/routes.ts'
import { getAssetId } from '../asset-queries.ts'
import { getServiceHistory } from './get-service-history.ts'
import { listEnforcements, sumEnforcements } from './enforcements.ts'
import { listStays } from './list-stays.ts'
import { listTimeline } from './list-timeline.ts'
import { listUsedNetworks } from './list-used-networks.ts'
import { proveEnforcement } from './prove-enforcement.ts'

export const assetNetworkRoutes: Route[] = [
  read(enforcements.listEnforcements, ({ db, actor, query }) => listEnforcements(db, actor, query)),
  read(enforcements.getEnforcementFigures, ({ db, actor, query }) => sumEnforcements(db, actor, query)),
  read(enforcements.getEnforcement, ({ db, actor, params }) => proveEnforcement(db, actor, params.enforcement_id)),
  read(connection.listTimeline, async ({ db, actor, params, query }) =>
    listTimeline(db, actor, await getAssetId(db, actor, params.asset_id), query)
  ),
  read(past.getServiceHistory, async ({ db, actor, params }) => getServiceHistory(db, actor, await getAssetId(db, actor, params.asset_id))),
  read(places.listStays, async ({ db, actor, params }) => listStays(db, actor, await getAssetId(db, actor, params.asset_id))),
  read(connection.listUsedNetworks, async ({ db, actor, params }) => ({
    items: await listUsedNetworks(db, actor, await getAssetId(db, actor, params.asset_id)),
  })),
]
