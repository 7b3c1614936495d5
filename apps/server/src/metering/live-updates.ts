import { sql } from 'kysely'
import type { Db } from '../kernel/app.ts'
import { liveChannel } from '../kernel/live.ts'
import type { BatchResult } from './batch.ts'

const every = 500 // ms: an account hears of a name at most twice a second

/** Tells open consoles what the meter counted, beside the hot path and never in its way. */
export class LiveUpdates {
  #db: Db
  #waiting = new Set<string>()
  #timer: NodeJS.Timeout
  #sending = false

  constructor(db: Db) {
    this.#db = db
    this.#timer = setInterval(() => void this.flush(), every)
  }

  tell({ counted, sessions }: Pick<BatchResult, 'counted' | 'sessions'>) {
    for (const account_id of counted) this.#waiting.add(`${account_id} usage.counted`)
    for (const account_id of sessions) this.#waiting.add(`${account_id} assets.session_changed`)
  }

  async flush(): Promise<void> {
    if (this.#waiting.size === 0 || this.#sending) return
    this.#sending = true
    const names = [...this.#waiting]
    this.#waiting.clear()
    await sql`select pg_notify(${liveChannel}, name) from unnest(${names}::text[]) as n(name)`.execute(this.#db).catch(() => {})
    this.#sending = false
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}
