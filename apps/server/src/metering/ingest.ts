import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type BatchResult, countBatch } from './batch.ts'
import { closeGateway } from './close-sessions.ts'
import { MeterConnection, begin, commit, faultOf } from './meter-connection.ts'
import type { MeterFigures } from './meter-figures.ts'
import { quarantineUnstorable } from './quarantine.ts'
import type { Reading } from './reading.ts'
import { ensurePartitions } from './record-keeping.ts'
import { SessionCache } from './session-cache.ts'

const mostInBatch = 1000
const mostWaiting = 50_000 // a gateway sends again what we let fall
const reconnectEvery = 100 // ms

/** Called once its reading is committed, or (`false`) given up: then it must not be answered. */
type Done = (stored: boolean) => void
type Waiting = { reading: Reading; done: Done }
type Told = (result: Pick<BatchResult, 'counted' | 'sessions'>) => void

/**
 * Takes readings one by one and commits them together: whatever arrives while one batch commits is the next batch.
 * Nothing is stored twice, because a repeated reading changes nothing; nothing is given up while the database is away.
 */
export class Ingest {
  #db: MeterConnection
  #log: Logger
  #figures: MeterFigures
  #told: Told
  #sessions = new SessionCache()
  #waiting: Waiting[] = []
  #work: Promise<void> | undefined
  #stopped = false
  #away = false

  constructor({ databaseUrl, log, figures, told }: { databaseUrl: string; log: Logger; figures: MeterFigures; told: Told }) {
    this.#db = new MeterConnection(databaseUrl)
    this.#log = log
    this.#figures = figures
    this.#told = told
  }

  /** False when too much is waiting already: then `done` is never called. */
  add(reading: Reading, done: Done): boolean {
    if (this.#stopped || this.#waiting.length >= mostWaiting) return false
    this.#waiting.push({ reading, done })
    this.#work ??= this.#settleAll()
    return true
  }

  /** For feeds that bring many at once. Resolves when all are committed; rejects when the meter stops before. */
  async addAll(readings: readonly Reading[]): Promise<void> {
    for (const reading of readings) {
      while (!this.#stopped && this.#waiting.length >= mostWaiting / 2) await pause(5)
      if (!this.add(reading, () => {})) break
    }
    await this.#work
    if (this.#stopped) throw new Error('The meter stopped before everything was counted')
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Commits what is waiting, unless the database is away, and closes the connection. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#work
    await this.#db.close()
  }

  async #settleAll() {
    await Promise.resolve() // what came in the same turn joins the batch
    for (;;) {
      const batch = this.#nextBatch()
      if (batch.length === 0) break
      this.#figures.waiting = this.#waiting.length
      await this.#settle(batch)
      if (this.#stopped && this.#away) break
    }
    this.#work = undefined
  }

  /** The next readings in order. On and Off concern sessions of every key, so each is a batch of its own. */
  #nextBatch(): Waiting[] {
    const end = this.#waiting.slice(0, mostInBatch).findIndex(({ reading }) => reading.kind === 'on' || reading.kind === 'off')
    return this.#waiting.splice(0, end < 0 ? mostInBatch : Math.max(1, end))
  }

  /** Commits a batch and answers it, whatever it takes. Only a stop while the database is away leaves it unanswered. */
  async #settle(batch: readonly Waiting[]): Promise<void> {
    for (;;) {
      const started = performance.now()
      try {
        await this.#db.open()
        const result = await this.#commit(batch)
        this.#figures.committed(batch.length, performance.now() - started)
        if (this.#away) this.#log.info('the database is back, metering goes on')
        this.#away = false
        for (const { done } of batch) done(true)
        this.#told(result)
        return
      } catch (error) {
        const fault = faultOf(error)
        this.#figures.failed(fault)
        this.#sessions.clear()
        // A new connection also knows a changed schema.
        await (fault === 'away' ? this.#db.close() : this.#db.reset())
        if (fault === 'partition') await ensurePartitions(this.#db.tx, new Date(batch.at(-1)!.reading.received_at)).catch(() => {})
        else if (fault === 'poison') return await this.#bisect(batch, error)
        else if (fault === 'away') {
          if (!this.#away) this.#log.warn({ err: error }, 'the database is away; accounting waits and is not answered')
          this.#away = true
          if (this.#stopped) return
          await pause(reconnectEvery)
        } else await pause(Math.random() * 10) // another meter was at the same session
      }
    }
  }

  async #commit(batch: readonly Waiting[]): Promise<Pick<BatchResult, 'counted' | 'sessions'>> {
    const first = batch[0]!.reading
    if (first.kind === 'on' || first.kind === 'off') {
      this.#figures.effect(first.kind)
      this.#sessions.clear()
      return { counted: new Set(), sessions: await closeGateway(this.#db, first) }
    }
    const result = await countBatch(
      this.#db,
      batch.map(({ reading }) => reading),
      this.#sessions
    )
    for (const [effect, times] of result.effects) this.#figures.effect(effect, times)
    return result
  }

  /** One reading that the database refuses must not hold up the others. */
  async #bisect(batch: readonly Waiting[], error: unknown): Promise<void> {
    if (batch.length > 1) {
      const middle = batch.length >> 1
      await this.#settle(batch.slice(0, middle))
      await this.#settle(batch.slice(middle))
      return
    }
    const [{ reading, done }] = batch as [Waiting]
    this.#figures.effect('unstorable')
    this.#log.error({ err: error, reading }, 'a reading could not be stored and is quarantined')
    try {
      await this.#db.open()
      await this.#db.run(begin)
      await quarantineUnstorable(this.#db.tx, reading, error)
      await this.#db.run(commit)
      done(true)
    } catch (refused) {
      await this.#db.reset()
      done(false)
      this.#log.error({ err: refused }, 'nor could it be quarantined; it stays unanswered')
    }
  }
}
