import { type RawBuilder, sql } from 'kysely'
import { defaultGroup, type AttachedSims, type NetworkGroup } from '@masthead/contract/network-groups/network-group'
import type { NetworkRules, OnNetwork } from '@masthead/contract/network-groups/rules'
import { groupsOff, groupUnknown } from '@masthead/contract/network-groups/problems'
import { forbidden, notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db } from '../kernel/app.ts'
import { limitNow } from '../usage/index.ts'

type Viewer = Pick<Actor, 'account_id' | 'tags' | 'at'>

/** The group of a SIM by its alias. */
export const groupOf = (sim: string) => sql`coalesce(${sql.ref(`${sim}.group_id`)}, ${sql.lit(defaultGroup)})`

/** SIMs `s` of a group: of the default one those that have none. Each is found by an index. */
export const inGroup = (group_id: string) => (group_id === defaultGroup ? sql`s.group_id is null` : sql`s.group_id = ${group_id}`)

/** SIMs `s` that a viewer sees. */
const simsSeen = ({ account_id, tags }: Viewer) =>
  tags.length === 0
    ? sql`s.account_id = ${account_id}`
    : sql`s.account_id = ${account_id} and exists (select from asset_tag t
        where t.account_id = s.account_id and t.asset_id = s.asset_id and t.tag_id = any(${[...tags]}::text[]))`

/** A group is for SIMs that a limited member does not see. */
export function needWhole({ tags }: Pick<Actor, 'tags'>): void {
  if (tags.length > 0) throw new Problem(forbidden, 'Your access is limited to some tags, so you cannot change network groups')
}

/** Throws where the account has no network groups. */
export async function needGroups(db: Db, { account_id }: Pick<Actor, 'account_id'>): Promise<void> {
  const account = db.selectFrom('account').select('feature_flags').where('id', '=', account_id)
  if (!(await account.executeTakeFirstOrThrow()).feature_flags.network_groups) throw new Problem(groupsOff)
}

type Row = Omit<NetworkGroup, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date }

async function groupRows(db: Db, viewer: Viewer, id: string | null): Promise<NetworkGroup[]> {
  const { used, allows } = limitNow(viewer.at)
  const { rows } = await sql<Row>`with counted as (
      select ${groupOf('s')} as group_id, count(*) as sims from sim s where ${simsSeen(viewer)} ${id === null ? sql`` : sql`and ${inGroup(id)}`} group by 1
    ), reached as (
      select g.group_id, count(*) as sims from usage_limit g
        join sim s on ${simsSeen(viewer)} and ${groupOf('s')} = g.group_id ${id === null ? sql`` : sql`and ${inGroup(id)}`}
        join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id
        left join usage_limit own on own.account_id = s.account_id and own.sim_id = s.id
        cross join lateral (select g.period, g.bytes, own.raised_bytes, own.raised_period) l
      where g.account_id = ${viewer.account_id} and g.group_id is not null ${id === null ? sql`` : sql`and g.group_id = ${id}`}
        and (own.id is null or own.only_raise) and ${used} >= ${allows}
      group by 1
    )
    select g.id, g.name, g.kind, l.bytes as limit_bytes, coalesce(l.period, 'month') as limit_period, coalesce(l.action, 'block') as on_limit,
      g.countries, g.networks, g.rats, g.apn, g.imei_lock, coalesce(counted.sims, 0)::int as sims, coalesce(reached.sims, 0)::int as sims_at_limit,
      g.created_at, g.updated_at, g.updated_by
    from network_group g left join usage_limit l on l.account_id = g.account_id and l.group_id = g.id
      left join counted on counted.group_id = g.id left join reached on reached.group_id = g.id
    where g.account_id = ${viewer.account_id} ${id === null ? sql`` : sql`and g.id = ${id}`}
    order by array_position(array['default', 'built_in', 'own'], g.kind),
      case when g.kind = 'built_in' then coalesce(l.bytes, 9223372036854775807) end, lower(g.name)`.execute(db)
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }))
}

/** Every group: the default one, the built-in ones by their limits, and then the account's own by name. */
export const listGroups = (db: Db, viewer: Viewer): Promise<NetworkGroup[]> => groupRows(db, viewer, null)

export async function getGroup(db: Db, viewer: Viewer, id: string): Promise<NetworkGroup> {
  const [group] = await groupRows(db, viewer, id)
  if (!group) throw new Problem(notFound)
  return group
}

/** Where the SIMs of a group are attached now, the most first. */
export async function listAttached(db: Db, viewer: Viewer, id: string): Promise<AttachedSims[]> {
  const { rows } = await sql<AttachedSims>`select x.mccmnc, x.rat, count(distinct x.sim_id)::int as sims
    from data_session x join sim s on s.account_id = x.account_id and s.id = x.sim_id and ${inGroup(id)} and ${simsSeen(viewer)}
    where x.account_id = ${viewer.account_id} and x.ended_at is null and not x.superseded group by 1, 2 order by 3 desc, 1, 2`.execute(db)
  return rows
}

/** How many SIMs have open sessions in the same places, which may be several for one SIM. `sims`: a query of their `account_id` and `id`. */
export async function countByPlaces(db: Db, sims: RawBuilder<unknown>): Promise<SimsInPlaces[]> {
  const { rows } = await sql<SimsInPlaces>`select places, count(*)::int as sims from (
      select jsonb_agg(distinct jsonb_build_object('mccmnc', x.mccmnc, 'rat', x.rat)) as places from (${sims}) s
        join data_session x on x.account_id = s.account_id and x.sim_id = s.id and x.ended_at is null and not x.superseded
      group by s.id) of_sims group by 1`.execute(db)
  return rows
}

/** Those of a group. */
export const countGroupByPlaces = (db: Db, viewer: Viewer, id: string): Promise<SimsInPlaces[]> =>
  countByPlaces(db, sql`select s.account_id, s.id from sim s where ${simsSeen(viewer)} and ${inGroup(id)}`)

type SimsInPlaces = { places: OnNetwork[]; sims: number }

/** SIMs that have a session in such a place, each once. */
export const simsIn = (counted: readonly SimsInPlaces[], isSuch: (on: OnNetwork) => boolean): number =>
  counted.reduce((sum, { places, sims }) => sum + (places.some(isSuch) ? sims : 0), 0)

export type NamedGroup = { id: string; name: string }

/** The group that is meant by its id or its name, in any case. Throws network_group_unknown, said of a field. */
export async function getGroupByWord(db: Db, { account_id }: Viewer, word: string, field: string): Promise<NamedGroup> {
  const row = await db
    .selectFrom('network_group')
    .select(['id', 'name'])
    .where('account_id', '=', account_id)
    .where(sql<boolean>`(id = ${word} or lower(name) = lower(trim(${word}::text)))`)
    .orderBy(sql`id = ${word}`, 'desc')
    .limit(1)
    .executeTakeFirst()
  const words = `There is no network group "${word}"`
  if (!row) throw new Problem(groupUnknown, words, { fields: { [field]: words } })
  return row
}

/** The ids of the groups that are meant by an id or a name, by the word. */
export async function getGroupsByWord(db: Db, { account_id }: Viewer, words: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ word: string; id: string }>`select distinct on (word) word, g.id from unnest(${words}::text[]) as word
    join network_group g on g.account_id = ${account_id} and (g.id = word or lower(g.name) = lower(word))
    order by word, g.id = word desc`.execute(db)
  return new Map(rows.map(({ word, id }) => [word, id]))
}

/** A group by its id, and the default one where it was deleted meanwhile. */
export const getGroupOrDefault = (db: Db, { account_id }: Viewer, id: string): Promise<NamedGroup> =>
  db
    .selectFrom('network_group')
    .select(['id', 'name'])
    .where('account_id', '=', account_id)
    .where('id', 'in', [id, defaultGroup])
    .orderBy(sql`id = ${id}`, 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

/** What the SIM in use of an asset may use; null: it has none. */
export async function rulesOfSim(db: Db, account_id: string, asset_id: string): Promise<NetworkRules | null> {
  const { rows } = await sql<NetworkRules>`select g.name, g.countries, g.networks, g.rats
    from asset join sim s on s.account_id = asset.account_id and s.id = asset.sim_id
      join network_group g on g.account_id = s.account_id and g.id = ${groupOf('s')}
    where asset.account_id = ${account_id} and asset.id = ${asset_id}`.execute(db)
  return rows[0] ?? null
}

/** What the groups that have SIMs allow. */
export async function rulesInUse(db: Db, account_id: string): Promise<NetworkRules[]> {
  const { rows } = await sql<NetworkRules>`select g.name, g.countries, g.networks, g.rats from network_group g
    where g.account_id = ${account_id} and case when g.id = ${defaultGroup}
      then exists (select from sim s where s.account_id = g.account_id and s.group_id is null)
      else exists (select from sim s where s.account_id = g.account_id and s.group_id = g.id) end`.execute(db)
  return rows
}
