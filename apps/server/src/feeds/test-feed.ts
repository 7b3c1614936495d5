import { newId } from '@masthead/contract/kernel/id'
import type { TestDb } from '@masthead/testkit/test-database'
import { makeFeedKey } from './feed-key.ts'

let made = 0

/** A feed with its key. */
export async function putFeed(db: TestDb, { name = `Carrier ${++made}`, folder = null as string | null } = {}) {
  const id = newId({ prefix: 'fed' })
  const { key, prefix, hash } = makeFeedKey()
  await db
    .insertInto('gateway')
    .values({ id, name, of_feed: true, created_at: new Date(0) })
    .execute()
  await db
    .insertInto('feed')
    .values({
      id,
      name,
      key_hash: hash,
      key_prefix: prefix,
      folder,
      silent_after_minutes: null,
      created_at: new Date(),
      created_by: 'test',
    })
    .execute()
  const file_id = newId({ prefix: 'cdr' })
  const read = { source: 'upload' as const, content: null, state: 'done' as const, added_at: new Date(), added_by: 'test' }
  await db
    .insertInto('feed_file')
    .values({ id: file_id, feed_id: id, name: 'first.csv', ...read })
    .execute()
  return { id, name, key, file_id }
}
