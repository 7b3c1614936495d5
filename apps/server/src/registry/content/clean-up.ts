import { sql } from 'kysely'
import type { App } from '../../kernel/app.ts'

const hourMs = 3_600_000
/** A push may take so long from its first blob to its manifest: until then what no manifest names is wanted. */
const pushTakes = 24 * hourMs
const atOnce = 500

export type CleanedUp = { uploads: number; links: number; blobs: number; bytes: number; left_behind: number }

/**
 * Removes what nothing names: uploads that nobody goes on with, blobs that no manifest of their repository names, bytes that no repository knows, and what a
 * killed process left. Beside pushes: one that needs a blob says so on its row, which this then leaves; and the bytes of each push have a key of their own.
 */
export async function cleanUp(app: App): Promise<CleanedUp> {
  const { db, blobs, clock } = app
  const before = new Date(clock.now().getTime() - pushTakes)
  const done: CleanedUp = { uploads: 0, links: 0, blobs: 0, bytes: 0, left_behind: 0 }
  const { rows: uploads } = await db
    .transaction()
    .execute((tx) => sql<{ id: string }>`delete from registry_upload where touched_at < ${before} returning id`.execute(tx))
  for (const { id } of uploads) await blobs.drafts.drop(id)
  done.uploads = uploads.length
  const { rows: links } = await db.transaction().execute((tx) =>
    sql`delete from registry_held h where h.held_at < ${before} and not exists (select from registry_reference r
        where r.account_id = h.account_id and r.repository_id = h.repository_id and r.target = h.digest) returning 1`.execute(tx)
  )
  done.links = links.length
  for (;;) {
    // Its row is gone first: whoever pushes the same from now on brings bytes of their own.
    const { rows } = await db.transaction().execute((tx) =>
      sql<{ key: string; bytes: number }>`delete from registry_blob where kept_at < ${before} and digest in (
          select digest from registry_blob b where b.kept_at < ${before}
          and not exists (select from registry_held h where h.digest = b.digest) limit ${atOnce} for update skip locked)
        returning key, bytes`.execute(tx)
    )
    for (const { key, bytes } of rows) {
      await blobs.remove(key)
      done.blobs++
      done.bytes += bytes
    }
    if (rows.length < atOnce) break
  }
  done.left_behind = await removeLeftBehind(app, before)
  return done
}

/** Bytes that were brought to the disk, and of which the database never learned. */
async function removeLeftBehind({ db, blobs }: App, before: Date): Promise<number> {
  let removed = 0
  let keys: string[] = []
  const flush = async () => {
    const known = await db.selectFrom('registry_blob').select('key').where('key', 'in', keys).execute()
    const names = new Set(known.map(({ key }) => key))
    for (const key of keys.filter((each) => !names.has(each))) {
      await blobs.remove(key)
      removed++
    }
    keys = []
  }
  for await (const { key, changed_at } of blobs.list('registry/')) {
    if (changed_at >= before) continue
    keys.push(key)
    if (keys.length >= atOnce) await flush()
  }
  if (keys.length > 0) await flush()
  return removed
}
