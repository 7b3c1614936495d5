import { sql, type RawBuilder } from 'kysely'
import { countCap } from '@masthead/contract/kernel/page'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Db } from '../../kernel/app.ts'
import { amongFound, countedBy, foundElsewhere, matching, type KnownFilter } from './asset-filter.ts'
import { isOneOf } from './asset-conditions.ts'
import { asksSessions, movesIn, namedIn } from './asset-query.ts'
import { findCopy, mostMoving } from './moving-copy.ts'
import type { Viewer } from '../viewer.ts'

/** How many assets match, as a statement of one row: from the counts that are kept where they know, else counted until there are `most`. */
export function countStatement(viewer: Viewer, filter: KnownFilter, most = countCap + 1): RawBuilder<{ count: number }> {
  const { account_id } = viewer
  const { type, sim_status, tag } = filter
  const counted = countedBy(viewer, filter)
  if (counted === 'account') {
    return sql`select coalesce(sum(count), 0)::bigint as count from asset_count
      where account_id = ${account_id} ${type ? sql`and ${isOneOf(sql`type`, type)}` : sql``}
        ${sim_status ? sql`and ${isOneOf(sql`sim_status`, sim_status)}` : sql``}`
  }
  if (counted === 'tag')
    return sql`select coalesce((select tag.asset_count from tag where account_id = ${account_id} and id = ${tag![0]}), 0) as count`
  const found = foundElsewhere(viewer, filter)
  if (found) return sql`select count(*) as count from (select distinct id from ${amongFound(viewer, found)} asset limit ${most}) counted`
  return sql`select count(*) as count from (select from asset where ${matching(viewer, filter)} limit ${most}) counted`
}

/** How many assets match: exactly up to 10,000, and exactly where the counts are kept. */
export async function countAssets(db: Db, viewer: Viewer, filter: KnownFilter): Promise<number> {
  const { rows } = await countStatement(viewer, filter).execute(db)
  return rows[0]!.count
}

/** Refuses to look at each of more than `mostMoving` assets: for a sort, or for a filter that is left out of the count. */
export async function needFew(db: Db, viewer: Viewer, filter: KnownFilter, field: 'sort' | 'online' | 'q'): Promise<void> {
  const others = field === 'sort' ? filter : { ...filter, [field]: undefined }
  const { rows } = await countStatement(viewer, others, mostMoving + 1).execute(db)
  if (rows[0]!.count <= mostMoving) return
  const words = `${needs[field]}, narrow the list to ${mostMoving.toLocaleString('en')} first: by a tag, a type, a status or a search`
  throw new Problem(invalidRequest, words, { fields: { [field]: words } })
}

const needs = {
  sort: 'To put assets in order by this column',
  online: 'To find what is offline',
  q: 'To ask for what changes with every packet',
}

/** Refuses to look at too many assets for what no index knows. */
export async function needAnswerable(db: Db, viewer: Viewer, filter: KnownFilter): Promise<void> {
  if (filter.online === 'false') await needFew(db, viewer, filter, 'online')
  if (filter.q && movesIn(filter.q) && (!viewer.copied_at || asksSessions(filter.q))) await needFew(db, viewer, filter, 'q')
}

/** The viewer as they may be answered: where too many assets move, by the copy of them, while there is one. */
export async function answerable(db: Db, viewer: Viewer, filter: KnownFilter): Promise<Viewer> {
  if (!filter.q || !movesIn(filter.q)) return viewer
  const { rows } = await countStatement(viewer, { ...filter, q: undefined }, mostMoving + 1).execute(db)
  if (rows[0]!.count <= mostMoving) return viewer
  return { ...viewer, ...(await findCopy(db, viewer)), networks: await networksOf(db, namedIn(filter.q, 'country')) }
}

const networksOf = async (db: Db, countries: readonly string[]) =>
  countries.length === 0 ? [] : db.selectFrom('network').select(['mccmnc', 'country']).where('country', 'in', countries).execute()

/** Refuses a list of pasted numbers that is gone, or was never the account's: nothing found would be no answer. */
export async function needLists(db: Db, { account_id }: Viewer, { q }: KnownFilter): Promise<void> {
  const named = q ? namedIn(q, 'list') : []
  if (named.length === 0) return
  const kept = await db.selectFrom('asset_list').select('id').where('account_id', '=', account_id).where('id', 'in', named).execute()
  if (kept.length > 0) return
  const words = 'A list of numbers is kept for a day, and this one is gone: paste the numbers again'
  throw new Problem(invalidRequest, words, { fields: { q: words } })
}
