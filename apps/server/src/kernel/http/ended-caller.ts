import type { Operation } from '@masthead/contract/kernel/operation'
import { Problem, unauthenticated } from '@masthead/contract/kernel/problem'
import { sql } from 'kysely'
import type { Actor, Tx } from '../app.ts'

/**
 * The last question of a write: whether the session or API key that asked is still there, held until the commit. Whoever ends it then finds what
 * it wrote; else a key or an invitation that was under way would outlive the one who is shut out. Throws unauthenticated.
 */
export async function refuseEnded(tx: Tx, { session_id, key, account_id }: Actor, op: Operation): Promise<void> {
  if ((session_id === undefined && key === undefined) || op.endsCaller) return
  const { rows } = await (
    key
      ? sql`select from api_key where account_id = ${account_id} and id = ${key.id} for key share`
      : sql`select from session where id = ${session_id} for key share`
  ).execute(tx)
  if (rows.length === 0) throw new Problem(unauthenticated)
}
