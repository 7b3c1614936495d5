import { createHash, randomUUID, type Hash } from 'node:crypto'
import { sql } from 'kysely'
import type { App, Tx } from '../../kernel/app.ts'
import { BlobDiffers, BlobsNotWritten, DraftGone } from '../../kernel/blobs/blobs.ts'
import { perApp } from '../../kernel/per-app.ts'
import { algorithmOf } from '../protocol/address.ts'
import type { Caller } from '../protocol/caller.ts'
import { Refusal } from '../protocol/refusal.ts'
import { interrupted, type StillAlone, type Writing } from './alone.ts'
import { lockQuota, lockRegistry, needQuota, quotaOf } from './quota.ts'
import { reserve } from './reserve.ts'
import { unknownUpload, type Upload } from './upload.ts'
import type { Repository } from './repository.ts'

const mostUploads = 200

type Algorithm = ReturnType<typeof algorithmOf>

/** How far the digest of an upload is counted in this process. */
type Counted = { hash: Hash; at: number }
const countedIn = perApp(() => new Map<string, Counted>())
const mostCounted = 1000

/** Something to push bytes to. Throws DENIED where the quota of the account is used up. */
export async function beginUpload(tx: Tx, { account_id, actor }: Caller, { repository_id }: Repository): Promise<Upload> {
  const quota = await lockQuota(tx, account_id)
  needQuota(quota, 1)
  const { count } = await tx
    .selectFrom('registry_upload')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostUploads)
    throw new Refusal('TOOMANYREQUESTS', `${mostUploads} uploads of this account are open: finish some, or cancel them`, {
      headers: { 'retry-after': '60' },
    })
  // The specification has a UUID in the address of an upload.
  const id = randomUUID()
  await tx.insertInto('registry_upload').values({ account_id, id, repository_id, started_at: actor.at, touched_at: actor.at }).execute()
  return { account_id, id, repository_id, bytes: 0 }
}

/**
 * Adds what comes, and counts its digest on the way. What came before the sender went away stays, so that the client goes on from there. Answers how many bytes
 * the upload has now. `announced`: how many come. Throws DENIED where they are beyond the quota, and BLOB_UPLOAD_INVALID where they cannot be written: then the
 * upload is over, and counts for nothing. Throws BLOB_UPLOAD_INVALID with 409 where another request writes to it by now: what this one brought is no part of it.
 */
export async function receive(
  app: App,
  upload: Writing,
  bytes: AsyncIterable<Uint8Array>,
  { announced, still }: { announced?: number | undefined; still: StillAlone }
): Promise<number> {
  const counted = countedIn(app)
  const from = upload.bytes
  const before = counted.get(upload.id)
  const own: Counted = before?.at === from ? before : { hash: createHash('sha256'), at: from === 0 ? 0 : -1 }
  counted.delete(upload.id)
  const whole = announced === undefined ? Infinity : from + announced
  async function* measured() {
    let size = from
    let reserved = 0
    /** What is promised next: asked for in time, so that what comes need not wait for it. Where nothing more is promised, it is asked for again once it is needed. */
    let next: Promise<number> | undefined
    try {
      for await (const chunk of bytes) {
        still()
        size += chunk.byteLength
        if (size > reserved && next) {
          reserved = Math.max(reserved, await next)
          next = undefined
        }
        if (size > reserved) reserved = await reserve(app, upload, size, whole)
        if (!next && size > reserved / 2 && reserved < whole) next = reserve(app, upload, reserved, whole).catch(() => 0)
        if (own.at >= 0) own.hash.update(chunk)
        yield chunk
      }
    } finally {
      await next
    }
  }
  try {
    const { size, failed } = await app.blobs.drafts.append(upload.id, from, measured())
    still()
    const { numUpdatedRows } = await app.db
      .transaction()
      .execute((tx) =>
        tx
          .updateTable('registry_upload')
          .set({ bytes: size, reserved: size, touched_at: app.clock.now() })
          .where('account_id', '=', upload.account_id)
          .where('id', '=', upload.id)
          .where('writer', '=', upload.writer)
          .executeTakeFirstOrThrow()
      )
    if (numUpdatedRows === 0n) throw interrupted()
    if (failed) throw failed
    if (own.at >= 0) {
      counted.set(upload.id, { hash: own.hash, at: size })
      if (counted.size > mostCounted) counted.delete(counted.keys().next().value!)
    }
    return size
  } catch (error) {
    if ((error instanceof Refusal && error.code === 'DENIED') || error instanceof BlobsNotWritten) await giveUp(app, upload, error)
    throw asUploads(error)
  }
}

/** How a failure of the store is said of an upload, whose codes the specification has. */
function asUploads(error: unknown): unknown {
  if (error instanceof DraftGone) return unknownUpload(error)
  return error instanceof BlobsNotWritten ? new Refusal('BLOB_UPLOAD_INVALID', error.message, { status: 503, cause: error }) : error
}

/** Whatever of it is kept until clean-up when this fails too, the first failure is what is said. */
const giveUp = (app: App, upload: Upload, why: unknown) =>
  cancelUpload(app, upload).catch((error: unknown) => app.log.warn({ err: error, why }, 'an upload that failed could not be removed'))

/** Digests of all that came, in hex: by SHA-256 known from the way here, or read again where this process did not see all of it come, or another is asked for. */
async function digestsOf(app: App, { id, bytes }: Upload, algorithm: Algorithm): Promise<{ sha256: string; asked: string }> {
  const counted = countedIn(app)
  const own = counted.get(id)
  counted.delete(id)
  const seen = own?.at === bytes ? own.hash : null
  const sha256 = seen ?? createHash('sha256')
  const other = algorithm === 'sha256' ? null : createHash(algorithm)
  if (bytes > 0 && (!seen || other))
    for await (const chunk of app.blobs.drafts.read(id, bytes)) {
      if (!seen) sha256.update(chunk)
      other?.update(chunk)
    }
  const hex = sha256.digest('hex')
  return { sha256: hex, asked: other?.digest('hex') ?? hex }
}

/**
 * Makes a blob of the repository of what came, once all of it is on the disk. Other accounts may have the same bytes: they had to come all the same, and are
 * written anew, so that nobody learns of it. Throws DIGEST_INVALID, and then nothing of it is kept.
 */
export async function finishUpload(app: App, upload: Upload, digest: string): Promise<void> {
  const { account_id, repository_id, id, bytes } = upload
  try {
    const algorithm = algorithmOf(digest)
    const { sha256, asked: hex } = await digestsOf(app, upload, algorithm)
    if (`${algorithm}:${hex}` !== digest)
      throw new Refusal('DIGEST_INVALID', `The digest of what came is ${algorithm}:${hex}, and ${digest} was announced`)
    const key = `registry/${hex.slice(0, 2)}/${hex}.${id}`
    // Nothing has come: a blob of no bytes is one, too.
    if (bytes === 0) await app.blobs.put(key, nothing(), { size: 0 })
    else await app.blobs.drafts.keep(id, key, { size: bytes, sha256 })
    const lost = await lostCopy(app, digest, { key, bytes })
    const kept = await app.db
      .transaction()
      .execute((tx) => hold(tx, { account_id, repository_id, digest, bytes, key, lost, at: app.clock.now(), upload_id: id }))
      .catch(async (error: unknown) => {
        if (error instanceof Refusal) await app.blobs.remove(key)
        throw error
      })
    // Not waited for: how long it takes would show that somebody else has the same. What a process leaves that dies meanwhile, clean-up takes.
    if (kept !== key)
      app.blobs.remove(key).catch((error: unknown) => app.log.warn({ err: error }, 'a second copy of a blob could not be removed'))
  } catch (error) {
    // Nobody can go on with it.
    if (error instanceof Refusal || error instanceof BlobDiffers || error instanceof DraftGone || error instanceof BlobsNotWritten)
      await giveUp(app, upload, error)
    throw asUploads(error)
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {}

/** The key under which the store should have a digest, and has nothing or not all of it; else null. The store is asked either way, so that the time says nothing. */
async function lostCopy(app: App, digest: string, own: { key: string; bytes: number }): Promise<string | null> {
  const blob = await app.db.selectFrom('registry_blob').select('key').where('digest', '=', digest).executeTakeFirst()
  const found = await app.blobs.find(blob?.key ?? own.key)
  return blob && found?.size !== own.bytes ? blob.key : null
}

type Kept = {
  account_id: string
  repository_id: string
  digest: string
  bytes: number
  key: string
  lost: string | null
  at: Date
  upload_id: string
}

/** Where the bytes are from now on: where they were, if they were, are not damaged, and the store has not lost them. */
async function hold(tx: Tx, { account_id, repository_id, digest, bytes, key, lost, at, upload_id }: Kept): Promise<string> {
  await lockRegistry(tx, account_id)
  const { numDeletedRows } = await tx
    .deleteFrom('registry_upload')
    .where('account_id', '=', account_id)
    .where('id', '=', upload_id)
    .executeTakeFirstOrThrow()
  // Its repository was deleted meanwhile.
  if (numDeletedRows === 0n) throw unknownUpload()
  const quota = await quotaOf(tx, account_id)
  const held = await tx
    .selectFrom('registry_held')
    .select('digest')
    .where('account_id', '=', account_id)
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (!held) needQuota(quota, bytes)
  const blob = await tx
    .insertInto('registry_blob')
    .values({ digest, key, bytes, kept_at: at })
    // Clean-up looks at the time: these bytes are wanted again.
    .onConflict((conflict) =>
      conflict.column('digest').doUpdateSet({
        kept_at: at,
        damaged_at: null,
        // What was damaged or is lost is replaced; clean-up takes the bytes that were.
        key: sql`case when registry_blob.damaged_at is null and registry_blob.key is distinct from ${lost} then registry_blob.key else excluded.key end`,
      })
    )
    .returning('key')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('registry_held')
    .values({ account_id, repository_id, digest, bytes, held_at: at })
    .onConflict((conflict) => conflict.columns(['account_id', 'repository_id', 'digest']).doUpdateSet({ held_at: at }))
    .execute()
  return blob.key
}

export async function cancelUpload(app: App, { account_id, id }: Upload): Promise<void> {
  countedIn(app).delete(id)
  // The bytes first: on a full disk there may be no room to say in the database that they are gone.
  await app.blobs.drafts.drop(id)
  await app.db
    .transaction()
    .execute((tx) => tx.deleteFrom('registry_upload').where('account_id', '=', account_id).where('id', '=', id).execute())
}
