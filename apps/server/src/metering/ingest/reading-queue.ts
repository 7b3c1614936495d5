import { nameOf } from '../batch-sessions.ts'
import { type Reading, isOfSession } from '../reading.ts'

const mostInBatch = 1000
const mostWaiting = 50_000 // a gateway sends again what we let fall

// To commit one reading costs the processor as much as to commit thirty more (docs/decisions/0023).
const enough = 32
const gatherFor = 20 // ms

/** Called once its reading is committed, or (`false`) given up: then it must not be answered. */
export type Done = (stored: boolean) => void
export type Waiting = { reading: Reading; done: Done; isSettled: boolean }

/** Readings in the order they came, and which of them may be counted now. */
export class ReadingQueue {
  #waiting: Waiting[] = []
  /** Names of the sessions of the batches under way: what else is said of them waits, whichever gateway says it. */
  #busy = new Set<string>()
  #underWay = new Set<readonly Waiting[]>()
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
   * The next batch: readings in order, but for those of sessions under way. An On or Off concerns sessions of every key of its gateway, so it is a
   * batch of its own, after all that its gateway said before and before all that it says after. Empty where nothing can be counted now.
   */
  take(): Waiting[] {
    const batch: Waiting[] = []
    const left: Waiting[] = []
    // Whose readings wait for an On or Off.
    const held = new Set([...this.#underWay].flatMap(([first]) => (first && !isOfSession(first.reading) ? [first.reading.gateway_id] : [])))
    let [at, busy] = [0, 0]
    for (; at < this.#waiting.length && batch.length < mostInBatch && busy < mostInBatch; at++) {
      const each = this.#waiting[at]!
      const { gateway_id } = each.reading
      if (held.has(gateway_id)) left.push(each)
      else if (!isOfSession(each.reading)) {
        if (batch.length === 0 && !isAmong(gateway_id, [left, ...this.#underWay])) {
          batch.push(each)
          at++
          break
        }
        held.add(gateway_id)
        left.push(each)
      } else if (this.#busy.has(nameOf(each.reading))) {
        busy++
        left.push(each)
      } else batch.push(each)
    }
    this.#waiting = left.concat(this.#waiting.slice(at))
    if (batch.length === 0) return batch
    for (const { reading } of batch) if (isOfSession(reading)) this.#busy.add(nameOf(reading))
    this.#underWay.add(batch)
    this.#nextBatchAt = batch.length > 1 ? performance.now() + gatherFor : 0
    return batch
  }

  /** A batch is over. What of it is not settled waits again, before all others. */
  giveBack(batch: readonly Waiting[]) {
    for (const { reading } of batch) if (isOfSession(reading)) this.#busy.delete(nameOf(reading))
    this.#underWay.delete(batch)
    this.#waiting.unshift(...batch.filter(({ isSettled }) => !isSettled))
  }
}

const isAmong = (gateway_id: string, batches: readonly (readonly Waiting[])[]) =>
  batches.some((batch) => batch.some(({ reading }) => reading.gateway_id === gateway_id))
