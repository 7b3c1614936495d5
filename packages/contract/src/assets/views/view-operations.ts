import * as z from 'zod/mini'
import { Name, Time } from '../../kernel/fields.ts'
import { operation } from '../../kernel/operation.ts'
import { notFound } from '../../kernel/problem.ts'
import { AssetSort } from '../asset-filter.ts'
import { tooManyViews, viewIsShared, viewIsWatched, viewNameTaken } from '../problems.ts'
import { fieldsOf, parseAssetQuery } from '../query/query.ts'
import { AssetQueryText } from '../query/query-text.ts'

/** An account has at most so many views, those that nobody else sees included. */
export const mostViews = 100

const fields = {
  name: Name,
  /** The line of the assets list. A pasted list is no part of it: that is kept for a day. */
  q: AssetQueryText.check(
    z.refine((text: string) => !fieldsOf(parseAssetQuery(text).query ?? { all: [] }).has('list'), {
      error: 'A view cannot be of pasted numbers, because they are kept for a day alone. Give those assets a tag, and save a view of that',
    })
  ),
  sort: AssetSort,
  /** Ids of the columns shown; empty: the usual ones. */
  columns: z.array(z.string().check(z.regex(/^[a-z_]{1,40}$/, 'Name a column'))).check(z.maxLength(40)),
  /** Everybody in the team who may see assets has it. */
  shared: z.boolean(),
}

export const AssetView = z.object({
  id: z.string(),
  ...fields,
  q: z.string(),
  mine: z.boolean(),
  made_by: z.string(),
  updated_at: Time,
  /** The rule that notifies when it is not empty; null: none. For whoever sees notifications. */
  watch: z.nullable(z.object({ rule_id: z.string(), enabled: z.boolean(), last_fired_at: z.nullable(Time) })),
})
export type AssetView = z.output<typeof AssetView>

/** Everybody lists the same shared views, and finds in each the assets that they see. */
export const listViews = operation({
  name: 'assets.listViews',
  method: 'GET',
  path: '/asset-views',
  summary: `Saved views of the assets list: one’s own, and those of the team (at most ${mostViews})`,
  access: 'assets.view',
  reply: z.object({ items: z.array(AssetView) }),
})

/** Counted so far; of more it is known that they are at least so many. */
export const mostCounted = 1000

/** What moves with every packet is counted in a large account by a copy that is at most a minute old. */
export const listViewCounts = operation({
  name: 'assets.listViewCounts',
  method: 'GET',
  path: '/asset-views/counts',
  summary: `How many assets are in each of the first views, up to ${mostCounted}`,
  access: 'assets.view',
  reply: z.object({
    items: z.array(
      z.object({
        view_id: z.string(),
        /** Null: it cannot be counted now. */
        count: z.nullable(z.int()),
        capped: z.boolean(),
      })
    ),
  }),
})

export const createView = operation({
  name: 'assets.createView',
  method: 'POST',
  path: '/asset-views',
  summary: 'Save a view of the assets list; sharing it needs assets.edit',
  access: 'assets.view',
  body: z.object({
    ...fields,
    sort: z._default(fields.sort, 'name'),
    columns: z._default(fields.columns, []),
    shared: z._default(z.boolean(), false),
  }),
  reply: AssetView,
  problems: [viewNameTaken, viewIsShared, tooManyViews],
})

export const updateView = operation({
  name: 'assets.updateView',
  method: 'PATCH',
  path: '/asset-views/{view_id}',
  summary: 'Rename, change or share a view; a shared one needs assets.edit',
  access: 'assets.view',
  body: z.partial(z.object(fields)),
  reply: AssetView,
  problems: [notFound, viewNameTaken, viewIsShared, viewIsWatched],
})

/** What watches it ends with it. */
export const deleteView = operation({
  name: 'assets.deleteView',
  method: 'DELETE',
  path: '/asset-views/{view_id}',
  summary: 'Delete a view; a shared one needs assets.edit',
  access: 'assets.view',
  problems: [notFound, viewIsShared, viewIsWatched],
})
