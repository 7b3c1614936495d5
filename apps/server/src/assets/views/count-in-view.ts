import { mostCounted, type listViewCounts as countOp } from '@masthead/contract/assets/views/view-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, ReadDb } from '../../kernel/app.ts'
import { answerable, countAssets, countStatement, needAnswerable } from '../list/asset-count.ts'
import { knowTags } from '../list/asset-filter.ts'
import { seesLarge } from '../../usage/index.ts'
import type { Viewer } from '../viewer.ts'
import { listViews } from './view-queries.ts'

/** How many assets are in a view now: exactly up to 10,000; none where the view is gone. Throws invalid_request where too many would have to be read. */
export async function countInView(db: Db, asker: Viewer, id: string): Promise<number> {
  const view = await db
    .selectFrom('asset_view')
    .select('q')
    .where('account_id', '=', asker.account_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!view) return 0
  const filter = await knowTags(db, asker, { q: view.q })
  const viewer = await answerable(db, asker, filter)
  await needAnswerable(db, viewer, filter)
  return countAssets(db, viewer, filter)
}

/** Views beyond these stand far to the right. */
const viewsCounted = 20

/** Shown for as long as a console shows them. */
const countedFor = 60_000 // ms

/**
 * In each view that one sees, up to a bound, so that no view costs more than a page of the list. Lines that find nothing are the dearest: the views of a large account
 * are counted for one after the other, and for all who see the same.
 */
export async function listViewCounts(db: ReadDb, actor: Actor): Promise<Reply<typeof countOp>> {
  const views = (await listViews(db, actor)).slice(0, viewsCounted).map(({ id, q }) => ({ id, q }))
  if (!(await seesLarge(db, actor))) return { items: await countViews(db, actor, views) }
  // In a line of their own, so that the overview of the account waits for none of them.
  const line = `${actor.account_id} views`
  return { items: await db.sharedSnapshot(line, views, (tx) => countViews(tx, actor, views), countedFor) }
}

async function countViews(db: Db, actor: Actor, views: readonly { id: string; q: string }[]) {
  const items = []
  for (const { id, q } of views) {
    const found = await countUpTo(db, actor, q)
    items.push({ view_id: id, count: found === null ? null : Math.min(found, mostCounted), capped: found !== null && found > mostCounted })
  }
  return items
}

async function countUpTo(db: Db, asker: Viewer, q: string): Promise<number | null> {
  try {
    const filter = await knowTags(db, asker, { q })
    const viewer = await answerable(db, asker, filter)
    await needAnswerable(db, viewer, filter)
    const { rows } = await countStatement(viewer, filter, mostCounted + 1).execute(db)
    return rows[0]!.count
  } catch (error) {
    // A line that cannot be asked any more, or of too many assets while there is no copy.
    if (error instanceof Problem) return null
    throw error
  }
}
