import { sql } from 'kysely'
import type { AppDb } from '../kernel/app.ts'

/** For how long a commit shows that the database takes what it is given, in milliseconds. */
const provesFor = 10_000
const mostWaiting = 1000

type Parts = {
  /** Rejects, or answers false, where the database takes nothing. */
  probe: () => Promise<boolean>
  /** Accounting waits because it cannot be committed: its own tries show when that is over, and nothing else does. */
  isAway: () => boolean
  /** Milliseconds, of a clock that never jumps. */
  now?: () => number
}

/** Whether the database takes what is written to it: a commit, or a probe made when somebody asks, succeeded within 10 s. */
export class DatabaseProof {
  #probe: () => Promise<boolean>
  #isAway: () => boolean
  #now: () => number
  #provedAt = -Infinity
  #asking: Promise<void> | undefined
  #waiting = 0

  constructor({ probe, isAway, now = () => performance.now() }: Parts) {
    this.#probe = probe
    this.#isAway = isAway
    this.#now = now
  }

  /** Something was committed. */
  committed() {
    this.#provedAt = this.#now()
  }

  /** Asks the database where nothing was committed for a while, once for all who ask meanwhile. Never rejects. */
  async isGood(): Promise<boolean> {
    if (this.#isProved()) return true
    if (this.#isAway() || this.#waiting >= mostWaiting) return false
    this.#waiting++
    const asked = this.#now()
    await (this.#asking ??= this.#ask())
    this.#waiting--
    return this.#isProved() && this.#now() - asked < provesFor
  }

  #isProved = () => this.#now() - this.#provedAt < provesFor

  async #ask(): Promise<void> {
    try {
      if (await this.#probe()) this.committed()
    } catch {
      // it does not
    } finally {
      this.#asking = undefined
    }
  }
}

/** A transaction with a number, which a database that is read only, or a standby, does not give. */
export async function probeDatabase(db: AppDb): Promise<boolean> {
  const probe = sql`select pg_current_xact_id() where current_setting('transaction_read_only') = 'off'`
  const { rows } = await db.transaction().execute((tx) => probe.execute(tx))
  return rows.length > 0
}
