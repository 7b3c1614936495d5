import { sql, type RawBuilder } from 'kysely'
import type { SimState, SimStatus } from '@masthead/contract/assets/sim'
import type { ReportFilter } from '@masthead/contract/reports/report'
import { anyOf, knowTags, matching } from '../../assets/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import type { Value } from '../../kernel/http/csv.ts'

const simsAtOnce = 1000

/** What a report is asked of: as whom, which assets, from when to before when. */
export type Asked = { actor: Actor; filter: ReportFilter; start: Date; end: Date }

/** A SIM with the asset that it is in. */
export type AssetSim = {
  sim_id: string
  asset_id: string | null
  name: string
  serial: string | null
  tags: string | null
  network_group: string | null
  iccid: string | null
  imsi: string | null
  msisdn: string | null
  state: SimState | null
  status: SimStatus | null
  activated_at: Date | null
  seen_at: Date | null
}

/** What each row of a SIM begins with. */
export const simColumns = ['asset_name', 'serial', 'tags', 'network_group', 'iccid', 'imsi', 'msisdn'] as const
type Named = Pick<AssetSim, 'serial' | 'tags' | 'network_group' | 'iccid' | 'imsi' | 'msisdn'> & { name: string | null }
export const simCells = ({ name, serial, tags, network_group, iccid, imsi, msisdn }: Named): Value[] => [
  name,
  serial,
  tags,
  network_group,
  iccid,
  imsi,
  msisdn,
]

export const filterOf = ({ tags, network_groups, q }: ReportFilter) => ({
  ...(tags.length > 0 && { tag: tags.map(({ id }) => id) }),
  ...(network_groups.length > 0 && { network_group: network_groups.map(({ id }) => id) }),
  ...(q !== null && { q }),
})

export const isWhole = ({ actor, filter: { tags, network_groups, q } }: Asked) =>
  actor.tags.length === 0 && tags.length === 0 && network_groups.length === 0 && q === null

/** How many assets match. */
export async function countAssets(db: Db, { actor, filter }: Asked): Promise<number> {
  const known = await knowTags(db, actor, filterOf(filter))
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from asset where ${matching(actor, known)}`.execute(db)
  return rows[0]!.count
}

/** What a SIM has in the period that is listed also where it is removed: usage, or costs. */
export type Left = 'usage' | 'costs'

/**
 * The SIMs of all assets that match, a thousand assets at a time, in the order of the assets' ids; `counted` is called with how many assets were read. Whoever sees the whole account
 * also gets, at the end, those that were removed from it and left something in the period: without names, as nobody knows them any more.
 */
export async function* assetSims(db: Db, asked: Asked, counted: (assets: number) => void, left: Left | null): AsyncGenerator<AssetSim[]> {
  const { actor } = asked
  const filter = await knowTags(db, actor, filterOf(asked.filter))
  for (let after = '', more = true; more;) {
    const { rows } = await sql<{ id: string }>`select asset.id from asset
      where ${matching(actor, filter)} and asset.id > ${after} order by asset.id limit ${simsAtOnce}`.execute(db)
    const ids = rows.map(({ id }) => id)
    const sims = await describeSims(db, actor, sql`asset.id = ${anyOf(ids)}`)
    counted(ids.length)
    yield sims
    after = ids.at(-1) ?? after
    more = ids.length === simsAtOnce
  }
  if (left && isWhole(asked)) yield* removedSims(db, asked, left)
}

/** SIMs of the account with the assets that they are in; a limited member knows of no other tags than theirs. */
export async function describeSims(
  db: Db,
  { account_id, tags }: Pick<Actor, 'account_id' | 'tags'>,
  which: RawBuilder<unknown>
): Promise<AssetSim[]> {
  const theirs = tags.length === 0 ? sql`true` : sql`tag.id = ${anyOf(tags)}`
  const { rows } =
    await sql<AssetSim>`select sim.id as sim_id, asset.id as asset_id, asset.name, asset.serial, sim.iccid, sim.msisdn, sim.state, sim.status,
      sim.activated_at, c.seen_at, g.name as network_group,
      (select string_agg(tag.name, ';' order by lower(tag.name)) from asset_tag t
        join tag on tag.account_id = t.account_id and tag.id = t.tag_id and ${theirs}
        where t.account_id = asset.account_id and t.asset_id = asset.id) as tags,
      (select string_agg(imsi, ';' order by position) from sim_imsi i where i.account_id = sim.account_id and i.sim_id = sim.id) as imsi
    from asset join sim on sim.account_id = asset.account_id and sim.asset_id = asset.id
      left join sim_counter c on c.account_id = sim.account_id and c.sim_id = sim.id
      left join network_group g on g.account_id = sim.account_id and g.id = coalesce(sim.group_id, 'default')
    where asset.account_id = ${account_id} and sim.account_id = ${account_id} and ${which} order by asset.id, sim.id`.execute(db)
  return rows
}

/** What nobody knows of a SIM any more. */
export const nobody = { asset_id: null, serial: null, tags: null, network_group: null, iccid: null, imsi: null, msisdn: null }
export const removed = { ...nobody, name: 'Removed SIM' }
const unknown = { ...removed, state: null, status: null, activated_at: null, seen_at: null }

const leftIn: Record<Left, (of: Pick<Asked, 'start' | 'end'>) => RawBuilder<unknown>> = {
  usage: ({ start, end }) => sql`usage_day u where u.day >= ${start}::timestamptz::date and u.day <= ${end}::timestamptz::date`,
  costs: ({ start, end }) =>
    sql`cost_sim u where u.month >= date_trunc('month', ${start}::timestamptz)::date and u.month <= ${end}::timestamptz::date`,
}

async function* removedSims(db: Db, { actor: { account_id }, ...period }: Asked, left: Left): AsyncGenerator<AssetSim[]> {
  for (let after = '', more = true; more;) {
    const { rows } = await sql<{
      sim_id: string
    }>`select distinct u.sim_id from ${leftIn[left](period)} and u.account_id = ${account_id} and u.sim_id > ${after}
      and not exists (select from sim where sim.account_id = u.account_id and sim.id = u.sim_id) order by u.sim_id limit ${simsAtOnce}`.execute(
      db
    )
    yield rows.map((row) => ({ ...unknown, ...row }))
    after = rows.at(-1)?.sim_id ?? after
    more = rows.length === simsAtOnce
  }
}
