import { sql } from 'kysely'
import type { Db } from '../kernel/app.ts'
import { liveChannel } from '../kernel/live/live.ts'
import type { BatchResult } from './batch.ts'

const gatheredFor = 50 // ms: one statement for what many batches counted
const repeatedAfter = 500 // ms: an account hears of a name about twice a second

/** Tells open consoles what the meter counted, beside the hot path and never in its way. */
export class LiveUpdates {
  #db: Db
  #waiting = new Set<string>()
  /** Names that were said since the last `repeatedAfter`. */
  #said = new Set<string>()
  #timers: NodeJS.Timeout[]
  #sending = false

  constructor(db: Db) {
    this.#db = db
    this.#timers = [setInterval(() => void this.#saySome(), gatheredFor), setInterval(() => this.#said.clear(), repeatedAfter)]
  }

  tell({ counted, sessions }: Pick<BatchResult, 'counted' | 'sessions'>) {
    for (const account_id of counted) this.#waiting.add(`${account_id} usage.counted`)
    for (const account_id of sessions) this.#waiting.add(`${account_id} assets.session_changed`)
  }

  /** What was not said just now; the rest waits. */
  async #saySome(): Promise<void> {
    if (this.#sending) return
    const names = [...this.#waiting].filter((name) => !this.#said.has(name))
    if (names.length === 0) return
    this.#sending = true
    for (const name of names) {
      this.#waiting.delete(name)
      this.#said.add(name)
    }
    await sql`select pg_notify(${liveChannel}, name) from unnest(${names}::text[]) as n(name)`.execute(this.#db).catch(() => {})
    this.#sending = false
  }

  async flush(): Promise<void> {
    this.#said.clear()
    await this.#saySome()
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.flush()
  }
}
