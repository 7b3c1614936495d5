import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../kernel/app.ts'
import { ensurePartitions } from '../usage/index.ts'
import { bySession, halvesOf, nameOf } from './batch-sessions.ts'
import type { LiveSession } from './batch-statements.ts'
import { type BatchResult, countBatch } from './batch.ts'
import { closeGateway } from './end-sessions.ts'
import { MeterConnection, faultOf } from './meter-connection.ts'
import type { MeterFigures } from './meter-figures.ts'
import { quarantineUnstorable } from './quarantine.ts'
import { type Reading, isOfSession, monthOf } from './reading.ts'
import { SessionCache } from './sessions/session-cache.ts'

const mostInBatch = 1000
const mostWaiting = 50_000 // a gateway sends again what we let fall
const reconnectEvery = 100 // ms

/** Called once its reading is committed, or (`false`) given up: then it must not be answered. */
type Done = (stored: boolean) => void
type Waiting = { reading: Reading; done: Done; isSettled: boolean }
type Committed = Pick<BatchResult, 'counted' | 'sessions'>

/** `fastestLink`: bits per second. */
type Parts = {
  databaseUrl: string
  log: Logger
  clock: Clock
  figures: MeterFigures
  fastestLink: number
  told: (result: Committed) => void
}

/** A connection and what it is at. `isAway`: when it last tried, it could not commit. */
type Worker = { db: MeterConnection; work: Promise<void> | undefined; isAway: boolean }

/** The partitions of a batch's days: one that waited for long, or comes from quarantine, may be of earlier ones. */
async function makeDays(db: MeterConnection, batch: readonly Waiting[]): Promise<void> {
  for (const { reading } of [batch[0]!, batch.at(-1)!]) {
    await ensurePartitions(await db.begin(), new Date(reading.received_at))
    await db.commit()
  }
}

/**
 * Takes readings one by one and commits them together, in two batches of different sessions at a time: one is made while the other waits for
 * the disk, and whatever arrives while both are under way is the next. Nothing is stored twice, because a repeated reading changes nothing;
 * nothing is given up while the database is away.
 */
export class Ingest {
  #workers: Worker[]
  #log: Logger
  #clock: Clock
  #figures: MeterFigures
  #told: Parts['told']
  #fastest: number
  #sessions = new SessionCache<LiveSession>()
  #waiting: Waiting[] = []
  /** Names of the sessions of the batches under way: what else is said of them waits, whichever gateway says it. */
  #busy = new Set<string>()
  /** An On or Off is under way. */
  #alone = false
  #stopped = false
  constructor({ databaseUrl, log, clock, figures, fastestLink, told }: Parts) {
    this.#workers = [1, 2].map(() => ({ db: new MeterConnection(databaseUrl), work: undefined, isAway: false }))
    this.#log = log
    this.#clock = clock
    this.#figures = figures
    this.#told = told
    this.#fastest = fastestLink / 8
  }

  /** False when too much is waiting already: then `done` is never called. */
  add(reading: Reading, done: Done): boolean {
    if (this.#stopped || this.#waiting.length >= mostWaiting) return false
    this.#waiting.push({ reading, done, isSettled: false })
    this.#figures.waiting = this.#waiting.length
    this.#wake()
    return true
  }

  /** Nothing can be committed: what is asked to be waits for the database. */
  get isAway(): boolean {
    return this.#isAway()
  }

  /** How long the first that waits has waited, in ms. */
  waitsFor(): number {
    const [first] = this.#waiting
    return first ? this.#clock.now().getTime() - first.reading.received_at : 0
  }

  /** For feeds that bring many at once. Resolves when all are committed; rejects when the meter stops before. */
  async addAll(readings: readonly Reading[]): Promise<void> {
    for (const reading of readings) {
      while (!this.#stopped && this.#waiting.length >= mostWaiting / 2) await pause(5)
      if (!this.add(reading, () => {})) break
    }
    await this.#idle()
    if (this.#stopped) throw new Error('The meter stopped before everything was counted')
  }

  /** Commits what is waiting, unless the database is away, and closes the connections. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#idle()
    await Promise.all(this.#workers.map(({ db }) => db.close()))
  }

  async #idle() {
    for (;;) {
      const busy = this.#workers.find(({ work }) => work !== undefined)
      if (!busy) return
      await busy.work
    }
  }

  #isAway = () => this.#workers.every(({ isAway }) => isAway)

  #wake() {
    const free = this.#workers.find(({ work }) => work === undefined)
    if (free) free.work = this.#settleAll(free)
  }

  async #settleAll(worker: Worker) {
    await Promise.resolve() // what came in the same turn joins the batch
    do {
      try {
        for (;;) {
          await worker.db.open()
          const batch = this.#nextBatch()
          if (batch.length === 0) {
            worker.isAway = false
            return void (worker.work = undefined) // what waits for a session of the other worker's is the other's
          }
          await this.#settleNext(worker, batch)
        }
      } catch (error) {
        await this.#lose(worker, error)
      }
    } while (this.#waiting.length > 0 && !(this.#stopped && worker.isAway))
    worker.work = undefined
  }

  /** Rejects when the worker has no connection any more; then what is not settled waits again, before all others. */
  async #settleNext(worker: Worker, batch: Waiting[]) {
    if (this.#waiting.length > 0) this.#wake()
    try {
      await this.#settleAllOf(worker, batch)
    } finally {
      for (const { reading } of batch) this.#busy.delete(nameOf(reading))
      this.#alone = false
      this.#waiting.unshift(...batch.filter(({ isSettled }) => !isSettled))
      this.#figures.waiting = this.#waiting.length
    }
  }

  /** Waits before the next try. What waits is the other worker's meanwhile: it may have a connection where there is not another one. */
  async #lose(worker: Worker, error: unknown) {
    this.#figures.failed('away')
    if (!worker.isAway) {
      worker.isAway = true
      const words = this.#isAway()
        ? 'the database is away; accounting waits and is not answered'
        : 'one of two connections cannot count and tries again'
      this.#log.warn({ err: error }, words)
    }
    this.#wake()
    await worker.db.close()
    await pause(reconnectEvery)
  }

  /** For what a worker is at, which no other can do better while this one gets its connection back. Rejects when it does not. */
  async #regain(worker: Worker, error: unknown) {
    await this.#lose(worker, error)
    if (this.#stopped) throw error
    await worker.db.open()
  }

  /**
   * The next readings in order, but for those of sessions under way. On and Off concern sessions of every key, so each is a batch of its own,
   * while nothing else is.
   */
  #nextBatch(): Waiting[] {
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
    return batch
  }

  /**
   * Settles a batch in which there may be readings that the database refuses, which must not hold up the others: its halves are tried in turn, and
   * then theirs, so that what is refused comes last. What is of one session stays in its order.
   */
  async #settleAllOf(worker: Worker, batch: readonly Waiting[]): Promise<void> {
    const error = await this.#settle(worker, batch)
    if (!error) return
    if (batch.length === 1) return this.#quarantine(worker, batch[0]!, error)
    const parts = halvesOf(bySession(batch))
    for (const part of parts) {
      const isOne = part.length === 1
      for (const each of isOne ? part[0]!.map((one) => [one]) : [part.flat()]) {
        const refusal = await this.#settle(worker, each)
        if (refusal && isOne) await this.#quarantine(worker, each[0]!, refusal)
        else if (refusal) parts.push(...halvesOf(part))
      }
    }
  }

  /** Commits a batch and answers it, however often it takes; resolves with the error when it always fails. Rejects when the connection is gone. */
  async #settle(worker: Worker, batch: readonly Waiting[]): Promise<Error | null> {
    const { db } = worker
    let result: Committed | undefined
    while (!result) {
      const started = performance.now()
      try {
        result = await this.#commit(db, batch)
        this.#figures.committed(batch.length, performance.now() - started)
      } catch (error) {
        const fault = faultOf(error)
        this.#sessions.clear()
        if (fault === 'away') {
          await this.#regain(worker, error)
          continue
        }
        this.#figures.failed(fault)
        await db.reset()
        if (fault === 'poison') return error as Error
        if (fault === 'partition') await makeDays(db, batch).catch(() => db.reset())
        await pause(Math.random() * 10)
      }
    }
    if (this.#isAway()) this.#log.info('the database is back, metering goes on')
    worker.isAway = false
    // Not where the batch may be tried again: it is committed, whatever becomes of its answers.
    for (const each of batch) this.#answer(each, true)
    this.#told(result)
    return null
  }

  #answer(waiting: Waiting, stored: boolean) {
    waiting.isSettled = true
    try {
      waiting.done(stored)
    } catch (error) {
      this.#log.error({ err: error }, 'accounting was settled, but not answered')
    }
  }

  async #commit(db: MeterConnection, batch: readonly Waiting[]): Promise<Committed> {
    const first = batch[0]!.reading
    if (!isOfSession(first)) {
      const sessions = await closeGateway(db, first)
      this.#sessions.clear()
      this.#figures.effect(first.kind)
      return { counted: new Set(), sessions }
    }
    const readings = batch.map(({ reading }) => reading).filter(isOfSession)
    const settings = { month: monthOf(this.#clock.now().getTime()), fastest: this.#fastest }
    const result = await countBatch(db, readings, this.#sessions, settings)
    for (const [effect, times] of result.effects) this.#figures.effect(effect, times)
    return result
  }

  /** Keeps a reading that the database refuses, or gives it up. */
  async #quarantine(worker: Worker, waiting: Waiting, error: Error): Promise<void> {
    const { db } = worker
    this.#figures.effect('unstorable')
    this.#log.error({ err: error, reading: waiting.reading }, 'a reading could not be stored and is quarantined')
    for (;;)
      try {
        await quarantineUnstorable(await db.begin(), waiting.reading, error)
        await db.commit()
        return this.#answer(waiting, true)
      } catch (refused) {
        if (faultOf(refused) === 'away') {
          await this.#regain(worker, refused)
          continue
        }
        await db.reset()
        this.#log.error({ err: refused }, 'nor could it be quarantined; it stays unanswered')
        return this.#answer(waiting, false)
      }
  }
}
