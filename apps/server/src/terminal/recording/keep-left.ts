import { createHash } from 'node:crypto'
import { DraftGone, type Blobs } from '../../kernel/blobs/blobs.ts'
import { recordingDraft, recordingKey } from './recording-key.ts'

/** Keeps what a server that is gone had recorded; false: there is nothing. */
export async function keepLeft({ drafts, find }: Blobs, session: { account_id: string; id: string }): Promise<boolean> {
  const draft = recordingDraft(session)
  const size = await drafts.size(draft)
  if (size === null) return (await find(recordingKey(session))) !== null
  const hash = createHash('sha256')
  try {
    for await (const chunk of drafts.read(draft, size)) hash.update(chunk)
    await drafts.keep(draft, recordingKey(session), { size, sha256: hash.digest('hex') })
    return true
  } catch (error) {
    if (error instanceof DraftGone) return false
    throw error
  }
}
