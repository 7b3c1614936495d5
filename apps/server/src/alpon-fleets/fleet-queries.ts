import { sql } from 'kysely'
import { fleetClosedWords, type Fleet } from '@masthead/contract/alpon-fleets/fleet'
import type { listFleets as listFleetsOp } from '@masthead/contract/alpon-fleets/operations'
import type { Parsed } from '@masthead/contract/kernel/operation'
import type { Page } from '@masthead/contract/kernel/page'
import { forbidden, notFound, Problem } from '@masthead/contract/kernel/problem'
import { visibleTo, type Viewer } from '../assets/index.ts'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { containing } from '../kernel/http/like.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import './tables.ts'

type Query = Parsed<typeof listFleetsOp>['query']

/** A fleet as a whole is for assets that a limited member does not see. */
export function needWhole({ tags }: Pick<Actor, 'tags'>): void {
  const words = fleetClosedWords(tags.length > 0)
  if (words !== null) throw new Problem(forbidden, words)
}

const fleetsOf = (db: Db, { account_id }: Viewer) => db.selectFrom('fleet').where('fleet.account_id', '=', account_id)

/** The pilot, the assets and how far the newest rollout is, of those that the viewer sees. */
const inFull = (fleets: ReturnType<typeof fleetsOf>, viewer: Viewer) =>
  fleets.select(['fleet.id', 'fleet.name', 'fleet.created_at', 'fleet.updated_at', 'fleet.updated_by', 'fleet.version']).select([
    sql<Fleet['pilot']>`(select json_build_object('asset_id', asset.id, 'asset_name', asset.name) from asset
        where asset.id = fleet.pilot_asset_id and ${visibleTo(viewer)})`.as('pilot'),
    sql<Pick<Fleet, 'assets' | 'online'>>`(select json_build_object('assets', count(*), 'online', count(*) filter (where device.online))
        from fleet_asset f join asset on asset.account_id = f.account_id and asset.id = f.asset_id
          left join device on device.account_id = f.account_id and device.asset_id = f.asset_id
        where f.account_id = fleet.account_id and f.fleet_id = fleet.id and ${visibleTo(viewer)})`.as('counted'),
    sql<
      Fleet['rollout']
    >`(select json_build_object('version', version, 'state', state, 'devices', devices, 'success', success, 'failure', failure)
        from (select * from rollout where rollout.account_id = fleet.account_id and rollout.fleet_id = fleet.id order by rollout.id desc limit 1) newest
          cross join lateral (select count(*) as devices, count(*) filter (where d.state = 'success') as success,
              count(*) filter (where d.state = 'failure') as failure
            from rollout_device d join asset on asset.account_id = d.account_id and asset.id = d.asset_id
            where d.account_id = newest.account_id and d.rollout_id = newest.id and ${visibleTo(viewer)}) reached)`.as('rollout'),
  ])
type Row = Awaited<ReturnType<ReturnType<typeof inFull>['execute']>>[number]

const asFleet = ({ counted, ...row }: Row, { tags }: Viewer): Fleet => ({
  ...row,
  ...counted,
  limited: tags.length > 0,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export function listFleets(db: Db, viewer: Viewer, { search = '', ...query }: Query): Promise<Page<Fleet>> {
  const words = search.trim()
  return pageByKey(db, query, {
    name: 'fleets',
    all: fleetsOf(db, viewer).$if(words !== '', (fleets) => fleets.where(sql`lower(fleet.name)`, 'like', containing(words))),
    keys: [
      { of: sql`lower(fleet.name)`, is: 'text' },
      { of: sql.ref('fleet.id'), is: 'text' },
    ],
    order: 'asc',
    rows: (page) => inFull(page, viewer),
    items: (rows) => rows.map((row) => asFleet(row, viewer)),
  })
}

export async function getFleet(db: Db, viewer: Viewer, id: string): Promise<Fleet> {
  const row = await inFull(fleetsOf(db, viewer), viewer).where('fleet.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asFleet(row, viewer)
}

/** The name and the pilot of a fleet, which nobody else changes until the transaction ends. */
export async function getFleetForUpdate(tx: Tx, { account_id }: Viewer, id: string) {
  const row = await tx
    .selectFrom('fleet')
    .select(['id', 'name', 'pilot_asset_id', 'version'])
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}

/** The name of an asset of a fleet, which stays in it until the transaction ends; undefined where it is not in it. */
export async function findNameInFleet(
  tx: Tx,
  { account_id }: Viewer,
  { fleet_id, asset_id }: { fleet_id: string; asset_id: string }
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('fleet_asset')
    .innerJoin('asset', (join) =>
      join.onRef('asset.account_id', '=', 'fleet_asset.account_id').onRef('asset.id', '=', 'fleet_asset.asset_id')
    )
    .select('asset.name')
    .where('fleet_asset.account_id', '=', account_id)
    .where('fleet_asset.fleet_id', '=', fleet_id)
    .where('fleet_asset.asset_id', '=', asset_id)
    .forKeyShare()
    .executeTakeFirst()
  return row?.name
}
