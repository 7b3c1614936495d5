import { sql, type Selectable } from 'kysely'
import { undoable } from '@masthead/contract/assets/bulk/bulk-action'
import type { BulkChange, LeftAsset } from '@masthead/contract/assets/bulk/bulk'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { visibleTo } from '../index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { cappedTotal } from '../../kernel/http/paging.ts'
import { previewOf } from './outcome.ts'

/** A change as it is now. Throws not_found. */
export async function getBulkChange(db: Db, actor: Actor, id: string): Promise<BulkChange> {
  const row = await changesOf(db, actor).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asChange(row)
}

/**
 * Whoever is limited to tags sees what they began themselves while they saw no other assets, because its numbers are of assets that they do not
 * see. An API key may be limited although its maker is not.
 */
const changesOf = (db: Db, { account_id, person_id, tags }: Actor) =>
  db
    .selectFrom('bulk_change')
    .selectAll()
    .select(
      sql<boolean>`exists (select from bulk_change later where later.account_id = bulk_change.account_id and later.undoes = bulk_change.id)`.as(
        'is_undone'
      )
    )
    .where('account_id', '=', account_id)
    .$if(tags.length > 0, (all) =>
      all
        .where(sql<string>`actor ->> 'person_id'`, '=', person_id)
        .where(sql<boolean>`actor -> 'tags' <> '[]' and actor -> 'tags' <@ ${JSON.stringify(tags)}::jsonb`)
    )

function asChange(row: Selectable<Database['bulk_change']> & { is_undone: boolean }): BulkChange {
  const { total: done, ...outcome } = previewOf(row.outcomes)
  return {
    id: row.id,
    action: row.action,
    tags: row.tags.map(({ tag_id, tag_name }) => ({ id: tag_id, name: tag_name })),
    network_group: row.params.network_group ?? null,
    ...(row.action === 'release' && { to: row.params.to ?? null }),
    ...outcome,
    total: row.total,
    done,
    started_at: row.started_at.toISOString(),
    started_by: row.actor.email,
    finished_at: row.finished_at?.toISOString() ?? null,
    undoes: row.undoes,
    can_undo: row.finished_at !== null && !row.is_undone && outcome.changed > 0 && undoable.includes(row.action),
  }
}

/** Changes, the latest first; whoever is limited to tags has their own. */
export const listBulkChanges = (db: Db, actor: Actor, query: PageQuery): Promise<Page<BulkChange>> =>
  pageByKey(db, query, {
    name: 'bulk_changes',
    all: changesOf(db, actor),
    keys: [
      { of: sql.ref('started_at'), is: 'time' },
      { of: sql.ref('id'), is: 'text' },
    ],
    order: 'desc',
    rows: (page) => page,
    items: (rows) => rows.map(asChange),
  })

type LeftRow = Pick<LeftAsset, 'reason' | 'line' | 'words'> & { id: string; place: number }

/** Behind the places of all others. */
const behind = 1_000_000_000

/** A page of the assets that a change left as they were, in the order it came to them; those that are as wished already come last. */
export async function listLeftAssets(db: Db, actor: Actor, id: string, query: PageQuery): Promise<Page<LeftAsset>> {
  const { left } = await getBulkChange(db, actor, id)
  const each = sql<LeftRow>`(select given.id, given.reason, wanted.wish ->> 'wrong' as words, (wanted.wish ->> 'line')::int as line,
      part.part * 1000 + given.nth + case given.reason when 'already' then ${behind} else 0 end as place
    from bulk_change_part part, unnest(part.asset_ids, part.outcomes) with ordinality as given (id, reason, nth),
      lateral (select part.wishes -> (given.nth::int - 1) as wish) wanted
    where part.account_id = ${actor.account_id} and part.bulk_id = ${id} and given.reason not in ('changed', 'blocked'))`
  return pageByKey(db, query, {
    name: 'left',
    all: db.selectFrom(each.as('each')),
    count: async () => cappedTotal(left.reduce((sum, { count }) => sum + count, 0)),
    keys: [{ of: sql.ref('each.place'), is: 'number' }],
    order: 'asc',
    rows: (page) =>
      page
        .leftJoin('asset', (join) => join.onRef('asset.id', '=', 'each.id').on(visibleTo(actor)))
        .select(['each.id as asset_id', 'asset.name', 'asset.serial', 'each.reason', 'each.line', 'each.words']),
    items: (rows) => rows,
  })
}
