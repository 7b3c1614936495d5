import type { Operation } from '@masthead/contract/kernel/operation'
import { Problem, unauthenticated } from '@masthead/contract/kernel/problem'
import { sql } from 'kysely'
import type { Actor, Tx } from '../app.ts'
import { BeginAgain } from '../database/begin-again.ts'

/**
 * The last question of a write: whether the session or API key that asked is still there, held until the commit. Whoever ends it then finds what
 * it wrote; else a key or an invitation that was under way would outlive the one who is shut out. Throws unauthenticated.
 *
 * It waits for nobody while the write holds what it has locked: whoever is just ending the session, or changing the key, may need that next. The
 * write is undone instead, and done again once they are through (begin-again).
 */
export async function refuseEnded(tx: Tx, actor: Actor, op: Operation): Promise<void> {
  if ((actor.session_id === undefined && actor.key === undefined) || op.endsCaller) return
  const held = await holdCaller(tx, actor, 'nowait').catch((error: { code?: string }) => {
    throw error.code === rowLocked ? new BeginAgain(async (alone) => void (await holdCaller(alone, actor))) : error
  })
  if (!held) throw new Problem(unauthenticated)
}

const rowLocked = '55P03'

/** Keeps the session or key of the caller from being ended before the transaction is; whether it is there. `nowait`: fails where somebody ends it now. */
async function holdCaller(tx: Tx, { session_id, key, account_id }: Actor, wait?: 'nowait'): Promise<boolean> {
  const lock = wait ? sql`for key share nowait` : sql`for key share`
  const { rows } = await (
    key
      ? sql`select from api_key where account_id = ${account_id} and id = ${key.id} ${lock}`
      : sql`select from session where id = ${session_id} ${lock}`
  ).execute(tx)
  return rows.length > 0
}
