import type { uploadFeedFile as uploadOp } from '@masthead/contract/backoffice/feed-file-operations'
import { feedOff } from '@masthead/contract/backoffice/problems'
import { feedFileUploaded } from '@masthead/contract/backoffice/staff-actions'
import type { Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { recordStaff } from '../../backoffice/index.ts'
import type { Actor, App } from '../../kernel/app.ts'
import { getFileRow } from './file-queries.ts'
import { storeFile } from './store-file.ts'

/** Throws not_found, feed_off, too_large. */
export async function uploadFeedFile(
  { db }: App,
  actor: Actor,
  { feed_id, name }: { feed_id: string; name: string },
  pieces: AsyncIterable<Uint8Array>
): Promise<Reply<typeof uploadOp>> {
  const feed = await db.selectFrom('feed').select(['name', 'disabled_at']).where('id', '=', feed_id).executeTakeFirst()
  if (!feed) throw new Problem(notFound)
  if (feed.disabled_at) throw new Problem(feedOff)
  const about = { feed_id, name, source: 'upload' as const, added_by: actor.email }
  const { id, duplicate } = await storeFile(db, about, pieces, actor.at, async (tx, stored) => {
    if (!stored.duplicate) await recordStaff(tx, actor, feedFileUploaded, { name: feed.name, file_name: name }, { target: feed.name })
  })
  return { file: await getFileRow(db, id), duplicate }
}
