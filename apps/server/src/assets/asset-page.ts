import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Asset } from '@masthead/contract/assets/asset'
import { countCap } from '@masthead/contract/kernel/page'
import type { Db } from '../kernel/app.ts'
import { assetsByIds, wantedAssets } from './asset-rows.ts'
import { countStatement } from './asset-count.ts'
import { amongFound, foundElsewhere, isCounted, matching, withKey, type Found, type KnownFilter } from './asset-filter.ts'
import type { Sort } from './asset-sort.ts'
import type { Viewer } from './viewer.ts'

/** Which rows of an order: those after a place, or after `offset` others. */
type Part = { sort: Sort; after: { key: string; id: string } | undefined; offset: number; limit: number }
/** An asset's place in the order, and how many there are in all. */
type Beside = { place: string; count: number }
type Row = { id: string } & Beside

/** Among so many assets of an order are those looked for that are found from another table. */
const longestWalk = 20_000

/** The assets of a page, with their places and the total. By one statement where its plan can be kept, else the ids first. */
export async function findPage(db: Db, viewer: Viewer, filter: KnownFilter, part: Part): Promise<{ asset: Asset; beside: Beside }[]> {
  if (hasOneGoodPlan(viewer, filter, part)) return wantedAssets(db, viewer, walk(viewer, filter, part))
  const rows = await findRows(db, viewer, filter, part)
  const beside = new Map(rows.map((row) => [row.id, row]))
  const assets = await assetsByIds(db, viewer, [...beside.keys()])
  return assets.map((asset) => ({ asset, beside: beside.get(asset.id)! }))
}

async function findRows(db: Db, viewer: Viewer, filter: KnownFilter, part: Part): Promise<readonly Row[]> {
  const { search, online, attention } = filter
  const found = foundElsewhere(viewer, filter)
  const run = async (statement: RawBuilder<Row>) => (await statement.execute(db)).rows
  if (part.sort.moves) return run(found ? sortFound(viewer, found, part) : walk(viewer, filter, part))
  // Else the planner can but guess how many match.
  if (!search && !online && !attention) return run(walk(viewer, filter, part))
  if (!found) return run(gather(viewer, filter, part))
  const rows = await run(gatherFound(viewer, filter, found, part))
  const isWhole = rows.length === part.limit || (rows[0] && rows[0].count <= countCap)
  return isWhole ? rows : run(sortFound(viewer, found, part))
}

/** Whether an index has just these rows in just this order, whatever the values: the plan may be kept. */
const hasOneGoodPlan = (viewer: Viewer, filter: KnownFilter, { sort, offset }: Part) => {
  const { type = [], sim_status = [] } = filter
  const values = type.length + sim_status.length
  return isCounted(viewer, filter) && !sort.moves && offset === 0 && (values === 0 || (values === 1 && sort.type === 'text'))
}

/** The rows in the order of an index, or however the planner finds better. */
const walk = (viewer: Viewer, filter: KnownFilter, part: Part): RawBuilder<Row> => {
  const { key, placeOf } = part.sort
  return sql`select asset.id, ${placeOf(key)} as place, (${countStatement(viewer, filter)}) as count from asset
    where ${matching(viewer, filter)}${andBeyond(part, key)} ${inOrder(part, key)}`
}

/**
 * Up to 10,000 that match are gathered and put in order; of more, a walk in that order soon meets enough. So a search is made once for the
 * rows and the total, and a wrong guess of the planner never ends in a walk past a million assets.
 */
const gather = (viewer: Viewer, filter: KnownFilter, part: Part): RawBuilder<Row> => {
  const { key } = part.sort
  const conditions = matching(viewer, filter)
  const some = sql`select asset.id, ${key} as key from asset where ${conditions} limit ${countCap + 1}`
  return fewOrMore(some, sql`found`, sql`(select asset.id, ${key} as key from asset where ${conditions}${andBeyond(part, key)})`, part)
}

/** The same of what is found from another table. The walk is no longer than `longestWalk`, and may end before its rows are complete. */
const gatherFound = (viewer: Viewer, filter: KnownFilter, found: Found, part: Part): RawBuilder<Row> => {
  const { key } = part.sort
  // Twice as many as are told apart: an asset may have two SIMs.
  const some = sql`select distinct id from (select id from ${amongFound(viewer, found)} asset limit ${2 * (countCap + 1)}) asset`
  const passed = sql`(select asset.*, ${key} as key from asset where ${matching(viewer, found.rest)}${andBeyond(part, key)}
    ${inOrder({ ...part, offset: 0, limit: longestWalk }, key)})`
  const more = sql`(select asset.id, asset.key from ${passed} asset where ${matching(viewer, filter)})`
  return fewOrMore(some, withKey(viewer, sql`found`, key), more, part)
}

/** `found` is `some`, up to the cap; of `few` or `more` come the rows, each with its `key`. */
const fewOrMore = (some: RawBuilder<unknown>, few: RawBuilder<unknown>, more: RawBuilder<unknown>, part: Part): RawBuilder<Row> => {
  const key = sql`asset.key`
  const isFew = sql`(select count from counted) <= ${countCap}`
  return sql`with found as materialized (${some}), counted as materialized (select count(*) as count from found)
    select asset.id, ${part.sort.placeOf(key)} as place, (select count from counted) as count from (
      (select asset.id, asset.key from ${few} asset where ${isFew}${andBeyond(part, key)} ${inOrder(part, key)})
      union all
      (select asset.id, asset.key from ${more} asset where not ${isFew} ${inOrder(part, key)})
    ) asset ${inOrder({ ...part, offset: 0 }, key)}`
}

/** All that is found from another table, put in order: as long as there are many of them. */
const sortFound = (viewer: Viewer, found: Found, part: Part): RawBuilder<Row> => {
  const key = sql`asset.key`
  return sql`with found as materialized (select distinct id from ${amongFound(viewer, found)} asset)
    select asset.id, ${part.sort.placeOf(key)} as place, (select count(*) from found) as count
    from ${withKey(viewer, sql`found`, part.sort.key)} asset where true${andBeyond(part, key)} ${inOrder(part, key)}`
}

const andBeyond = ({ after, sort }: Part, key: Expression<unknown>): Expression<SqlBool> =>
  after ? sql` and (${key}, asset.id) ${sort.beyond} (${after.key}::${sql.raw(sort.type)}, ${after.id})` : sql``

/** The limit as a literal: a kept plan would not know that it is small. */
const inOrder = ({ sort, offset, limit }: Part, key: Expression<unknown>) => {
  const skip = offset > 0 ? sql`offset ${offset}` : sql``
  return sql`order by ${key} ${sort.order}, asset.id ${sort.order} ${skip} limit ${sql.raw(String(limit))}`
}
