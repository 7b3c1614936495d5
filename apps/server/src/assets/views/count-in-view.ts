import type { Db } from '../../kernel/app.ts'
import { answerable, countAssets, needAnswerable } from '../list/asset-count.ts'
import { knowTags } from '../list/asset-filter.ts'
import type { Viewer } from '../viewer.ts'

/** How many assets are in a view now: exactly up to 10,000; none where the view is gone. Throws invalid_request where too many would have to be looked at. */
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
