import type { App } from '../../kernel/app.ts'
import { lockRoom, needRoom } from './room.ts'
import { unknownUpload, type Upload } from './upload.ts'

const [leastMore, mostMore] = [1024 * 1024, 64 * 1024 * 1024]

/**
 * Has room of the account for `size` bytes of an upload, and for some more that come next, which no other upload is promised then: all of them together never
 * take more than the quota. Answers up to how many bytes it is not asked again. `whole`: how many there will be, where that is known. Throws DENIED where
 * there is no room, and BLOB_UPLOAD_UNKNOWN.
 */
export async function reserve(app: App, { account_id, id }: Upload, size: number, whole = Infinity): Promise<number> {
  return app.db.transaction().execute(async (tx) => {
    const room = await lockRoom(tx, account_id)
    const own = await tx
      .selectFrom('registry_upload')
      .select(['bytes', 'reserved'])
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!own) throw unknownUpload()
    const others = { ...room, used_bytes: room.used_bytes - Math.max(own.bytes, own.reserved) }
    needRoom(others, Number.isFinite(whole) ? Math.max(whole, size) : size)
    const wanted = Math.max(size, Math.min(whole, size + Math.min(Math.max(size, leastMore), mostMore)))
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
