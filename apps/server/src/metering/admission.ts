import type { OnNetwork } from '@masthead/contract/network-groups/rules'
import type { Clock } from '../kernel/app.ts'
import { type AccessAnswer, answerAccess } from './access-rules.ts'
import { textArray } from './parts/columns.ts'
import { MeterConnection, type Statement } from './meter-connection.ts'
import { type FoundSim, findSimsOf, imsiOfUserName } from './meter-sims.ts'
import { type Identity, dayOf } from './reading.ts'
import type { ConnectionEvent, ConnectionEvents } from './connections/connection-events.ts'

const mostInBatch = 500
const mostWaiting = 10_000

const findStock: Statement = {
  name: 'find_stock',
  text: `select k.imsi from unnest($1::text[]) as k(imsi) where exists (select from inventory i where i.imsis @> array[k.imsi] and i.asset_id is null)`,
}

/** Called once; with null when nobody can say, as the database is away. */
type Answer = (answer: AccessAnswer | null) => void
/** Who asks, from which network and by which gateway. */
export type AccessRequest = Identity & OnNetwork & { gateway: string }
type Waiting = { request: AccessRequest; answer: Answer }

/** Decides Access-Requests, those that come together in one look-up. While the database is away nobody is answered. */
export class Admission {
  #db: MeterConnection
  #clock: Clock
  #events: ConnectionEvents
  #waiting: Waiting[] = []
  #work: Promise<void> | undefined

  constructor({ databaseUrl, clock, events }: { databaseUrl: string; clock: Clock; events: ConnectionEvents }) {
    this.#events = events
    this.#db = new MeterConnection(databaseUrl)
    this.#clock = clock
  }

  /** False when too many wait already. */
  ask(request: AccessRequest, answer: Answer): boolean {
    if (this.#waiting.length >= mostWaiting) return false
    this.#waiting.push({ request, answer })
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
    const at = this.#clock.now().getTime()
    const simOf = await findSimsOf(
      this.#db,
      batch.map(({ request }) => request),
      dayOf(at)
    )
    const found = batch.map((waiting) => ({ ...waiting, sim: simOf(waiting.request) }))
    const missing = found.flatMap(({ sim, request }) => (sim ? [] : (imsiOf(request) ?? [])))
    const rows = missing.length > 0 ? await this.#db.run<[string]>(findStock, [textArray(missing)]) : []
    const stock = new Set(rows.map(([imsi]) => imsi))
    for (const { request, sim, answer } of found) {
      const { mccmnc, rat } = request
      const said = answerAccess(sim, { mccmnc, rat, inStock: stock.has(imsiOf(request) ?? '') })
      answer(said)
      if (sim) this.#events.add(eventOf(sim, request, said, at))
    }
  }
}

const imsiOf = ({ imsi, user_name }: Identity) => imsi ?? imsiOfUserName(user_name)

function eventOf({ account_id, id: sim_id, asset_id }: FoundSim, request: AccessRequest, said: AccessAnswer, at: number): ConnectionEvent {
  const { mccmnc, rat, gateway } = request
  const own = { account_id, sim_id, asset_id, at, mccmnc, rat, gateway, before: null, after: null }
  const key = `${said.cause} ${mccmnc ?? ''} ${rat ?? ''}`
  return said.accept ? { ...own, kind: 'accepted', key, words: null } : { ...own, kind: 'rejected', key, words: said.words }
}
