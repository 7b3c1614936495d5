import type { App } from '../../kernel/app.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Repository } from './repository.ts'

/** A blob that is still coming; `bytes`: how many are there. */
export type Upload = { id: string; account_id: string; repository_id: string; bytes: number }

export const unknownUpload = (cause?: unknown) => new Refusal('BLOB_UPLOAD_UNKNOWN', 'There is no such upload, or it is over', { cause })

/** Throws BLOB_UPLOAD_UNKNOWN. */
export async function getUpload(app: App, { account_id, repository_id }: Repository, id: string): Promise<Upload> {
  const found = await app.db
    .selectFrom('registry_upload')
    .select(['id', 'account_id', 'repository_id', 'bytes'])
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw unknownUpload()
  return found
}
