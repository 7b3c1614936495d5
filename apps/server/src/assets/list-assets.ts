import { sql, type Expression } from 'kysely'
import type { Asset } from '@masthead/contract/assets/asset'
import type { listAssets as listAssetsOp } from '@masthead/contract/assets/operations'
import type { Parsed } from '@masthead/contract/kernel/operation'
import type { Page } from '@masthead/contract/kernel/page'
import * as z from 'zod/mini'
import type { Db } from '../kernel/app.ts'
import { cappedTotal, countUpToCap, decodeCursor, encodeCursor, offsetOf, TimePlace, timePlace } from '../kernel/paging.ts'
import { isCounted, knowTags, matchingAssets, type KnownFilter } from './asset-filter.ts'
import { assetsByIds } from './asset-rows.ts'
import { monthOf } from './sim-row.ts'
import type { Viewer } from './viewer.ts'

type Query = Parsed<typeof listAssetsOp>['query']

/** A page of assets. First the ids alone, by index; then the rest for those few. */
export async function listAssets(db: Db, viewer: Viewer, query: Query): Promise<Page<Asset>> {
  const sort = sortOf(query.sort, viewer)
  const after = decodeCursor(query.after, z.tuple([z.literal(query.sort), sort.Place, z.string()]))
  const filter = await knowTags(db, viewer, query)
  const all = matchingAssets(db, viewer, filter)
  const offset = offsetOf(query)
  const [order, beyond] = query.sort.startsWith('-') ? (['desc', sql`<`] as const) : (['asc', sql`>`] as const)
  const wanted = after ? all.where(sql<boolean>`(${sort.key}, asset.id) ${beyond} (${after[1]}::${sql.raw(sort.type)}, ${after[2]})`) : all
  const rows = await wanted
    .select('asset.id')
    .select(sort.place.as('place'))
    .orderBy(sort.key, order)
    .orderBy('asset.id', order)
    .offset(offset)
    .limit(query.page_size + 1)
    .execute()
  const shown = rows.slice(0, query.page_size)
  const last = rows.length > shown.length ? shown.at(-1) : undefined
  // The end of the list was seen: nothing to count.
  const isWhole = !after && !last && (offset === 0 || rows.length > 0)
  return {
    items: await assetsByIds(
      db,
      viewer,
      shown.map((row) => row.id)
    ),
    ...(isWhole ? cappedTotal(offset + rows.length) : await totalOf(db, viewer, filter)),
    next: last ? encodeCursor([query.sort, last.place, last.id]) : null,
  }
}

type Sort = {
  key: Expression<unknown>
  type: 'text' | 'bigint' | 'timestamptz'
  place: ReturnType<typeof timePlace>
  Place: z.ZodMiniType<string>
}

function sortOf(sort: Query['sort'], { at }: Viewer): Sort {
  const byTime = (key: Expression<Date>): Sort => ({ key, type: 'timestamptz', place: timePlace(key), Place: TimePlace })
  switch (sort) {
    case 'name':
    case '-name': {
      const key = sql<string>`lower(asset.name)`
      return { key, type: 'text', place: key, Place: z.string() }
    }
    case 'created_at':
    case '-created_at':
      return byTime(sql`asset.created_at`)
    case 'last_seen_at':
    case '-last_seen_at':
      return byTime(sql`coalesce(counter.seen_at, 'epoch'::timestamptz)`)
    case 'usage':
    case '-usage': {
      const key = sql`coalesce(case when counter.period_start >= ${monthOf(at).start}::date then counter.bytes_up + counter.bytes_down end, 0)`
      return { key, type: 'bigint', place: sql`${key}::text`, Place: z.string().check(z.regex(/^\d{1,18}$/)) }
    }
  }
}

/** Exact without a filter, from the counts that are kept; types and statuses are kept apart too. */
async function totalOf(db: Db, viewer: Viewer, filter: KnownFilter) {
  if (!isCounted(viewer, filter)) return countUpToCap(db, matchingAssets(db, viewer, filter))
  const { type, sim_status } = filter
  let counts = db.selectFrom('asset_count').where('account_id', '=', viewer.account_id)
  if (type) counts = counts.where('type', 'in', type)
  if (sim_status) counts = counts.where('sim_status', 'in', sim_status)
  const { count } = await counts
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), sql<number>`0`).as('count'))
    .executeTakeFirstOrThrow()
  return type || sim_status ? cappedTotal(count) : { total: count, total_capped: false }
}
