import { sql } from 'kysely'
import type { App, Db, Tx } from '../../kernel/app.ts'
import type { Caller } from '../protocol/caller.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Repository } from './repository.ts'

/** A blob that a repository knows, unless its bytes are known to be damaged. Nothing but the account's own rows are read, so that what others have is answered like what nobody has. */
export async function findHeld(db: Db, { account_id, repository_id }: Repository, digest: string) {
  const found = await db
    .selectFrom('registry_held as held')
    .innerJoin('registry_blob as blob', 'blob.digest', 'held.digest')
    .select(['blob.key', 'held.bytes', 'held.held_at'])
    .where('held.account_id', '=', account_id)
    .where('held.repository_id', '=', repository_id)
    .where('held.digest', '=', digest)
    // Whoever asks whether it is there before they push then pushes it, which replaces it.
    .where('blob.damaged_at', 'is', null)
    .executeTakeFirst()
  return found ?? null
}

/** Throws BLOB_UNKNOWN. */
export async function getHeld(db: Db, repository: Repository, digest: string) {
  const found = await findHeld(db, repository, digest)
  if (found) return found
  const { account_id, repository_id, name } = repository
  const damaged = await db
    .selectFrom('registry_held')
    .select('digest')
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('digest', '=', digest)
    .executeTakeFirst()
  throw new Refusal('BLOB_UNKNOWN', damaged ? damagedWords(digest) : `${name} has no blob ${digest}`)
}

export const damagedWords = (digest: string) =>
  `The bytes of ${digest} are damaged, and given to nobody. Push the image again, which replaces them`

/** From now on bytes that are not what their digest says are given to nobody; unless others are there by now. */
export async function noteDamage(
  app: Pick<App, 'db'>,
  { digest, key }: { digest: string; key: string },
  damaged_at: Date | null
): Promise<void> {
  await app.db.transaction().execute((tx) =>
    tx
      .updateTable('registry_blob')
      .set({ damaged_at })
      .where('digest', '=', digest)
      .where('key', '=', key)
      .where('damaged_at', damaged_at === null ? 'is not' : 'is', null)
      .execute()
  )
}

/** Whether the store has all of a blob that is known. What it has lost is damaged from now on, so that whoever pushes brings it. */
export async function isKept(
  app: Pick<App, 'db' | 'blobs' | 'clock' | 'log'>,
  digest: string,
  { key, bytes }: { key: string; bytes: number }
): Promise<boolean> {
  if ((await app.blobs.find(key))?.size === bytes) return true
  app.log.error({ digest, key }, 'bytes that the registry should have are not in the store')
  await noteDamage(app, { digest, key }, app.clock.now())
  return false
}

const touchAfter = 600_000 // ms

/** Whoever pushes asks first what is there, and counts on it: clean-up leaves it alone for as long as a push may take. */
export async function keepForPush(app: App, { account_id, repository_id }: Repository, digest: string, held_at: Date): Promise<void> {
  const at = app.clock.now()
  if (at.getTime() - held_at.getTime() < touchAfter) return
  await app.db
    .transaction()
    .execute((tx) =>
      tx
        .updateTable('registry_held')
        .set({ held_at: at })
        .where('account_id', '=', account_id)
        .where('repository_id', '=', repository_id)
        .where('digest', '=', digest)
        .execute()
    )
}

/** Of a row of `registry_held`. */
export const isWhole = sql`not exists (select from registry_blob b where b.digest = registry_held.digest and b.damaged_at is not null)`

/** Lets a repository know a blob that another of the account knows: that one, or any. False where none does. */
export async function mountBlob(
  tx: Tx,
  { account_id, actor }: Caller,
  to: Repository,
  digest: string,
  from: Repository | null
): Promise<boolean> {
  const { rows } = await sql`insert into registry_held (account_id, repository_id, digest, bytes, held_at)
    select account_id, ${to.repository_id}, digest, bytes, ${actor.at} from registry_held
    where account_id = ${account_id} and digest = ${digest} and ${isWhole} and ${from ? sql`repository_id = ${from.repository_id}` : sql`true`} limit 1
    on conflict (account_id, repository_id, digest) do update set held_at = excluded.held_at returning 1`.execute(tx)
  return rows.length > 0
}

/** Throws BLOB_UNKNOWN, and DENIED where an image needs it. */
export async function forgetBlob(tx: Tx, { account_id, repository_id, name }: Repository, digest: string): Promise<void> {
  // Whoever pushes a manifest that names it changes this row first: they are waited for, so that their reference is seen below.
  await tx
    .selectFrom('registry_held')
    .select('digest')
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('digest', '=', digest)
    .forUpdate()
    .execute()
  const needed = await tx
    .selectFrom('registry_reference')
    .select('digest')
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('target', '=', digest)
    .executeTakeFirst()
  if (needed) throw new Refusal('DENIED', `The manifest ${needed.digest} of ${name} needs this blob: delete that first`)
  const { numDeletedRows } = await tx
    .deleteFrom('registry_held')
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('digest', '=', digest)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new Refusal('BLOB_UNKNOWN', `${name} has no blob ${digest}`)
}
