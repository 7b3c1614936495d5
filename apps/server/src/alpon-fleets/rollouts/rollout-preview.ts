import { sql } from 'kysely'
import type { RolloutPreview } from '@masthead/contract/alpon-fleets/rollout'
import type { ContainerSpec } from '@masthead/contract/devices/agent/application'
import { visibleTo, type Viewer } from '../../assets/index.ts'
import { architectureOf } from '../../devices/agent/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { getFleet } from '../fleet-queries.ts'
import { downloadOf } from './rollout-download.ts'
import { getVersion } from './version-queries.ts'

type Wanted = Pick<ContainerSpec, 'name' | 'image'>

/** What rolling a version out would reach, and what the devices would download. */
export async function getRolloutPreview(db: Db, actor: Actor, fleet_id: string, version: number): Promise<RolloutPreview> {
  await getFleet(db, actor, fleet_id)
  const { containers } = await getVersion(db, actor.account_id, fleet_id, version)
  const groups = await groupsOf(db, actor, fleet_id, containers)
  const count = (isOne: (group: Group) => boolean) => groups.filter(isOne).reduce((sum, { devices }) => sum + devices, 0)
  return {
    devices: count(() => true),
    online: count(({ has_agent, online }) => has_agent && online),
    offline: count(({ has_agent, online }) => has_agent && !online),
    without_agent: count(({ has_agent }) => !has_agent),
    already: count(({ has_agent, already }) => has_agent && already),
    download: await downloadOf(
      db,
      actor,
      containers.map(({ image }) => image),
      groups.filter(({ has_agent }) => has_agent).map(({ arch, ...group }) => ({ ...group, architecture: architectureOf(arch) }))
    ),
  }
}

type Group = {
  has_agent: boolean
  online: boolean
  already: boolean
  arch: string | null
  pool_id: string | null
  has: string[]
  devices: number
}

/** The devices of a fleet that the viewer sees; those that are alike in all of this are one row. `has`: digests of the images that they run. */
async function groupsOf(db: Db, viewer: Viewer, fleet_id: string, containers: readonly Wanted[]): Promise<Group[]> {
  const { account_id } = viewer
  const wanted = JSON.stringify(containers.map(({ name, image }) => ({ name, image })))
  const { rows } = await sql<Group>`with wanted as (
      select count(*) as containers from jsonb_array_elements(${wanted}::jsonb)
    ), devices as (
      select coalesce(device.kind = 'agent', false) as has_agent, coalesce(device.online, false) as online, (
          select count(*) = (select containers from wanted) and count(*) filter (where exists (
            select 1 from jsonb_array_elements(${wanted}::jsonb) as one where one->>'name' = container.name and one->>'image' = container.image
          )) = count(*) from container where container.account_id = f.account_id and container.asset_id = f.asset_id
        ) as already,
        said.agent->'host'->>'arch' as arch, pool.id as pool_id,
        array(select distinct one->>'digest' from jsonb_array_elements(case
            when jsonb_typeof(said.agent->'containers') = 'array' then said.agent->'containers' else '[]' end) as one
          where one->>'digest' ~ '^sha256:[0-9a-f]{64}$' order by 1) as has
      from fleet_asset f join asset on asset.account_id = f.account_id and asset.id = f.asset_id
        left join device on device.account_id = f.account_id and device.asset_id = f.asset_id
        left join sim on sim.account_id = asset.account_id and sim.id = asset.sim_id
        left join data_pool pool on pool.account_id = sim.account_id and pool.id = sim.pool_id and pool.ended_at is null
        cross join lateral (select device.reported->'agent' as agent) said
      where f.account_id = ${account_id} and f.fleet_id = ${fleet_id} and ${visibleTo(viewer)}
    )
    select has_agent, online, already, arch, pool_id, has, count(*)::int as devices from devices
    group by has_agent, online, already, arch, pool_id, has`.execute(db)
  return rows
}
