import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Asset } from '@masthead/contract/assets/asset'
import { countCap } from '@masthead/contract/kernel/page'
import type { Db } from '../../kernel/app.ts'
import type { Condition } from './asset-conditions.ts'
import { assetsByIds, wantedAssets } from './asset-rows.ts'
import { countStatement } from './asset-count.ts'
import { amongFound, countedBy, foundElsewhere, foundInCopy, matching, withKey, type Found, type KnownFilter } from './asset-filter.ts'
import type { Sort } from './asset-sort.ts'
import type { Viewer } from '../viewer.ts'

/** Which rows of an order: those after a place, or after `offset` others. The last of `limit` is not shown: it says that there are more. */
type Part = { sort: Sort; after: { key: string; id: string } | undefined; offset: number; limit: number }
/** An asset's place in the order, and how many there are in all. */
type Beside = { place: string; count: number }
type Row = { id: string } & Beside
/** Where nothing matches, or nothing more, a row has the count alone. */
type CountedRow = { id: string | null } & Beside
/** `next`: the place of the last one shown, where there are more. */
type Shown = { assets: Asset[]; next: { place: string; id: string } | null; count?: number }

/** Among so many assets of an order are those looked for, or all of them are put in order. */
const longestWalk = 20_000

/** The assets of a page, and the total if it is known. By one statement where its plan can be kept, else the ids first. */
export async function findPage(db: Db, viewer: Viewer, filter: KnownFilter, part: Part): Promise<Shown> {
  if (hasOneGoodPlan(viewer, filter, part)) {
    const rows = await wantedAssets(db, viewer, shownOf(walk(viewer, filter, part, sql`asset.*`), part), ['place', 'count', 'more'])
    const last = rows.at(-1)
    const next = last?.beside.more ? { place: last.beside.place, id: last.asset.id } : null
    return { assets: rows.map(({ asset }) => asset), next, ...(last && { count: last.beside.count }) }
  }
  const counted = await findRows(db, viewer, filter, part)
  const rows = counted.filter((row): row is Row => row.id !== null)
  const shown = rows.slice(0, part.limit - 1)
  const assets = await assetsByIds(
    db,
    viewer,
    shown.map(({ id }) => id)
  )
  return { assets, next: rows.length > shown.length ? shown.at(-1)! : null, ...(counted[0] && { count: counted[0].count }) }
}

async function findRows(db: Db, viewer: Viewer, filter: KnownFilter, part: Part): Promise<readonly CountedRow[]> {
  const { search, q, online, attention } = filter
  const found = foundElsewhere(viewer, filter)
  const run = async (statement: RawBuilder<CountedRow>) => (await statement.execute(db)).rows
  if (part.sort.moves) return run(found ? sortFound(viewer, found, part) : walk(viewer, filter, part))
  // Else the planner can but guess how many match.
  if (!search && !q && !online && !attention) return run(walk(viewer, filter, part))
  const rows = await run(found ? gatherFound(viewer, filter, found, part) : gather(viewer, filter, part))
  const isWhole = rows.length === part.limit || rows[0]!.count <= countCap
  return isWhole ? rows : run(found ? sortFound(viewer, found, part) : sortMatching(viewer, filter, part))
}

/** Whether an index has just these rows in just this order, whatever the values: the plan may be kept. */
const hasOneGoodPlan = (viewer: Viewer, filter: KnownFilter, { sort, offset }: Part) => {
  const { type = [], sim_status = [] } = filter
  const values = type.length + sim_status.length
  return countedBy(viewer, filter) === 'account' && !sort.moves && offset === 0 && (values === 0 || (values === 1 && sort.byName === true))
}

/** Those of a walk that are shown, numbered, each with whether another one comes after it. */
const shownOf = (walked: RawBuilder<Row>, { limit }: Part) =>
  sql<Row & { nth: number; more: boolean }>`select *, row_number() over () as nth, lead(id) over () is not null as more
    from (${walked}) asset limit ${sql.raw(String(limit - 1))}`

/** The rows in the order of an index, or however the planner finds better. */
const walk = (viewer: Viewer, filter: KnownFilter, part: Part, columns = sql`asset.id`): RawBuilder<Row> => {
  const { key, placeOf } = part.sort
  return sql`select ${columns}, ${placeOf(key)} as place, (${countStatement(viewer, filter)}) as count from asset
    where ${matching(viewer, filter)}${andBeyond(part, key)} ${inOrder(part, key)}`
}

/**
 * Up to 10,000 that match are gathered and put in order; of more, a walk in that order soon meets enough. So a search is made once for the
 * rows and the total. The walk is no longer than `longestWalk`, and may end before its rows are complete.
 */
const gather = (viewer: Viewer, filter: KnownFilter, part: Part): RawBuilder<CountedRow> => {
  const { key } = part.sort
  const copied = foundInCopy(viewer, filter)
  const some = copied
    ? gatherCopied(viewer, copied, key)
    : sql`select asset.id, ${key} as key from asset where ${matching(viewer, filter)} limit ${countCap + 1}`
  return fewOrMore(some, sql`found`, walked(viewer, filter, { ...filter, search: undefined, q: undefined }, part), part)
}

/** Assets are read where there are few, to leave out those that have another SIM since; of more, the copy alone says that they are more. */
const gatherCopied = ({ account_id }: Viewer, copied: Condition, key: Expression<unknown>): RawBuilder<unknown> =>
  sql`with copied as materialized (
      select c.asset_id, c.sim_id from asset_moving c where c.account_id = ${account_id} and ${copied} limit ${countCap + 1}),
    size as materialized (select count(*) <= ${countCap} as is_few from copied)
    select own.id, own.key from copied cross join lateral (select asset.id, ${key} as key from asset where asset.account_id = ${account_id}
      and asset.id = copied.asset_id and asset.sim_id is not distinct from copied.sim_id offset 0) own where (select is_few from size)
    union all select asset_id, null from copied where not (select is_few from size)`

/** The same of what is found from another table. */
const gatherFound = (viewer: Viewer, filter: KnownFilter, found: Found, part: Part): RawBuilder<CountedRow> => {
  // Twice as many as are counted exactly, because an asset may have two SIMs.
  const some = sql`select distinct id from (select id from ${amongFound(viewer, found)} asset limit ${2 * (countCap + 1)}) asset`
  return fewOrMore(some, withKey(viewer, sql`found`, part.sort.key), walked(viewer, filter, found.rest, part), part)
}

/** Those that match among the next of an order that match the `rest`. */
const walked = (viewer: Viewer, filter: KnownFilter, rest: KnownFilter, part: Part): RawBuilder<unknown> => {
  const { key } = part.sort
  const passed = sql`(select asset.*, ${key} as key from asset where ${matching(viewer, rest)}${andBeyond(part, key)}
    ${inOrder({ ...part, offset: 0, limit: longestWalk }, key)})`
  const looked: Viewer = viewer.copied_at ? { ...viewer, one_by_one: true } : viewer
  return sql`(select asset.id, asset.key from ${passed} asset where ${matching(looked, filter)})`
}

/** `found` is `some`, up to the cap; of `few` or `more` come the rows, each with its `key`. There is always a row with the count. */
const fewOrMore = (some: RawBuilder<unknown>, few: RawBuilder<unknown>, more: RawBuilder<unknown>, part: Part): RawBuilder<CountedRow> => {
  const key = sql`asset.key`
  const isFew = sql`(select count from counted) <= ${countCap}`
  return sql`with found as materialized (${some}), counted as materialized (select count(*) as count from found)
    select asset.id, ${part.sort.placeOf(key)} as place, counted.count from counted left join (
      (select asset.id, asset.key from ${few} asset where ${isFew}${andBeyond(part, key)} ${inOrder(part, key)})
      union all
      (select asset.id, asset.key from ${more} asset where not ${isFew} ${inOrder(part, key)})
    ) asset on true ${inOrder({ ...part, offset: 0 }, key)}`
}

/** All of more than 10,000 that match, put in order. The inner offset keeps the planner from walking past a million to save the sorting. */
const sortMatching = (viewer: Viewer, filter: KnownFilter, part: Part): RawBuilder<CountedRow> => {
  const key = sql`asset.key`
  return sql`select asset.id, ${part.sort.placeOf(key)} as place, ${countCap + 1}::int as count
    from (select asset.id, ${part.sort.key} as key from asset where ${matching(viewer, filter)} offset 0) asset
    where true${andBeyond(part, key)} ${inOrder(part, key)}`
}

/** All that is found from another table, put in order: as long as there are many of them. */
const sortFound = (viewer: Viewer, found: Found, part: Part): RawBuilder<CountedRow> => {
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
