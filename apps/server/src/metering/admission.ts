import type { Clock } from '../kernel/app.ts'
import { type AccessAnswer, answerAccess } from './access-rules.ts'
import { textArray } from './parts/columns.ts'
import { MeterConnection, type Statement } from './meter-connection.ts'
import { findSimsOf, imsiOfUserName } from './meter-sims.ts'
import { type Identity, dayOf } from './reading.ts'

const mostInBatch = 500
const mostWaiting = 10_000

const findStock: Statement = {
  name: 'find_stock',
  text: `select k.imsi from unnest($1::text[]) as k(imsi) where exists (select from inventory i where i.imsis @> array[k.imsi] and i.asset_id is null)`,
}

/** Called once; with null when nobody can say, as the database is away. */
type Answer = (answer: AccessAnswer | null) => void
type Waiting = { identity: Identity; answer: Answer }

/** Decides Access-Requests, those that come together in one look-up. While the database is away nobody is answered. */
export class Admission {
  #db: MeterConnection
  #clock: Clock
  #waiting: Waiting[] = []
  #work: Promise<void> | undefined

  constructor({ databaseUrl, clock }: { databaseUrl: string; clock: Clock }) {
    this.#db = new MeterConnection(databaseUrl)
    this.#clock = clock
  }

  /** False when too many wait already. */
  ask(identity: Identity, answer: Answer): boolean {
    if (this.#waiting.length >= mostWaiting) return false
    this.#waiting.push({ identity, answer })
    this.#work ??= this.#answerAll()
    return true
  }

  async stop(): Promise<void> {
    await this.#work
    await this.#db.close()
  }

  async #answerAll() {
    await Promise.resolve() // what came in the same turn joins
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, mostInBatch)
      try {
        await this.#db.open()
        await this.#answer(batch)
      } catch {
        // Unanswered: the gateway asks again, or another of our kind.
        await this.#db.close()
        for (const { answer } of batch) answer(null)
      }
    }
    this.#work = undefined
  }

  async #answer(batch: readonly Waiting[]) {
    const simOf = await findSimsOf(
      this.#db,
      batch.map(({ identity }) => identity),
      dayOf(this.#clock.now().getTime())
    )
    const found = batch.map((waiting) => ({ ...waiting, sim: simOf(waiting.identity) }))
    const missing = found.flatMap(({ sim, identity }) => (sim ? [] : (imsiOf(identity) ?? [])))
    const rows = missing.length > 0 ? await this.#db.run<[string]>(findStock, [textArray(missing)]) : []
    const stock = new Set(rows.map(([imsi]) => imsi))
    for (const { identity, sim, answer } of found) answer(answerAccess(sim, stock.has(imsiOf(identity) ?? '')))
  }
}

const imsiOf = ({ imsi, user_name }: Identity) => imsi ?? imsiOfUserName(user_name)
