import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/app.ts'
import type { LiveSession } from '../sessions/live-session.ts'
import { countBatch } from '../batch.ts'
import { closeGateway } from '../end-sessions.ts'
import { keyOf } from '../batch-sessions.ts'
import { type MeterConnection, StaleSessions } from '../meter-connection.ts'
import type { MeterFigures } from '../meter-figures.ts'
import { type Reading, dayOf, isOfSession } from '../reading.ts'
import { SessionCache } from '../sessions/session-cache.ts'
import { BatchWorker, type Committed } from './batch-worker.ts'
import { type Done, ReadingQueue } from './reading-queue.ts'

/** `wallClock`: may be set back, as `clock` may not; the same unless given. `fastestLink`: bits per second. `committed` is called with every batch once it is committed. */
type Parts = {
  databaseUrl: string
  log: Logger
  clock: Clock
  wallClock?: Clock
  figures: MeterFigures
  fastestLink: number
  committed: (result: Committed) => void
}

/**
 * Takes readings one by one and commits them together: two workers over one queue, at batches of different sessions. One batch is made while the
 * other waits for the disk, and whatever arrives while both are under way is the next. Nothing is stored twice, because a repeated reading changes
 * nothing; nothing is given up while the database is away.
 */
export class Ingest {
  #queue = new ReadingQueue()
  #workers: BatchWorker[]
  #stopped = false

  constructor({ databaseUrl, log, clock, wallClock = clock, figures, fastestLink, committed }: Parts) {
    const shared = {
      queue: this.#queue,
      log,
      figures,
      count: countingWith({ clock, wallClock, figures, fastest: fastestLink / 8 }),
      committed,
      wake: () => this.#wake(),
      isGathering: () => this.#isGathering(),
      isAway: () => this.isAway,
      isStopped: () => this.#stopped,
    }
    this.#workers = [1, 2].map(() => new BatchWorker(databaseUrl, shared))
    figures.waiting = () => this.#queue.length
  }

  /** False when too much is waiting already: then `done` is never called. */
  add(reading: Reading, done: Done): boolean {
    if (this.#stopped || !this.#queue.add(reading, done)) return false
    this.#wake()
    return true
  }

  /** Nothing can be committed: what is asked to be waits for the database. */
  get isAway(): boolean {
    return this.#workers.every(({ isAway }) => isAway)
  }

  /** For feeds that bring many at once. Resolves when all are committed; rejects when one could not be, or the meter stops before. */
  async addAll(readings: readonly Reading[]): Promise<void> {
    let lost = 0
    const done: Done = (stored) => void (stored || lost++)
    for (const reading of readings) {
      while (!this.#stopped && this.#queue.isHalfFull) await pause(5)
      if (!this.add(reading, done)) break
    }
    await this.#idle()
    if (this.#stopped) throw new Error('The meter stopped before everything was counted')
    if (lost > 0) throw new Error(`${lost} of ${readings.length} readings could be neither counted nor kept`)
  }

  /** Commits what is waiting, unless the database is away, and closes the connections. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#idle()
    await Promise.all(this.#workers.map((worker) => worker.close()))
  }

  async #idle() {
    for (;;) {
      const busy = this.#workers.find(({ work }) => work !== undefined)
      if (!busy) return
      await busy.work
    }
  }

  #isGathering = () => this.#workers.some(({ isGathering }) => isGathering)

  #wake() {
    if (!this.#isGathering()) this.#workers.find(({ work }) => work === undefined)?.start()
  }
}

type Settings = { clock: Clock; wallClock: Clock; figures: MeterFigures; fastest: number }

/** Counts batches with one memory of sessions for all of them. */
function countingWith({ clock, wallClock, figures, fastest }: Settings) {
  const sessions = new SessionCache<LiveSession>()
  const count = async (db: MeterConnection, readings: readonly Reading[]): Promise<Committed> => {
    const [first] = readings
    if (first && !isOfSession(first)) {
      const closed = await closeGateway(db, first)
      sessions.forgetFrom(`${first.gateway_id}\u0001`)
      figures.effect(first.kind)
      return { counted: new Set(), sessions: closed, events: [] }
    }
    const today = dayOf(clock.now().getTime())
    const result = await countBatch(db, readings.filter(isOfSession), sessions, { today, now: wallClock.now(), fastest })
    for (const [effect, times] of result.effects) figures.effect(effect, times)
    return result
  }
  return (db: MeterConnection, readings: readonly Reading[]) =>
    count(db, readings).catch((error: unknown) => {
      // Where sessions were changed by somebody else, what is known of all others holds.
      if (error instanceof StaleSessions) sessions.forget(readings.filter(isOfSession).map(keyOf))
      else sessions.clear()
      throw error
    })
}
