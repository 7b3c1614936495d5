import type { Db, ReadDb } from '../kernel/app.ts'
import type { Viewer } from './usage-source.ts'

/** More assets than these make an account large: to read it through takes too long for everybody who looks. */
const mostReadAnew = 10_000

/** Whether the viewer sees the whole of a large account: they may share an answer with others who do. */
export async function seesLarge(db: Db, { account_id, tags }: Viewer): Promise<boolean> {
  if (tags.length > 0) return false
  const counts = await db.selectFrom('asset_count').select('count').where('account_id', '=', account_id).execute()
  return counts.reduce((sum, { count }) => sum + count, 0) > mostReadAnew
}

/**
 * An answer of one moment; of a large account one that others may have asked for a little before, `longest` ms at most. `question`: all that it depends
 * on.
 */
export async function shareMoment<Answer>(
  db: ReadDb,
  viewer: Viewer,
  question: readonly unknown[],
  read: (tx: Db) => Promise<Answer>,
  longest?: number
): Promise<Answer> {
  return (await seesLarge(db, viewer)) ? db.sharedSnapshot(viewer.account_id, question, read, longest) : db.snapshot(read)
}

/** What was read so long ago is shown as it is now, in ms. */
export const isNowFor = 5000

/** When a shared answer was read, where that is long enough ago to be shown. */
export const olderThanNow = (read_at: Date, now: Date): string | null =>
  now.getTime() - read_at.getTime() > isNowFor ? read_at.toISOString() : null
