import { mostCounted, type listViewCounts as countOp } from '@masthead/contract/assets/views/view-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db } from '../../kernel/app.ts'
import { answerable, countAssets, countStatement, needAnswerable } from '../list/asset-count.ts'
import { knowTags } from '../list/asset-filter.ts'
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

/** In each view that one sees, up to a bound, so that no view costs more than a page of the list. */
export async function listViewCounts(db: Db, actor: Actor): Promise<Reply<typeof countOp>> {
  const items = []
  for (const { id, q } of (await listViews(db, actor)).slice(0, viewsCounted)) {
    const found = await countUpTo(db, actor, q)
    items.push({ view_id: id, count: found === null ? null : Math.min(found, mostCounted), capped: found !== null && found > mostCounted })
  }
  return { items }
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
