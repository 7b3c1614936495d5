import { createHash, type Hash } from 'node:crypto'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { App, Tx } from '../../kernel/app.ts'
import { BlobDiffers, DraftGone } from '../../kernel/blobs/blobs.ts'
import type { Caller } from '../protocol/caller.ts'
import { Refusal } from '../protocol/refusal.ts'
import { full, lockRoom, needRoom, roomOf } from './room.ts'
import type { Repository } from './repository.ts'

const uploadId = idKind('rup')
const mostUploads = 200

export type Upload = { id: string; account_id: string; repository_id: string; bytes: number }

/** How far the digest of an upload is counted in this process. */
type Counted = { hash: Hash; at: number }
type Here = { counted: Map<string, Counted>; busy: Set<string> }
const places = new WeakMap<App, Here>()
const mostCounted = 1000

function hereOf(app: App): Here {
  const known = places.get(app) ?? { counted: new Map(), busy: new Set() }
  places.set(app, known)
  return known
}

/** Something to push bytes to. Throws DENIED where the account has no room at all. */
export async function beginUpload(tx: Tx, { account_id, actor }: Caller, { repository_id }: Repository): Promise<Upload> {
  const room = await lockRoom(tx, account_id)
  needRoom(room, 1)
  const { count } = await tx
    .selectFrom('registry_upload')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostUploads)
    throw new Refusal('TOOMANYREQUESTS', `${mostUploads} uploads of this account are open: finish some, or cancel them`)
  const id = newId(uploadId, actor.at.getTime())
  await tx.insertInto('registry_upload').values({ account_id, id, repository_id, started_at: actor.at, touched_at: actor.at }).execute()
  return { account_id, id, repository_id, bytes: 0 }
}

/** Throws BLOB_UPLOAD_UNKNOWN. */
export async function getUpload(app: App, { account_id, repository_id }: Repository, id: string): Promise<Upload> {
  const found = await app.db
    .selectFrom('registry_upload')
    .select(['id', 'account_id', 'repository_id', 'bytes'])
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw unknown()
  return found
}
const unknown = (cause?: unknown) => new Refusal('BLOB_UPLOAD_UNKNOWN', 'There is no such upload, or it is over', { cause })

/** One request at a time writes to an upload. */
export async function alone<Result>(app: App, { id }: Upload, work: () => Promise<Result>): Promise<Result> {
  const { busy } = hereOf(app)
  if (busy.has(id)) throw new Refusal('BLOB_UPLOAD_INVALID', 'Another request is writing to this upload', { status: 409 })
  busy.add(id)
  try {
    return await work()
  } finally {
    busy.delete(id)
  }
}

/**
 * Adds what comes, and counts its digest on the way. What came before a failure stays, so that the client goes on from there. Answers how many bytes the
 * upload has now. Throws DENIED where they have no room.
 */
export async function receive(app: App, upload: Upload, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const { counted } = hereOf(app)
  const from = upload.bytes
  const before = counted.get(upload.id)
  const own: Counted = before?.at === from ? before : { hash: createHash('sha256'), at: from === 0 ? 0 : -1 }
  counted.delete(upload.id)
  const room = await roomOf(app.db, upload.account_id)
  const most = room.quota_bytes - room.used_bytes
  async function* measured() {
    let come = 0
    for await (const chunk of bytes) {
      come += chunk.byteLength
      if (come > most) throw full(room, come)
      if (own.at >= 0) own.hash.update(chunk)
      yield chunk
    }
  }
  const { size, failed } = await app.blobs.drafts.append(upload.id, from, measured()).catch((error: unknown) => {
    throw error instanceof DraftGone ? unknown(error) : error
  })
  await app.db
    .transaction()
    .execute((tx) =>
      tx
        .updateTable('registry_upload')
        .set({ bytes: size, touched_at: app.clock.now() })
        .where('account_id', '=', upload.account_id)
        .where('id', '=', upload.id)
        .execute()
    )
  if (failed) throw failed
  if (own.at >= 0) {
    counted.set(upload.id, { hash: own.hash, at: size })
    if (counted.size > mostCounted) counted.delete(counted.keys().next().value!)
  }
  return size
}

/** The digest of all that came: known from the way here, or read again where this process did not see all of it come. */
async function digestOf(app: App, { id, bytes }: Upload): Promise<string> {
  const { counted } = hereOf(app)
  const own = counted.get(id)
  counted.delete(id)
  if (own?.at === bytes) return own.hash.digest('hex')
  const hash = createHash('sha256')
  if (bytes > 0) for await (const chunk of app.blobs.drafts.read(id, bytes)) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * Makes a blob of the repository of what came, once all of it is on the disk. Other accounts may have the same bytes: they had to come all the same, and are
 * written anew, so that nobody learns of it. Throws DIGEST_INVALID, and then nothing of it is kept.
 */
export async function finishUpload(app: App, upload: Upload, digest: string): Promise<void> {
  const { account_id, repository_id, id, bytes } = upload
  try {
    const hex = await digestOf(app, upload)
    if (`sha256:${hex}` !== digest)
      throw new Refusal('DIGEST_INVALID', `The digest of what came is sha256:${hex}, and ${digest} was announced`)
    const key = `registry/${hex.slice(0, 2)}/${hex}.${id}`
    // Nothing has come: a blob of no bytes is one, too.
    if (bytes === 0) await app.blobs.put(key, nothing(), { size: 0 })
    else await app.blobs.drafts.keep(id, key, { size: bytes, sha256: hex })
    const kept = await app.db
      .transaction()
      .execute((tx) => hold(tx, { account_id, repository_id, digest, bytes, key, at: app.clock.now(), upload_id: id }))
      .catch(async (error: unknown) => {
        if (error instanceof Refusal) await app.blobs.remove(key)
        throw error
      })
    // Not waited for: how long it takes would tell that somebody else has the same. What a process leaves that dies meanwhile, clean-up takes.
    if (kept !== key)
      app.blobs.remove(key).catch((error: unknown) => app.log.warn({ err: error }, 'a second copy of a blob could not be removed'))
  } catch (error) {
    // Nobody can go on with it.
    if (error instanceof Refusal || error instanceof BlobDiffers || error instanceof DraftGone) await cancelUpload(app, upload)
    throw error instanceof DraftGone ? unknown(error) : error
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {}

type Kept = { account_id: string; repository_id: string; digest: string; bytes: number; key: string; at: Date; upload_id: string }

/** Where the bytes are from now on: where they were, if they were. */
async function hold(tx: Tx, { account_id, repository_id, digest, bytes, key, at, upload_id }: Kept): Promise<string> {
  await tx.deleteFrom('registry_upload').where('account_id', '=', account_id).where('id', '=', upload_id).execute()
  const room = await lockRoom(tx, account_id)
  const held = await tx
    .selectFrom('registry_held')
    .select('digest')
    .where('account_id', '=', account_id)
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (!held) needRoom(room, bytes)
  const blob = await tx
    .insertInto('registry_blob')
    .values({ digest, key, bytes, kept_at: at })
    // Clean-up looks at the time: these bytes are wanted again.
    .onConflict((conflict) => conflict.column('digest').doUpdateSet({ kept_at: at }))
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
  hereOf(app).counted.delete(id)
  await app.db
    .transaction()
    .execute((tx) => tx.deleteFrom('registry_upload').where('account_id', '=', account_id).where('id', '=', id).execute())
  await app.blobs.drafts.drop(id)
}
