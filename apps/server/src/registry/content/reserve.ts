import { sql } from 'kysely'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { App } from '../../kernel/app.ts'
import { BlobsNotWritten } from '../../kernel/blobs/blobs.ts'
import { Refusal } from '../protocol/refusal.ts'
import { alone } from './alone.ts'
import { lockQuota, needQuota } from './quota.ts'
import { unknownUpload, type Upload } from './upload.ts'

const [leastMore, mostMore] = [1024 * 1024, 64 * 1024 * 1024]
/** So much of a disk stays free, whichever is less: the database may be on the same one, and counts nothing once it is full. */
const [leastFree, leastShare] = [1_000_000_000, 0.02]

/** Throws BlobsNotWritten where the disk has too little left once `more` bytes have come. */
async function needDisk({ blobs }: Pick<App, 'blobs'>, more: number): Promise<void> {
  const room = await blobs.room()
  if (!room) return
  const stays = Math.min(leastFree, Math.floor(room.all * leastShare))
  if (room.free - more >= stays) return
  throw new BlobsNotWritten(
    `There is too little space on the disk of this registry: its last ${formatBytes(stays)} are kept for everything else. Whoever runs it makes space; then push again`
  )
}

/** Behind `size` bytes so many more are promised at once. */
const stepOf = (size: number) => Math.min(Math.max(size, leastMore), mostMore)

/**
 * Reserves `size` bytes of the account's quota for an upload, and some more that come next, which no other upload is promised then: all of them together never
 * take more than the quota. Answers up to how many bytes it is not asked again. `whole`: how many there will be, where that is known. Throws DENIED where
 * the quota is used up, BlobsNotWritten where the disk is nearly full, and BLOB_UPLOAD_UNKNOWN.
 */
export async function reserve(app: App, { account_id, id }: Upload, size: number, whole = Infinity): Promise<number> {
  await needDisk(app, Number.isFinite(whole) ? Math.max(whole - size, 0) : stepOf(size))
  return app.db.transaction().execute(async (tx) => {
    const quota = await lockQuota(tx, account_id)
    const own = await tx
      .selectFrom('registry_upload')
      .select(['bytes', 'reserved'])
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!own) throw unknownUpload()
    const others = { ...quota, used_bytes: quota.used_bytes - Math.max(own.bytes, own.reserved) }
    needQuota(others, Number.isFinite(whole) ? Math.max(whole, size) : size)
    const wanted = Math.max(size, Math.min(whole, size + stepOf(size)))
    const reserved = Math.min(wanted, others.quota_bytes - others.used_bytes)
    await tx
      .updateTable('registry_upload')
      .set({ reserved, touched_at: app.clock.now() })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute()
    return reserved
  })
}

/**
 * Frees what uploads take to which nobody writes any more, as after a server that was killed: what was promised to them, and bytes that came and of which nothing
 * was written down. What is known to be there counts on, and whoever goes on with it is promised anew.
 */
export async function releasePromised(app: App): Promise<void> {
  const { db, blobs, clock, log } = app
  const left = await db
    .selectFrom('registry_upload')
    .select(['account_id', 'repository_id', 'id'])
    .where('writer', 'is not', null)
    .where('writing_until', '<=', clock.now())
    .execute()
  for (const { id, ...repository } of left)
    await alone(app, repository, id, ({ bytes }) => blobs.drafts.cut(id, bytes)).catch((error: unknown) => {
      // Somebody goes on with it, or it is over.
      if (!(error instanceof Refusal))
        log.warn({ err: error, upload: id }, 'what a killed server left of an upload could not be removed yet')
    })
  await db.transaction().execute((tx) =>
    sql`update registry_upload set reserved = bytes where id in (select id from registry_upload
        where reserved > bytes and (writing_until is null or writing_until <= ${clock.now()}) for update skip locked)`.execute(tx)
  )
}
