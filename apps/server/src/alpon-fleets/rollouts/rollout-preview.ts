import { sql } from 'kysely'
import type { FleetVersion, RolloutPreview } from '@masthead/contract/alpon-fleets/rollout'
import type { ContainerSpec } from '@masthead/contract/devices/agent/application'
import { digestPattern } from '@masthead/contract/registry/image-reference'
import { visibleTo, type Viewer } from '../../assets/index.ts'
import { architectureOf, type OwnHosts } from '../../devices/agent/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { getFleet } from '../fleet-queries.ts'
import { findGone } from './images-gone.ts'
import { downloadOf } from './rollout-download.ts'
import { getVersion } from './version-queries.ts'

type Wanted = Pick<ContainerSpec, 'name' | 'image'>

/** What rolling a version out would reach, and what the devices would download. */
export async function getRolloutPreview(db: Db, hosts: OwnHosts, actor: Actor, fleet_id: string, version: number): Promise<RolloutPreview> {
  await getFleet(db, actor, fleet_id)
  const { containers, network } = await getVersion(db, actor.account_id, fleet_id, version)
  const groups = await groupsOf(db, actor, fleet_id, { containers, network })
  const images = [...new Set(containers.map(({ image }) => image))]
  const count = (isOne: (group: Group) => boolean) => groups.filter(isOne).reduce((sum, { devices }) => sum + devices, 0)
  return {
    devices: count(() => true),
    online: count(({ has_agent, online }) => has_agent && online),
    offline: count(({ has_agent, online }) => has_agent && !online),
    without_agent: count(({ has_agent }) => !has_agent),
    already: count(({ has_agent, already }) => has_agent && already),
    ...(await findGone(db, actor.account_id, images, hosts)),
    download: await downloadOf(
      db,
      actor,
      images,
      groups.filter(({ has_agent }) => has_agent).map(({ arch, ...group }) => ({ ...group, architecture: architectureOf(arch) }))
    ),
  }
}

type Group = {
  has_agent: boolean
  online: boolean
  already: boolean
  arch: string | null
  cellular: boolean
  pool_ids: string[]
  has: string[]
  devices: number
}

/**
 * The devices of a fleet that the viewer sees; those that are alike in all of this are one row. `pool_ids`: what gives data where the SIM is, in the order in
 * which it is taken. `cellular`: they use no other interface, as far as they said. `has`: the images that they run, as `repository@digest`.
 */
async function groupsOf(
  db: Db,
  viewer: Viewer & Pick<Actor, 'at'>,
  fleet_id: string,
  { containers, network }: { containers: readonly Wanted[]; network: FleetVersion['network'] }
): Promise<Group[]> {
  const { account_id, at } = viewer
  const wanted = JSON.stringify(containers.map(({ name, image }) => ({ name, image })))
  const priority = network?.priority ? JSON.stringify(network.priority) : null
  const { name: apn = null, user = null } = network?.apn ?? {}
  const { rows } = await sql<Group>`with wanted as (
      select count(*) as containers from jsonb_array_elements(${wanted}::jsonb)
    ), devices as (
      select coalesce(device.kind = 'agent', false) as has_agent, coalesce(device.online, false) as online, (
          select count(*) = (select containers from wanted) and count(*) filter (where exists (
            select 1 from jsonb_array_elements(${wanted}::jsonb) as one where one->>'name' = container.name and one->>'image' = container.image
          )) = count(*) from container where container.account_id = f.account_id and container.asset_id = f.asset_id
        ) and (${priority}::jsonb is null or net.priority = ${priority}::jsonb) and (${apn}::text is null
          or net.apn = ${apn} and net.apn_user is not distinct from ${user}) as already,
        said.agent->'host'->>'arch' as arch,
        coalesce((select one->>'kind' from jsonb_array_elements(case
            when jsonb_typeof(said.interfaces) = 'array' then said.interfaces else '[]' end) as one
          where one->>'metric' ~ '^\\d{1,9}$' order by (one->>'metric')::int limit 1), 'C') not in ('E', 'W') as cellular,
        array(select p.id from data_pool_sim m join data_pool p on p.account_id = m.account_id and p.id = m.pool_id and p.ended_at is null
            join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
          where m.account_id = sim.account_id and m.sim_id = sim.id
            and (p.zone is null or place.mccmnc is null or p.zone = zone_of(place.mccmnc, (${at}::timestamptz at time zone 'UTC')::date))
          order by p.priority, t.ends_at, p.id) as pool_ids,
        array(select distinct regexp_replace(coalesce(one->>'image', ''), '^[^/]*/|[@:].*$', '', 'g') || '@' || (one->>'digest')
          from jsonb_array_elements(case
            when jsonb_typeof(said.agent->'containers') = 'array' then said.agent->'containers' else '[]' end) as one
          where one->>'digest' ~ ${digestPattern.source} order by 1) as has
      from fleet_asset f join asset on asset.account_id = f.account_id and asset.id = f.asset_id
        left join device on device.account_id = f.account_id and device.asset_id = f.asset_id
        left join device_network net on net.account_id = f.account_id and net.asset_id = f.asset_id
        left join sim on sim.account_id = asset.account_id and sim.id = asset.sim_id
        left join lateral (select s.mccmnc from data_session s
          where s.account_id = sim.account_id and s.sim_id = sim.id and s.ended_at is null and not s.superseded
          order by s.started_at desc, s.id desc limit 1) place on true
        cross join lateral (select device.reported->'agent' as agent, device.reported->'network'->'interfaces' as interfaces) said
      where f.account_id = ${account_id} and f.fleet_id = ${fleet_id} and ${visibleTo(viewer)}
    )
    select has_agent, online, already, arch, cellular, pool_ids, has, count(*)::int as devices from devices
    group by has_agent, online, already, arch, cellular, pool_ids, has`.execute(db)
  return rows
}
