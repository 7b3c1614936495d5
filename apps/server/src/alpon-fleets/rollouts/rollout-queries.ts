import { sql } from 'kysely'
import type { listRolloutAssets as listRolloutAssetsOp } from '@masthead/contract/alpon-fleets/rollout-operations'
import type { Rollout, RolloutAsset } from '@masthead/contract/alpon-fleets/rollout'
import type { Parsed } from '@masthead/contract/kernel/operation'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { visibleTo, type Viewer } from '../../assets/index.ts'
import { architectureOf, getAgentApplications } from '../../devices/agent/index.ts'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { getFleet } from '../fleet-queries.ts'
import { stepOf } from './outcome-of.ts'
import { sizesOf } from './rollout-download.ts'
import { getVersion } from './version-queries.ts'

const rolloutsOf = (db: Db, { account_id }: Viewer, fleet_id: string) =>
  db.selectFrom('rollout').where('rollout.account_id', '=', account_id).where('rollout.fleet_id', '=', fleet_id)

const none = { pending: 0, started: 0, success: 0, failure: 0, offline: 0 }
type Counted = { phase: number; state: 'pending' | 'started' | 'success' | 'failure'; devices: number; offline: number }

/** With the devices that the viewer sees counted by phase and state. */
const inFull = (rollouts: ReturnType<typeof rolloutsOf>, viewer: Viewer) =>
  rollouts.select(['rollout.id', 'version', 'state', 'plan', 'started_at', 'started_by', 'finished_at']).select(
    sql<Counted[] | null>`(select json_agg(counted) from (
        select d.phase, d.state, count(*)::int as devices, count(*) filter (where not coalesce(device.online, false))::int as offline
        from rollout_device d join asset on asset.account_id = d.account_id and asset.id = d.asset_id
          left join device on device.account_id = d.account_id and device.asset_id = d.asset_id
        where d.account_id = rollout.account_id and d.rollout_id = rollout.id and ${visibleTo(viewer)} group by 1, 2) counted)`.as(
      'counted'
    )
  )
type Row = Awaited<ReturnType<ReturnType<typeof inFull>['execute']>>[number]

function asRollout({ counted, started_at, finished_at, ...row }: Row): Rollout {
  const phases = row.plan.phases.map(() => ({ ...none }))
  for (const { phase, state, devices, offline } of counted ?? []) {
    phases[phase]![state] += devices
    if (state === 'pending') phases[phase]!.offline += offline
  }
  return { ...row, phases, started_at: started_at.toISOString(), finished_at: finished_at?.toISOString() ?? null }
}

export async function listRollouts(db: Db, viewer: Viewer, fleet_id: string, query: PageQuery): Promise<Page<Rollout>> {
  await getFleet(db, viewer, fleet_id)
  return pageByKey(db, query, {
    name: 'rollouts',
    all: rolloutsOf(db, viewer, fleet_id),
    keys: [{ of: sql.ref('rollout.id'), is: 'text' }],
    order: 'desc',
    rows: (page) => inFull(page, viewer),
    items: (rows) => rows.map(asRollout),
  })
}

export async function getRollout(db: Db, viewer: Viewer, fleet_id: string, id: string): Promise<Rollout> {
  const row = await inFull(rolloutsOf(db, viewer, fleet_id), viewer)
    .where('rollout.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asRollout(row)
}

/** The rollout, which nobody else moves on until the transaction ends. */
export async function getRolloutForUpdate(tx: Tx, viewer: Viewer, fleet_id: string, id: string) {
  const row = await rolloutsOf(tx, viewer, fleet_id).selectAll().where('rollout.id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}

type Asked = Parsed<typeof listRolloutAssetsOp>['query']

export async function listRolloutAssets(
  db: Db,
  viewer: Actor,
  fleet_id: string,
  id: string,
  { state, ...query }: Asked
): Promise<Page<RolloutAsset>> {
  const { version } = await getRollout(db, viewer, fleet_id, id)
  const page = await pageByKey(db, query, {
    name: 'rollout_assets',
    all: db
      .selectFrom('rollout_device')
      .innerJoin('asset', (join) =>
        join.onRef('asset.account_id', '=', 'rollout_device.account_id').onRef('asset.id', '=', 'rollout_device.asset_id')
      )
      .where('rollout_device.account_id', '=', viewer.account_id)
      .where('rollout_device.rollout_id', '=', id)
      .where(sql<boolean>`${visibleTo(viewer)}`)
      .$if(state !== undefined, (devices) => devices.where('rollout_device.state', '=', state!)),
    keys: [
      { of: sql.ref('rollout_device.phase'), is: 'number' },
      { of: sql.ref('rollout_device.asset_id'), is: 'text' },
    ],
    order: 'asc',
    rows: (page) =>
      page
        .leftJoin('device', (join) =>
          join.onRef('device.account_id', '=', 'rollout_device.account_id').onRef('device.asset_id', '=', 'rollout_device.asset_id')
        )
        .select(['rollout_device.asset_id', 'asset.name as asset_name', 'rollout_device.phase', 'rollout_device.state'])
        .select(['rollout_device.attempts', 'rollout_device.started_at', 'rollout_device.settled_at', 'rollout_device.error'])
        .select(['rollout_device.revision', sql<string | null>`device.reported->'agent'->'host'->>'arch'`.as('arch')])
        .select(sql<boolean>`coalesce(device.online, false)`.as('online')),
    items: (rows) =>
      rows.map((row) => ({
        ...row,
        started_at: row.started_at?.toISOString() ?? null,
        settled_at: row.settled_at?.toISOString() ?? null,
      })),
  })
  const started = page.items.filter((device) => device.state === 'started').map(({ asset_id }) => asset_id)
  const applications = await getAgentApplications(db, viewer.account_id, started)
  const { containers } = await getVersion(db, viewer.account_id, fleet_id, version)
  const images = [...new Set(containers.map(({ image }) => image))]
  const architectures = page.items.map(({ arch }) => architectureOf(arch))
  const sizeOn = await sizesOf(db, viewer, images, architectures)
  return {
    ...page,
    items: page.items.map(({ revision, arch, ...device }) => ({
      ...device,
      size_bytes: sizeOn(architectureOf(arch)),
      step: device.state === 'started' ? stepOf(applications.get(device.asset_id), revision ?? 0) : null,
    })),
  }
}
