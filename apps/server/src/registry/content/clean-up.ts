import { sql } from 'kysely'
import { repositoryDeleted } from '@masthead/contract/registry/events'
import { systemActor, type App } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { lockRegistry } from './quota.ts'

const hourMs = 3_600_000
/** A push may take so long from its first blob to its manifest: until then what no manifest names is wanted. */
const pushTakes = 24 * hourMs
/** No account pays for bytes that no repository holds, so they may fill the disk no longer than this: who needs them brings them again, or has said so on their row. */
const unheldFor = hourMs
const atOnce = 500

type CleanedUp = { uploads: number; links: number; repositories: number; blobs: number; bytes: number; left_behind: number }

/**
 * Removes what nothing names: uploads that nobody goes on with, blobs that no manifest of their repository names, repositories in which nothing is left, bytes that no repository knows, and what a
 * killed process left. Beside pushes: one that needs a blob says so on its row, which this then leaves; and the bytes of each push have a key of their own.
 */
export async function cleanUp(app: App): Promise<CleanedUp> {
  const { db, blobs, clock } = app
  const before = new Date(clock.now().getTime() - pushTakes)
  const done: CleanedUp = { uploads: 0, links: 0, repositories: 0, blobs: 0, bytes: 0, left_behind: 0 }
  const { rows: uploads } = await db.transaction().execute((tx) =>
    sql<{ id: string }>`delete from registry_upload where id in (
      select id from registry_upload where touched_at < ${before} for update skip locked) returning id`.execute(tx)
  )
  for (const { id } of uploads) await blobs.drafts.drop(id)
  done.uploads = uploads.length
  const { rows: links } = await db.transaction().execute((tx) =>
    // A push that asks for several of them has some already: to wait for these with others in hand would have both wait.
    sql`with unnamed as materialized (select h.account_id, h.repository_id, h.digest from registry_held h where h.held_at < ${before}
        and not exists (select from registry_reference r
          where r.account_id = h.account_id and r.repository_id = h.repository_id and r.target = h.digest) for update skip locked)
      delete from registry_held h using unnamed u
        where h.account_id = u.account_id and h.repository_id = u.repository_id and h.digest = u.digest returning 1`.execute(tx)
  )
  done.links = links.length
  done.repositories = await removeEmpty(app, before)
  const unheld = new Date(clock.now().getTime() - unheldFor)
  for (;;) {
    // Its row is gone first: whoever pushes the same from now on brings bytes of their own.
    const { rows } = await db.transaction().execute((tx) =>
      sql<{ key: string; bytes: number }>`delete from registry_blob where kept_at < ${unheld} and digest in (
          select digest from registry_blob b where b.kept_at < ${unheld}
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

const nothingIn = sql`not exists (select from registry_manifest m where m.account_id = r.account_id and m.repository_id = r.id)
  and not exists (select from registry_held h where h.account_id = r.account_id and h.repository_id = r.id)
  and not exists (select from registry_upload u where u.account_id = r.account_id and u.repository_id = r.id)
  and not exists (select from registry_retention t where t.account_id = r.account_id and t.repository_id = r.id)`

/** A repository is there from its first push on, and from the next one again. One with a rule of its own stays. */
async function removeEmpty({ db, clock }: App, before: Date): Promise<number> {
  const { rows: empty } = await sql<{ account_id: string; id: string }>`select account_id, id from registry_repository r
    where greatest(created_at, pushed_at) < ${before} and ${nothingIn} limit ${atOnce}`.execute(db)
  let removed = 0
  for (const [account_id, own] of Map.groupBy(empty, (each) => each.account_id))
    removed += await db.transaction().execute(async (tx) => {
      await lockRegistry(tx, account_id)
      // Looked at once more: whoever pushed before the lock is seen, whoever comes after it makes the repository anew.
      const { rows } = await sql<{ repository: string }>`delete from registry_repository r using registry_account a
        where r.account_id = ${account_id} and r.id = any(${own.map(({ id }) => id)}::text[]) and a.account_id = r.account_id and ${nothingIn}
        returning a.slug || '/' || r.name as repository`.execute(tx)
      for (const { repository } of rows) await record(tx, systemActor(account_id, clock.now()), repositoryDeleted, { repository, tags: 0 })
      return rows.length
    })
  return removed
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
