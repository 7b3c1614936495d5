import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ensurePartitions } from '../../usage/index.ts'
import type { BatchResult } from '../batch.ts'
import { MeterConnection, faultOf } from '../meter-connection.ts'
import type { MeterFigures } from '../meter-figures.ts'
import { quarantineUnstorable } from '../quarantine.ts'
import { dayOf, type Reading } from '../reading.ts'
import type { ReadingQueue, Waiting } from './reading-queue.ts'
import { settleByHalves } from './settle-by-halves.ts'

const reconnectEvery = 100 // ms

/** What a batch brought that others are notified of. */
export type Committed = Pick<BatchResult, 'counted' | 'sessions' | 'events'>

/** What the workers of an ingest share. */
export type Shared = {
  queue: ReadingQueue
  log: Logger
  figures: MeterFigures
  /** Counts readings in one transaction. After a rejection nothing is remembered of their sessions. */
  count: (db: MeterConnection, readings: readonly Reading[]) => Promise<Committed>
  committed: (result: Committed) => void
  /** Has a worker that is idle take what waits, unless one is about to. */
  wake: () => void
  /** A worker is about to take a batch, and takes all that waits. */
  isGathering: () => boolean
  /** No worker can commit. */
  isAway: () => boolean
  isStopped: () => boolean
}

/** Takes batches and settles them, one after the other, on a connection of its own. Nothing is given up while the database is away. */
export class BatchWorker {
  /** When it last tried, it could not commit. */
  isAway = false
  /** It is about to take a batch: it has a connection, and all that waits. */
  isGathering = false
  /** Until nothing is left that it could count. */
  work: Promise<void> | undefined
  #db: MeterConnection
  #shared: Shared

  constructor(databaseUrl: string, shared: Shared) {
    this.#db = new MeterConnection(databaseUrl)
    this.#shared = shared
  }

  start() {
    this.work = this.#settleAll()
  }

  close = () => this.#db.close()

  async #settleAll() {
    const { queue, isStopped } = this.#shared
    await Promise.resolve() // what came in the same turn joins the batch
    do {
      try {
        for (let batch; (batch = await this.#nextBatch()).length > 0;) await this.#settleNext(batch)
        this.isAway = false
        break // what waits for a session of the other worker's is the other's
      } catch (error) {
        await this.#lose(error)
      }
    } while (queue.length > 0 && !(isStopped() && this.isAway))
    this.work = undefined
  }

  /** Empty where there is nothing to do, or the other worker is about to take it. Rejects when there is no connection. */
  async #nextBatch(): Promise<Waiting[]> {
    const { queue, isGathering, isStopped } = this.#shared
    await this.#db.open()
    if (isGathering()) return []
    this.isGathering = true
    if (!isStopped()) await queue.gather()
    this.isGathering = false
    return queue.take()
  }

  /** Rejects when there is no connection any more; then what is not settled waits again. */
  async #settleNext(batch: Waiting[]) {
    const { queue, wake } = this.#shared
    if (queue.length > 0) wake()
    try {
      await settleByHalves(batch, {
        settle: (part) => this.#settle(part),
        refuse: (waiting, error) => this.#quarantine(waiting, error),
      })
    } finally {
      queue.giveBack(batch)
    }
  }

  /** Waits before the next try. What waits is the other worker's meanwhile: it may have a connection where there is not another one. */
  async #lose(error: unknown) {
    const { figures, log, wake, isAway } = this.#shared
    figures.failed('away')
    if (!this.isAway) {
      this.isAway = true
      const words = isAway()
        ? 'the database is away; accounting waits and is not answered'
        : 'one of two connections cannot count and tries again'
      log.warn({ err: error }, words)
    }
    wake()
    await this.#db.close()
    await pause(reconnectEvery)
  }

  /** For what this worker is at, which the other can do no better while this one gets its connection back. Rejects when it does not. */
  async #regain(error: unknown) {
    await this.#lose(error)
    if (this.#shared.isStopped()) throw error
    await this.#db.open()
  }

  /** Commits readings and answers them, however often it takes; resolves with the error when they always fail. Rejects when the connection is gone. */
  async #settle(batch: readonly Waiting[]): Promise<Error | null> {
    const { log, figures, count, isAway, committed } = this.#shared
    const readings = batch.map(({ reading }) => reading)
    let result: Committed | undefined
    while (!result) {
      const started = performance.now()
      try {
        result = await count(this.#db, readings)
        figures.committed(batch.length, performance.now() - started)
      } catch (error) {
        const fault = faultOf(error)
        if (fault === 'away') {
          await this.#regain(error)
          continue
        }
        figures.failed(fault)
        await this.#db.reset()
        if (fault === 'poison') return error as Error
        if (fault === 'partition') await makeDays(this.#db, readings).catch(() => this.#db.reset())
        await pause(Math.random() * 10)
      }
    }
    if (isAway()) log.info('the database is back, metering goes on')
    this.isAway = false
    // Not where the batch may be tried again: it is committed, whatever becomes of its answers.
    for (const each of batch) this.#answer(each, true)
    committed(result)
    return null
  }

  #answer(waiting: Waiting, stored: boolean) {
    waiting.isSettled = true
    try {
      waiting.done(stored)
    } catch (error) {
      this.#shared.log.error({ err: error }, 'accounting was settled, but not answered')
    }
  }

  /** Keeps a reading that the database refuses, or gives it up. */
  async #quarantine(waiting: Waiting, error: Error): Promise<void> {
    const { log, figures } = this.#shared
    figures.effect('unstorable')
    log.error({ err: error, reading: waiting.reading }, 'a reading could not be stored and is quarantined')
    for (;;)
      try {
        await quarantineUnstorable(await this.#db.begin(), waiting.reading, error)
        await this.#db.commit()
        return this.#answer(waiting, true)
      } catch (refused) {
        if (faultOf(refused) === 'away') {
          await this.#regain(refused)
          continue
        }
        await this.#db.reset()
        log.error({ err: refused }, 'nor could it be quarantined; it stays unanswered')
        return this.#answer(waiting, false)
      }
  }
}

/** The partitions of a batch's days: one that waited for long, or comes from quarantine, may be of earlier ones. */
async function makeDays(db: MeterConnection, readings: readonly Reading[]): Promise<void> {
  const days = new Map(readings.map(({ received_at }) => [dayOf(received_at), received_at]))
  for (const received_at of days.values()) {
    await ensurePartitions(await db.begin(), new Date(received_at))
    await db.commit()
  }
}
