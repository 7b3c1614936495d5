import { sql, type RawBuilder } from 'kysely'
import type { FleetAsset, FleetDevice } from '@masthead/contract/alpon-fleets/fleet'
import type { listFleetAssets as listOp } from '@masthead/contract/alpon-fleets/operations'
import type { Parsed } from '@masthead/contract/kernel/operation'
import type { Page } from '@masthead/contract/kernel/page'
import { visibleTo, type Viewer } from '../assets/index.ts'
import type { Db } from '../kernel/app.ts'
import { containing } from '../kernel/http/like.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import type { Keyed } from '../kernel/secrets/secret-keys.ts'
import { getFleet } from './fleet-queries.ts'
import { differencesOf } from './rollouts/differences.ts'

type Query = Parsed<typeof listOp>['query']

/** Of the newest rollout that the asset is in, unless it is the pilot. */
const newest = <Kind>(what: RawBuilder<Kind>, from: RawBuilder<unknown> = sql`true`) =>
  sql<Kind>`case when asset.id is distinct from fleet.pilot_asset_id then (select ${what}
    from rollout r join rollout_device d on d.account_id = r.account_id and d.rollout_id = r.id and d.asset_id = asset.id
    where r.account_id = fleet.account_id and r.fleet_id = fleet.id and ${from} order by r.id desc limit 1) end`
/** What was set on it last. */
const set = newest(sql<number | null>`r.version`, sql`d.revision is not null`)
const standing = newest(sql<FleetAsset['rollout']>`case when r.state <> 'aborted' or d.state in ('success', 'failure')
    then json_build_object('version', r.version, 'state', d.state, 'attempts', d.attempts, 'started_at', d.started_at,
      'settled_at', d.settled_at, 'error', d.error) end`)

const hasAgent = (which: RawBuilder<unknown> = sql`true`) => sql<boolean>`exists (select from device
  where device.account_id = fleet_asset.account_id and device.asset_id = fleet_asset.asset_id and device.kind = 'agent' and ${which})`
/** As the preview of a rollout counts them. */
const whose: Record<FleetDevice, RawBuilder<boolean>> = {
  online: hasAgent(sql`device.online`),
  offline: hasAgent(sql`not device.online`),
  without_agent: sql<boolean>`not ${hasAgent()}`,
}

const toTime = (at: string | null) => at && new Date(at).toISOString()
/** Times as the API has them: the database writes them into JSON in a form of its own. */
const inOurTimes = (rollout: FleetAsset['rollout']): FleetAsset['rollout'] =>
  rollout && { ...rollout, started_at: toTime(rollout.started_at), settled_at: toTime(rollout.settled_at) }

export async function listFleetAssets(
  db: Db & Keyed,
  viewer: Viewer,
  fleet_id: string,
  { search = '', device, ...query }: Query
): Promise<Page<FleetAsset>> {
  await getFleet(db, viewer, fleet_id)
  const words = search.trim()
  const all = db
    .selectFrom('fleet_asset')
    .innerJoin('asset', (join) =>
      join.onRef('asset.account_id', '=', 'fleet_asset.account_id').onRef('asset.id', '=', 'fleet_asset.asset_id')
    )
    .where('fleet_asset.account_id', '=', viewer.account_id)
    .where('fleet_asset.fleet_id', '=', fleet_id)
    .where(sql<boolean>`${visibleTo(viewer)}`)
    .$if(device !== undefined, (assets) => assets.where(whose[device!]))
    .$if(words !== '', (assets) =>
      assets.where(sql<boolean>`(lower(asset.name) like ${containing(words)} or lower(asset.serial) like ${containing(words)})`)
    )
  const page = await pageByKey(db, query, {
    name: 'fleet_assets',
    all,
    keys: [
      { of: sql`lower(asset.name)`, is: 'text' },
      { of: sql.ref('asset.id'), is: 'text' },
    ],
    order: 'asc',
    rows: (page) =>
      page
        .innerJoin('fleet', (join) =>
          join.onRef('fleet.account_id', '=', 'fleet_asset.account_id').onRef('fleet.id', '=', 'fleet_asset.fleet_id')
        )
        .leftJoin('device', (join) =>
          join.onRef('device.account_id', '=', 'fleet_asset.account_id').onRef('device.asset_id', '=', 'fleet_asset.asset_id')
        )
        .select(['asset.id', 'asset.name', 'asset.serial', 'asset.type', 'fleet_asset.added_at', set.as('version'), standing.as('rollout')])
        .select(sql<boolean | null>`case when device.online or device.last_birth_at is not null then device.online end`.as('online'))
        .select(sql<boolean>`asset.id is not distinct from fleet.pilot_asset_id`.as('is_pilot')),
    items: (rows) => rows.map((row) => ({ ...row, rollout: inOurTimes(row.rollout), added_at: row.added_at.toISOString() })),
  })
  const differences = await differencesOf(
    db,
    { account_id: viewer.account_id, fleet_id },
    page.items.flatMap(({ id, version }) => (version === null ? [] : [{ asset_id: id, version }]))
  )
  return { ...page, items: page.items.map((asset) => ({ ...asset, differences: differences.get(asset.id) ?? [] })) }
}
