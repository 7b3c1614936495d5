import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Asset } from '@masthead/contract/assets/asset'
import { countCap } from '@masthead/contract/kernel/page'
import type { Db } from '../kernel/app.ts'
import { assetsByIds, wantedAssets } from './asset-rows.ts'
import { countStatement } from './asset-count.ts'
import { isCounted, matching, type KnownFilter } from './asset-filter.ts'
import type { Sort } from './asset-sort.ts'
import type { Viewer } from './viewer.ts'

/** Which rows of an order: those after a place, or after `offset` others. */
type Part = { sort: Sort; after: { key: string; id: string } | undefined; offset: number; limit: number }
/** An asset's place in the order, and how many there are in all. */
type Beside = { place: string; count: number }
type Row = { id: string } & Beside

/** The assets of a page, with their places and the total. By one statement where its plan can be kept, else the ids first. */
export async function findPage(db: Db, viewer: Viewer, filter: KnownFilter, part: Part): Promise<{ asset: Asset; beside: Beside }[]> {
  if (hasOneGoodPlan(viewer, filter, part)) return wantedAssets(db, viewer, walk(viewer, filter, part))
  const isGathered = isGuess(filter) && !part.sort.moves
  const { rows } = await (isGathered ? gather : walk)(viewer, filter, part).execute(db)
  const beside = new Map(rows.map((row) => [row.id, row]))
  const assets = await assetsByIds(db, viewer, [...beside.keys()])
  return assets.map((asset) => ({ asset, beside: beside.get(asset.id)! }))
}

/** Whether the planner can but guess how many match. */
const isGuess = ({ search, online, attention }: KnownFilter) => Boolean(search || online || attention)

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
  const { key, placeOf } = part.sort
  const conditions = matching(viewer, filter)
  const few = sql`(select count from counted) <= ${countCap}`
  return sql`with found as materialized (select asset.id, ${key} as key from asset where ${conditions} limit ${countCap + 1}),
      counted as materialized (select count(*) as count from found)
    select asset.id, ${placeOf(sql`asset.key`)} as place, (select count from counted) as count from (
      (select asset.id, asset.key from found asset where ${few}${andBeyond(part, sql`asset.key`)} ${inOrder(part, sql`asset.key`)})
      union all
      (select asset.id, ${key} as key from asset where not ${few} and ${conditions}${andBeyond(part, key)} ${inOrder(part, key)})
    ) asset ${inOrder({ ...part, offset: 0 }, sql`asset.key`)}`
}

const andBeyond = ({ after, sort }: Part, key: Expression<unknown>): Expression<SqlBool> =>
  after ? sql` and (${key}, asset.id) ${sort.beyond} (${after.key}::${sql.raw(sort.type)}, ${after.id})` : sql``

/** The limit as a literal: a kept plan would not know that it is small. */
const inOrder = ({ sort, offset, limit }: Part, key: Expression<unknown>) => {
  const skip = offset > 0 ? sql`offset ${offset}` : sql``
  return sql`order by ${key} ${sort.order}, asset.id ${sort.order} ${skip} limit ${sql.raw(String(limit))}`
}
