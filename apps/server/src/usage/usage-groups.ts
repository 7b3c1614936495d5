import { sql, type RawBuilder } from 'kysely'
import { countCap } from '@masthead/contract/kernel/page'
import { permissions } from '@masthead/contract/kernel/permission'
import { forbidden, Problem } from '@masthead/contract/kernel/problem'
import { groupingNeeds, usageGroupings, type UsageGrouping } from '@masthead/contract/usage/usage'
import { actorMay, type Actor, type Db } from '../kernel/app.ts'
import { countriesNamed } from './usage-labels.ts'
import type { Period } from './usage-period.ts'
import { accountRows, usageRows, type Viewer } from './usage-source.ts'
import { containing } from '../kernel/http/like.ts'

/** One group's bytes. `key` is a SIM id, MCC-MNC, country, RAT, or id of a tag, fleet or pool; empty where it is not known. */
export type RankedGroup = { key: string; bytes_up: number; bytes_down: number; bytes: number }
/** With its place among them: its bytes, exact, and its key. */
type Ranked = RankedGroup & { exactly: string }

/** Of these the sums of the account say nothing: each SIM is asked for its own. */
export const isOfSims = (grouping: UsageGrouping) => grouping === 'sim' || grouping === 'tag' || grouping === 'fleet' || grouping === 'pool'

/** Throws forbidden where the names of the groups are nothing that one may see. */
export function needSeesGroups(actor: Actor, grouping: UsageGrouping): void {
  const needed = grouping in groupingNeeds ? groupingNeeds[grouping as keyof typeof groupingNeeds] : null
  if (needed && !actorMay(actor, needed))
    throw new Problem(forbidden, `By ${usageGroupings[grouping].toLowerCase()} you need the permission “${permissions[needed]}”`)
}

/** What the groups are made by, over usage rows `u`, and what must be joined for it. */
export function groupKey(grouping: UsageGrouping, { account_id, tags }: Viewer): { key: RawBuilder<string>; join: RawBuilder<unknown> } {
  if (grouping === 'sim') return { key: sql`u.sim_id`, join: sql`` }
  if (grouping === 'network') return { key: sql`u.mccmnc`, join: sql`` }
  if (grouping === 'rat') return { key: sql`u.rat`, join: sql`` }
  if (grouping === 'country') return { key: sql`coalesce(n.country, '')`, join: sql`left join network n on n.mccmnc = u.mccmnc` }
  // As SIMs are placed now.
  if (grouping === 'pool')
    return {
      key: sql`coalesce(d.pool_id, '')`,
      join: sql`left join data_pool_sim d on d.account_id = ${account_id} and d.sim_id = u.sim_id`,
    }
  if (grouping === 'fleet')
    return {
      key: sql`coalesce(f.fleet_id, '')`,
      join: sql`left join sim s on s.account_id = ${account_id} and s.id = u.sim_id
        left join fleet_asset f on f.account_id = ${account_id} and f.asset_id = s.asset_id`,
    }
  // A limited viewer knows of no other tags than theirs.
  const known = tags.length === 0 ? sql`true` : sql`t.tag_id = any(${[...tags]}::text[])`
  return {
    key: sql`coalesce(t.tag_id, '')`,
    join: sql`left join sim s on s.account_id = ${account_id} and s.id = u.sim_id
      left join asset_tag t on t.account_id = ${account_id} and t.asset_id = s.asset_id and ${known}
        and exists (select from tag where tag.account_id = t.account_id and tag.id = t.tag_id)`,
  }
}

/** That a group's key has the words in its label or numbers. */
async function searched(db: Db, { account_id }: Viewer, grouping: UsageGrouping, search: string): Promise<RawBuilder<boolean>> {
  const like = containing(search)
  if (grouping === 'sim')
    return sql`key in (select s.id from asset a join sim s on s.account_id = a.account_id and s.asset_id = a.id
      where a.account_id = ${account_id} and a.search like ${like})`
  if (grouping === 'network') return sql`(key like ${like} or key in (select mccmnc from network where lower(name) like ${like}))`
  if (grouping === 'rat') return sql`lower(key) like ${like}`
  if (grouping === 'country') return sql`key = any(${await countriesNamed(db, search)}::text[])`
  if (grouping === 'fleet') return sql`key in (select id from fleet where account_id = ${account_id} and lower(name) like ${like})`
  if (grouping === 'pool') return sql`key in (select id from data_pool where account_id = ${account_id} and lower(name) like ${like})`
  return sql`key in (select id from tag where account_id = ${account_id} and lower(name) like ${like})`
}

type Part = {
  limit: number
  offset: number
  after?: [exactly: string, key: string] | undefined
  search?: string | undefined
  /** By SIM: these alone. */
  among?: readonly string[] | undefined
}

/** Groups with usage in a period, largest first, and how many there are (10,001 for more than 10,000). */
export async function rankGroups(db: Db, viewer: Viewer, period: Period, grouping: UsageGrouping, part: Part) {
  const { key, join } = groupKey(grouping, viewer)
  const { after, search, among } = part
  const found = search ? await searched(db, viewer, grouping, search) : sql`true`
  // Named by their ids, SIMs are found by index.
  const only = among && sql<boolean>`sim_id = any(${[...among]}::text[])`
  const follows = after ? sql`(bytes < ${after[0]}::numeric or (bytes = ${after[0]}::numeric and key > ${after[1]}))` : sql`true`
  const { rows } = await sql<{ groups: Ranked[]; total: number }>`
    with g as materialized (
      select key, bytes_up, bytes_down, bytes_up + bytes_down as bytes from (
        select ${key} as key, sum(u.bytes_up) as bytes_up, sum(u.bytes_down) as bytes_down
        from (${isOfSims(grouping) ? usageRows(viewer, period, { only }) : accountRows(viewer, period, null)}) u ${join} group by 1) sums
      where bytes_up + bytes_down > 0 and ${found})
    select (select count(*) from (select from g limit ${countCap + 1}) counted) as total,
      (select coalesce(json_agg(p), '[]') from (
        select *, bytes::text as exactly from g where ${follows} order by bytes desc, key limit ${part.limit} offset ${part.offset}) p) as groups`.execute(
    db
  )
  return rows[0]!
}

/** How many SIMs and which countries are in each of the groups with these keys. */
export async function describeGroups(db: Db, viewer: Viewer, period: Period, grouping: UsageGrouping, keys: readonly string[]) {
  const { key, join } = groupKey(grouping, viewer)
  // Named by their ids, SIMs are found by index; other groups need the whole period anyway.
  const only = grouping === 'sim' ? sql<boolean>`sim_id = any(${[...keys]}::text[])` : undefined
  const { rows } = await sql<{ key: string; sims: number; countries: string[] }>`
    with used as materialized (
      select distinct ${key} as key, u.sim_id, u.mccmnc from (${usageRows(viewer, period, { only })}) u ${join}
      where ${key} = any(${[...keys]}::text[]))
    select key, sims, countries
    from (select key, count(*) as sims from (select distinct key, sim_id from used) each group by key) counted
    join (select key, coalesce(array_agg(distinct country order by country) filter (where country is not null), '{}') as countries
      from (select distinct key, mccmnc from used) each left join network using (mccmnc) group by key) named using (key)`.execute(db)
  return new Map(rows.map((row) => [row.key, row]))
}
