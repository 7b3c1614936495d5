import type { Clock } from '../../kernel/app.ts'
import { type AccessAnswer, answerAccess } from './access-rules.ts'
import { textArray } from '../../kernel/array-literals.ts'
import { MeterConnection, type Statement } from '../meter-connection.ts'
import { seeDevices } from '../../assets/service/index.ts'
import { type FoundSim, findSimsOf, imsiOfUserName, isNewDevice } from '../meter-sims.ts'
import { findPoolAllowances } from './pool-allowance.ts'
import { type AccessRequest, type Identity, dayOf } from '../reading.ts'
import type { ConnectionEvent, ConnectionEvents } from '../connections/connection-events.ts'

const mostInBatch = 500
const mostWaiting = 10_000

const findStock: Statement = {
  name: 'find_stock',
  text: `select k.imsi from unnest($1::text[]) as k(imsi) where exists (select from inventory i where i.imsis @> array[k.imsi] and i.asset_id is null)`,
}

/** Called once; with null when nobody can say, as the database is away. */
type Answer = (answer: AccessAnswer | null) => void
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
    const today = dayOf(at)
    const simOf = await findSimsOf(
      this.#db,
      batch.map(({ request }) => request),
      today
    )
    const found = batch.map((waiting) => ({ ...waiting, sim: simOf(waiting.request) }))
    const missing = found.flatMap(({ sim, request }) => (sim ? [] : (imsiOf(request) ?? [])))
    const rows = missing.length > 0 ? await this.#db.run<[string]>(findStock, [textArray(missing)]) : []
    const stock = new Set(rows.map(([imsi]) => imsi))
    const pooled = found.flatMap(({ sim, request }) => (sim?.in_pool ? [{ ...sim, mccmnc: request.mccmnc }] : []))
    const allowanceOf = await findPoolAllowances(this.#db, pooled, today)
    const reply = ({ request, sim, answer }: (typeof found)[number]) => {
      const { mccmnc, rat, imei } = request
      const pools = sim?.in_pool ? allowanceOf({ ...sim, mccmnc }) : { limit: null, used: 0 }
      const said = answerAccess(sim, { mccmnc, rat, imei, pools, inStock: stock.has(imsiOf(request) ?? '') })
      answer(said)
      if (sim) this.#events.add(eventOf(sim, request, said, at))
    }
    // A block that comes or goes with the device is written before the answer: the session that follows would be cut for it.
    const { true: held = [], false: others = [] } = Object.groupBy(found, ({ sim, request }) => `${decidesAnew(sim, request)}` as const)
    for (const each of others) reply(each)
    if (held.length === 0) return
    const isSeen = await this.#see(held.map(({ sim, request }) => ({ account_id: sim!.account_id, sim_id: sim!.id, imei: request.imei! })))
    for (const each of held) {
      if (isSeen) reply(each)
      else each.answer(null)
    }
  }

  async #see(seen: Parameters<typeof seeDevices>[1]): Promise<boolean> {
    try {
      await seeDevices(await this.#db.begin(), seen, this.#clock.now())
      await this.#db.commit()
      return true
    } catch {
      await this.#db.reset()
      return false
    }
  }
}

/** Of a locked SIM: the device that asks is another one than the last, or decides otherwise. What a lock learns it learns from a session. */
const decidesAnew = (sim: FoundSim | null, { imei }: AccessRequest) =>
  sim !== null && imei !== null && sim.imei_lock === 'lock' && sim.imeis.length > 0 && isNewDevice(sim, imei)

const imsiOf = ({ imsi, user_name }: Identity) => imsi ?? imsiOfUserName(user_name)

function eventOf({ account_id, id: sim_id, asset_id }: FoundSim, request: AccessRequest, said: AccessAnswer, at: number): ConnectionEvent {
  const { mccmnc, rat, gateway } = request
  const own = { account_id, sim_id, asset_id, at, mccmnc, rat, gateway, before: null, after: null }
  // One reason after the other within an hour: each is counted by itself.
  const key = `${said.accept ? said.cause : said.reason} ${mccmnc ?? ''} ${rat ?? ''}`
  if (said.accept) return { ...own, kind: 'accepted', key, words: null }
  return { ...own, kind: 'rejected', key, words: said.own_words ?? said.words }
}
