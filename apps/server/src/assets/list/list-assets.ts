import type { Asset } from '@masthead/contract/assets/asset'
import { deepestRow, type listAssets as listAssetsOp } from '@masthead/contract/assets/operations'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { countCap, type Page } from '@masthead/contract/kernel/page'
import * as z from 'zod/mini'
import type { Db } from '../../kernel/app.ts'
import { cappedTotal, decodeCursor, encodeCursor, offsetOf, TextPlace } from '../../kernel/http/paging.ts'
import { countedBy, knowTags, type KnownFilter } from './asset-filter.ts'
import { answerable, countAssets, needAnswerable, needFew, needLists } from './asset-count.ts'
import { findPage } from './asset-page.ts'
import { sortOf } from './asset-sort.ts'
import type { Viewer } from '../viewer.ts'

type Query = Parsed<typeof listAssetsOp>['query']

/** A page of assets, its total and where the next one begins. */
export async function listAssets(db: Db, asker: Viewer, query: Query): Promise<Page<Asset> & { copied_at: string | null }> {
  const sort = sortOf(query.sort, asker)
  const place = decodeCursor(query.after, () => z.tuple([z.literal(query.sort), sort.Place, TextPlace]))
  const filter = await knowTags(db, asker, query)
  const viewer = await answerable(db, asker, filter)
  const offset = offsetOf(query, isWhole(viewer, filter) && !sort.moves ? deepestRow : countCap)
  if (sort.moves) await needFew(db, viewer, filter, 'sort')
  await needAnswerable(db, viewer, filter)
  await needLists(db, viewer, filter)
  const after = place && { key: place[1], id: place[2] }
  const { assets, next, count } = await findPage(db, viewer, filter, { sort, after, offset, limit: query.page_size + 1 })
  return {
    items: assets,
    ...totalOf(viewer, filter, count ?? (await countAssets(db, viewer, filter))),
    copied_at: viewer.copied_at?.toISOString() ?? null,
    next: next && encodeCursor([query.sort, next.place, next.id]),
  }
}

/** All assets of an account, of which it is known how many there are. */
const isWhole = (viewer: Viewer, filter: KnownFilter) => countedBy(viewer, filter) === 'account' && !filter.type && !filter.sim_status

/** Exact without a filter, from the counts that are kept; those of types and statuses are capped as any other count is. */
const totalOf = (viewer: Viewer, filter: KnownFilter, count: number) =>
  isWhole(viewer, filter) ? { total: count, total_capped: false } : cappedTotal(count)
