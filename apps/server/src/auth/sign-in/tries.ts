import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Problem, tooManyRequests } from '@masthead/contract/kernel/problem'
import type { WriteDb } from '../../kernel/app.ts'
import { inTransaction } from '../../kernel/database/open-database.ts'

/** At most `limit` tries in a window of `seconds`, counted for all processes together. */
export type Limit = { key: string; limit: number; seconds: number }

/**
 * Counts a try before it is made, so that many at once cannot slip through. Throws 429, saying when the window ends. One that is refused was
 * none: of many right ones at once, those given back make room again.
 */
export async function takeTry(db: WriteDb, at: Date, { key, limit, seconds }: Limit): Promise<void> {
  const ends = new Date(at.getTime() + seconds * 1000)
  const count = sql`
    insert into attempt (key, count, window_ends_at) values (${hashed(key)}, 1, ${ends})
    on conflict (key) do update set
      count = case when attempt.window_ends_at <= ${at} then 1 else attempt.count + 1 end,
      window_ends_at = case when attempt.window_ends_at <= ${at} then excluded.window_ends_at else attempt.window_ends_at end
    where attempt.window_ends_at <= ${at} or attempt.count < ${limit}
    returning key`
  const { rows } = await inTransaction(db, (tx) => count.execute(tx))
  if (rows.length > 0) return
  const refused = await db.selectFrom('attempt').select('window_ends_at').where('key', '=', hashed(key)).executeTakeFirst()
  const wait = Math.max(1, Math.ceil(((refused?.window_ends_at ?? at).getTime() - at.getTime()) / 1000))
  throw new Problem(tooManyRequests, `Too many tries. Wait ${inWords(wait)} and try again`, { retryAfter: wait })
}

/** A try that succeeded does not count. */
export async function giveTryBack(db: WriteDb, { key }: Limit): Promise<void> {
  const uncount = sql`update attempt set count = count - 1 where key = ${hashed(key)} and count > 0`
  await inTransaction(db, (tx) => uncount.execute(tx))
}

// Whatever is typed as an e-mail address has a short key, and is not kept in the clear.
const hashed = (key: string) => createHash('sha256').update(key).digest('base64url')

const inWords = (seconds: number) =>
  seconds < 60 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minute${seconds <= 60 ? '' : 's'}`
