import { nameOf } from '../batch-sessions.ts'
import { type Reading, isOfSession } from '../reading.ts'

const mostInBatch = 1000
const mostWaiting = 50_000 // a gateway sends again what we let fall

// To commit one reading costs the processor as much as to commit thirty more (docs/decisions/0023).
const enough = 32
const gatherFor = 8 // ms

/** Called once its reading is committed, or (`false`) given up: then it must not be answered. */
export type Done = (stored: boolean) => void
export type Waiting = { reading: Reading; done: Done; isSettled: boolean }

/** Readings in the order they came, and which of them may be counted now. */
export class ReadingQueue {
  #waiting: Waiting[] = []
  /** Names of the sessions of the batches under way: what else is said of them waits, whichever gateway says it. */
  #busy = new Set<string>()
  /** An On or Off is under way. */
  #alone = false
  /** By `performance.now`: when the next batch may be taken. */
  #nextBatchAt = 0
  /** Ends the gathering under way. */
  #stopGathering: (() => void) | undefined

  get length(): number {
    return this.#waiting.length
  }

  /** For feeds that can wait: half of the room is theirs. */
  get isHalfFull(): boolean {
    return this.#waiting.length >= mostWaiting / 2
  }

  /** False when too much is waiting already: then `done` is never called. */
  add(reading: Reading, done: Done): boolean {
    if (this.#waiting.length >= mostWaiting) return false
    this.#waiting.push({ reading, done, isSettled: false })
    if (this.#waiting.length === enough) this.#stopGathering?.()
    return true
  }

  /**
   * Resolves when the next batch may be taken: some milliseconds after the one before, or once enough has come. A reading that
   * came alone has nobody wait: who sends the next one once it is answered would wait each time for nothing. For one at a time.
   */
  async gather(): Promise<void> {
    const wait = this.#nextBatchAt - performance.now()
    if (wait <= 0 || this.#waiting.length >= enough) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait)
      this.#stopGathering = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#stopGathering = undefined
  }

  /**
   * The next batch: readings in order, but for those of sessions under way. On and Off concern sessions of every key, so each is a batch of its
   * own, while nothing else is. Empty where nothing can be counted now.
   */
  take(): Waiting[] {
    const batch: Waiting[] = []
    if (this.#alone) return batch
    const left: Waiting[] = []
    let at = 0
    for (; at < this.#waiting.length && batch.length < mostInBatch && left.length < mostInBatch; at++) {
      const each = this.#waiting[at]!
      if (!isOfSession(each.reading)) {
        if (at > 0 || this.#busy.size > 0) break
        this.#alone = true
        batch.push(each)
        at++
        break
      }
      ;(this.#busy.has(nameOf(each.reading)) ? left : batch).push(each)
    }
    this.#waiting.splice(0, at, ...left)
    for (const { reading } of batch) this.#busy.add(nameOf(reading))
    if (batch.length > 0) this.#nextBatchAt = batch.length > 1 ? performance.now() + gatherFor : 0
    return batch
  }

  /** A batch is over. What of it is not settled waits again, before all others. */
  giveBack(batch: readonly Waiting[]) {
    for (const { reading } of batch) this.#busy.delete(nameOf(reading))
    this.#alone = false
    this.#waiting.unshift(...batch.filter(({ isSettled }) => !isSettled))
  }
}
