import type { Signal } from '@masthead/contract/kernel/live'
import { sessionChanged, usageCounted } from '@masthead/contract/signals'
import type { Db } from '../kernel/app.ts'
import { HoldRepeats } from '../kernel/live/hold-repeats.ts'
import { publishAll } from '../kernel/live/publish.ts'
import type { BatchResult } from './batch.ts'

const gather = 10 // ms: one statement for what several batches counted
const hold = 100 // ms

/** Notifies open consoles of what the meter counted, outside the path of a packet. */
export class LiveUpdates {
  #signals: HoldRepeats<readonly [account_id: string, signal: Signal]>

  constructor(db: Db) {
    this.#signals = new HoldRepeats({ gather, hold, send: (signals) => publishAll(db, signals).catch(() => {}) })
  }

  publish({ counted, sessions }: Pick<BatchResult, 'counted' | 'sessions'>) {
    for (const account_id of counted) this.#add(account_id, usageCounted)
    for (const account_id of sessions) this.#add(account_id, sessionChanged)
  }

  #add(account_id: string, signal: Signal) {
    this.#signals.add(`${account_id} ${signal.name}`, [account_id, signal])
  }

  stop = (): Promise<void> => this.#signals.stop()
}
