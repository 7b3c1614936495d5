import type { Operation } from '@masthead/contract/kernel/operation'
import { isPermission } from '@masthead/contract/kernel/permission'
import { accountClosed, Problem, unauthenticated } from '@masthead/contract/kernel/problem'
import { sql } from 'kysely'
import type { Actor, Tx } from '../app.ts'
import { BeginAgain } from '../database/begin-again.ts'

/**
 * The last question of a write: whether the session or API key that asked is still there, and the account open, held until the commit. Whoever ends
 * it then finds what it wrote; else a key or an invitation that was under way would outlive the one who is shut out, or the account. Throws
 * unauthenticated, account_closed.
 *
 * It waits for nobody while the write holds what it has locked: whoever is just ending the session, changing the key, or closing the account, may need that next. The
 * write is undone instead, and done again once they are through (begin-again).
 */
export async function refuseEnded(tx: Tx, actor: Actor, op: Operation): Promise<void> {
  if ((actor.session_id === undefined && actor.key === undefined) || op.endsCaller) return
  if (!(await orBeginAgain(tx, (db, wait) => holdCaller(db, actor, wait)))) throw new Problem(unauthenticated)
  if (isPermission(op.access) && !(await orBeginAgain(tx, (db, wait) => holdAccount(db, actor, wait)))) throw new Problem(accountClosed)
}

type Wait = 'nowait' | undefined

const orBeginAgain = (tx: Tx, hold: (tx: Tx, wait: Wait) => Promise<boolean>): Promise<boolean> =>
  hold(tx, 'nowait').catch((error: { code?: string }) => {
    throw error.code === rowLocked ? new BeginAgain(async (alone) => void (await hold(alone, undefined))) : error
  })

const rowLocked = '55P03'

const lockOf = (wait: Wait) => (wait ? sql`for key share nowait` : sql`for key share`)

/** Keeps the account from being closed before the transaction is over; whether it is open. */
async function holdAccount(tx: Tx, { account_id }: Actor, wait: Wait): Promise<boolean> {
  const { rows } = await sql<{
    open: boolean
  }>`select closed_at is null as open from account where id = ${account_id} ${lockOf(wait)}`.execute(tx)
  return rows[0]?.open ?? false
}

/** Keeps the session or key of the caller from being ended before the transaction is; whether it is there. `nowait`: fails where somebody ends it now. */
async function holdCaller(tx: Tx, { session_id, key, account_id }: Actor, wait: Wait): Promise<boolean> {
  const lock = lockOf(wait)
  const { rows } = await (
    key
      ? sql`select from api_key where account_id = ${account_id} and id = ${key.id} ${lock}`
      : sql`select from session where id = ${session_id} ${lock}`
  ).execute(tx)
  return rows.length > 0
}
