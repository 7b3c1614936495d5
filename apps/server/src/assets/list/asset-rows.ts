import { sql, type RawBuilder } from 'kysely'
import type { Asset } from '@masthead/contract/assets/asset'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Tag } from '@masthead/contract/tags/tag'
import type { Db } from '../../kernel/app.ts'
import { runPrepared } from '../../kernel/database/prepared.ts'
import { limitNow } from '../../usage/index.ts'
import { hourBefore } from '../hour-before.ts'
import { toTime } from '../session-row.ts'
import { periodOf, toSim, type Period, type SimRow } from '../sim-row.ts'
import { imeiLockOf } from '../service/index.ts'
import { anyOf, type Viewer } from '../viewer.ts'

/** An asset with one of its SIMs, and that SIM's live session, as JSON; an asset without a SIM has one row. */
type AssetRow = {
  asset_id: string
  name: string
  type: Asset['type']
  serial: string
  asset_created_at: string
  sim_in_use: string | null
  fleet: Asset['fleet']
  firmware: string | null
  tags: Pick<Tag, 'id' | 'name' | 'color'>[] | null
} & (SimRow | { sim_id: null })

/** The rows of `asset` that are wanted, each with its place among them (`nth`), and what the list says beside each. */
type Wanted<Beside> = RawBuilder<{ id: string; nth: number } & Beside>

/** What a device says is of any length. */
const longestFirmware = 80

/**
 * Every value is one of an index: the plan is right for whatever assets. A limited member learns of no tag but theirs. The live session of a SIM
 * is the newest of the open ones. A row is one piece of JSON: fifty columns take the server three times as long to read.
 */
const rowsOf = <Beside>({ account_id, tags, at }: Viewer, wanted: Wanted<Beside>, beside: readonly (keyof Beside & string)[]) => {
  const limit = limitNow(at)
  return sql<{ row: AssetRow } & Beside>`with asset as materialized (${wanted}),
    tagged as (select asset.id, json_agg(json_build_object('id', tag.id, 'name', tag.name, 'color', tag.color) order by lower(tag.name)) as tags
      from asset join asset_tag on asset_tag.account_id = ${account_id} and asset_tag.asset_id = asset.id
        join tag on tag.account_id = ${account_id} and tag.id = asset_tag.tag_id ${tags.length === 0 ? sql`` : sql`and tag.id = ${anyOf(tags)}`}
      group by asset.id)
  select ${sql.join([...beside.map((column) => sql.ref(`asset.${column}`)), sql`to_json(whole) as row`])}
  from asset left join tagged on tagged.id = asset.id
  left join sim on sim.account_id = asset.account_id and sim.asset_id = asset.id
  left join data_pool pool on pool.account_id = sim.account_id and pool.id = sim.pool_id and pool.ended_at is null
  left join network_group g on g.account_id = sim.account_id and g.id = coalesce(sim.group_id, 'default')
  left join sim_counter c on c.account_id = sim.account_id and c.sim_id = sim.id
  left join sim_limit l on l.account_id = sim.account_id and l.sim_id = sim.id
  left join lateral (
    select s.id, s.acct_session_id, s.apn, s.ip, s.rat, s.mccmnc, s.imei, s.cell, s.started_at, s.updated_at, s.heard_at, s.ended_at, s.end_cause,
      s.bytes_up, s.bytes_down, s.interim_seconds, s.disconnect, s.forbidden, sim.iccid, gateway.name as gateway, network.name as network_name,
      network.country as network_country
    from data_session s join gateway on gateway.id = s.gateway_id left join network on network.mccmnc = s.mccmnc
    where s.account_id = sim.account_id and s.sim_id = sim.id and s.ended_at is null and not s.superseded
    order by s.started_at desc, s.id desc limit 1) session on true
  left join lateral (
    select e.last_at as at, e.words from connection_event e
    where sim.status = 'active' and session.id is null and e.account_id = sim.account_id and e.sim_id = sim.id and e.hour >= ${hourBefore(at)}
      and e.kind = 'rejected' and e.last_at > greatest(c.seen_at, (select max(a.last_at) from connection_event a
        where a.account_id = e.account_id and a.sim_id = e.sim_id and a.hour >= ${hourBefore(at)} and a.kind = 'accepted'), '-infinity')
    order by e.last_at desc limit 1) refused on true
  cross join lateral (select asset.id as asset_id, asset.name, asset.type, asset.serial, asset.created_at as asset_created_at,
    asset.sim_id as sim_in_use, tagged.tags,
    (select json_build_object('id', fleet.id, 'name', fleet.name) from fleet_asset own join fleet on fleet.account_id = own.account_id and fleet.id = own.fleet_id
      where own.account_id = asset.account_id and own.asset_id = asset.id) as fleet,
    (select left(coalesce(reported -> 'system' ->> 'sw_version', reported -> 'network' -> 'modem' ->> 'firmware'), ${longestFirmware}::int) from device
      where device.account_id = asset.account_id and device.asset_id = asset.id) as firmware,
    sim.id as sim_id, sim.iccid, sim.msisdn, sim.eid, sim.imei, ${sql.raw(imeiLockOf('sim'))} as imei_lock, sim.imei_lock as own_imei_lock, sim.imeis, sim.test_bytes, sim.state, sim.status, sim.state_changed_at, sim.state_changed_by,
    sim.activated_at, sim.blocks, pool.id as pool_id, pool.name as pool_name, g.id as group_id, g.name as group_name, g.apn as group_apn, l.period as limit_period,
    ${limit.allows} as limit_bytes, ${limit.used} as limit_used, l.scope as limit_scope, l.bytes as usual_limit,
    array(select imsi from sim_imsi where sim_imsi.account_id = sim.account_id and sim_imsi.sim_id = sim.id order by position) as imsis,
    c.period_start, c.bytes_up, c.bytes_down, c.lifetime_up::numeric + c.lifetime_down as lifetime, c.seen_at,
    session, refused) whole
  order by asset.nth, sim.created_at, sim.id`
}

/** Assets in full with what `wanted` says `beside` each. Its plan is kept with the rest, so it must have a good one whatever its values. */
export async function wantedAssets<Beside>(
  db: Db,
  viewer: Viewer,
  wanted: Wanted<Beside>,
  beside: readonly (keyof Beside & string)[]
): Promise<{ asset: Asset; beside: Beside }[]> {
  const rows = await runPrepared(db, rowsOf(viewer, wanted, beside))
  const period = periodOf(viewer.at)
  const byAsset = Map.groupBy(rows, ({ row }) => row.asset_id).values()
  return Array.from(byAsset, (own) => ({
    asset: toAsset(
      own.map(({ row }) => row),
      period,
      viewer.at
    ),
    beside: own[0]!,
  }))
}

/**
 * Assets in full, in the order of the ids, by one statement, however large the account.
 * Who may see them was decided when the ids were found.
 */
export async function assetsByIds(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Asset[]> {
  if (ids.length === 0) return []
  const wanted = sql<{ id: string; nth: number }>`select asset.*, given.nth from unnest(${ids}::text[]) with ordinality as given (id, nth)
    join asset on asset.account_id = ${viewer.account_id} and asset.id = given.id`
  const assets = await wantedAssets<unknown>(db, viewer, wanted, [])
  return assets.map(({ asset }) => asset)
}

function toAsset(rows: readonly AssetRow[], period: Period, at: Date): Asset {
  const { asset_id, name, type, serial, tags, asset_created_at, sim_in_use, fleet, firmware } = rows[0]!
  const sims = rows.filter((row) => row.sim_id !== null)
  const shown = sims.map((sim) => toSim(sim, period, at))
  const seen = Math.max(...sims.map(({ seen_at }) => (seen_at === null ? -Infinity : Date.parse(seen_at))))
  return {
    id: asset_id,
    name,
    type,
    serial,
    tags: tags ?? [],
    online: shown.some((sim) => sim.session !== null && !sim.session.silent),
    last_seen_at: Number.isFinite(seen) ? new Date(seen).toISOString() : null,
    created_at: toTime(asset_created_at),
    fleet,
    firmware,
    sim: shown.find((sim) => sim.id === sim_in_use) ?? null,
    ...(shown.some((sim) => sim.id !== sim_in_use) && { sims: shown }),
  }
}

/** One asset in full. */
export async function getAssetById(db: Db, viewer: Viewer, id: string): Promise<Asset> {
  const [asset] = await assetsByIds(db, viewer, [id])
  if (!asset) throw new Problem(notFound)
  const { switched_off_at } = await db
    .selectFrom('asset')
    .select('switched_off_at')
    .where('account_id', '=', viewer.account_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...asset, status: switched_off_at ? 'inactive' : 'active' }
}
