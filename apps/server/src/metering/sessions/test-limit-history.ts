import { sql } from 'kysely'
import { expect } from 'vitest'
import { moveSims } from '../../network-groups/index.ts'
import { endPool, growPool } from '../../backoffice/pools/customer-pools.ts'
import { updateDataPool } from '../../datapools/change-pool.ts'
import { wakeEnded } from '../../datapools/follow-pools.ts'
import { addPoolAssets, removePoolAssets } from '../../datapools/pool-members.ts'
import { resetSessions } from '../../assets/service/index.ts'
import { renewDuePools } from '../../datapools/renew-pools.ts'
import { putPool } from '../../datapools/test-pools.ts'
import { type Actor, systemActor, type Tx } from '../../kernel/app.ts'
import { rollUpAll } from '../../usage/roll-ups/test-roll-up-all.ts'
import { clearDataLimits } from '../data-limit.ts'
import { raiseSimLimits, setLimit, setSimLimits } from '../set-limit.ts'
import { correct, undo } from './test-limit-corrections.ts'
import { countedBy, unequalTerms } from './test-limit-totals.ts'
import { type MeteredHouse, newSim, readingOf, stored, type TestSim } from '../test-network.ts'
import type { Reading } from './test-slow-meter.ts'
import { type Done, type SlowLimit, type SlowPool, SlowLimits, termDays } from './test-slow-limits.ts'
import { type Opened, ordersOf, overage, type Report, sims, type Step } from './test-limit-steps.ts'

export const began = Date.parse('2026-11-28T10:00:00Z')

/** One history: what was done of it, and the product that did it. */
export class History {
  readonly #house: MeteredHouse
  /** Of staff. */
  readonly #staff: Omit<Actor, 'at'>
  done: Done[] = []
  #right: { done: Done[]; taken: number; limits: SlowLimits } | undefined
  /** What may have been done instead: reports that came at the same moment count in one order or another. */
  others: Done[][] = []
  now = began
  noticed = began
  owner!: Awaited<ReturnType<MeteredHouse['newOwner']>>
  sims!: TestSim[]
  pools!: SlowPool[]
  /** Ids of what was corrected, in the order in which the reference made it. */
  corrections: string[] = []
  sessions = new Map<string, { id: string; said: Reading[]; behind: number }>()

  constructor(house: MeteredHouse, staff: Omit<Actor, 'at'>) {
    this.#house = house
    this.#staff = staff
  }

  async open(given: readonly Opened[]) {
    await this.#setBack()
    this.#house.clock.set(new Date(this.now))
    this.owner = await this.#house.newOwner('model')
    this.sims = []
    for (let i = 0; i < sims; i++) this.sims.push(await newSim(this.#house, this.owner))
    await sql`update sim set created_at = '2026-01-01' where account_id = ${this.owner.account_id}`.execute(this.#house.db)
    this.pools = []
    for (const { zone, dynamic, unit, priority, most_over } of given) {
      const { overage_policy, overage_percent = null } = { overage_percent: undefined, ...overage(most_over) }
      const id = await putPool(this.#house, this.owner, {
        kind: dynamic ? 'dynamic' : 'fixed',
        size_bytes: unit,
        zone,
        priority,
        validity_count: termDays,
        validity_unit: 'day',
        overage_policy,
        overage_percent: overage_percent ?? null,
      })
      this.pools.push({ id, zone, dynamic, unit, priority, most_over })
    }
    for (const [i, { members }] of given.entries()) for (const member of members) await this.take({ do: 'join', sim: member, pool: i })
  }

  /** The history before may have ended on a later day. The meter's clock would wait for that day to come again; set back by more than a day, it follows. */
  async #setBack() {
    this.#house.clock.set(new Date(began - 2 * 86_400_000))
    await stored(this.#house, readingOf(this.#house, { imsi: 'of nobody' }))
  }

  /** The reference, which takes what was done since it was last asked. */
  get right() {
    const { done } = this
    if (this.#right?.done !== done) this.#right = { done, taken: 0, limits: SlowLimits.of([], { sims, pools: this.pools, began }) }
    const { limits } = this.#right
    while (this.#right.taken < done.length) limits.take(done[this.#right.taken++]!)
    return limits
  }
  write = <Answer>(work: (tx: Tx) => Promise<Answer>) => this.#house.app.db.transaction().execute(work)
  simOf = (number: number) => ({ account_id: this.owner.account_id, sim_id: this.sims[number]!.id })
  at = () => new Date(this.now)

  /** What a gateway says next of a session, in the order in which it arrives. */
  say({ sim: number, slot, how, seconds, bytes: more, network, earlier, behind }: Report): Done[] {
    const key = `${number} ${slot}`
    const session = this.sessions.get(key) ?? {
      id: `m${number}-${slot}-${this.sessions.size}-${this.done.length}`,
      said: [],
      behind: behind * 3_600_000,
    }
    this.sessions.set(key, session)
    const { said } = session
    const next = (kind: Reading['kind'] = 'interim') => {
      this.now += seconds * 1000
      const [last, at] = [said.at(-1), this.now - session.behind]
      const time = (last?.time ?? 0) + (last ? Math.floor((at - last.at) / 1000) : seconds)
      const reading: Reading = {
        kind,
        at,
        timed: true,
        arrival: this.now,
        time,
        up: (last?.up ?? 0) + more,
        down: 0,
        wide: false,
      }
      said.push(reading)
      return reading
    }
    const reading =
      how === 'again' && said.length > 0
        ? [{ ...said.at(-1 - (earlier % said.length))!, arrival: this.now }]
        : how === 'swapped'
          ? [next(), next()].toReversed().map((each) => ({ ...each, arrival: this.now }))
          : [next(how === 'stop' ? 'stop' : 'interim')]
    if (how === 'stop') this.sessions.delete(key)
    this.#house.clock.set(this.at())
    return reading.map((each) => ({ do: 'report', sim: number, session: session.id, network, reading: each }))
  }

  receive = ({ sim: number, session, network, reading }: Done & { do: 'report' }) =>
    stored(
      this.#house,
      readingOf(this.#house, this.sims[number]!, {
        nas: `n-${this.owner.account_id}`,
        acct_session_id: session,
        kind: reading.kind,
        event_at: reading.at,
        received_at: reading.arrival,
        session_time: reading.time,
        counter_up: reading.up,
        mccmnc: network,
        rat: 'LTE',
      })
    )

  async take(one: Step) {
    const { account_id } = this.owner
    const customer = systemActor(account_id, this.at())
    switch (one.do) {
      case 'report':
        for (const each of this.say(one.of)) {
          await this.receive(each as Done & { do: 'report' })
          this.done.push(each)
        }
        return
      case 'at once': {
        // Each has its own session, and one that is said twice is received in its order.
        const said = one.all
          .map((each) => this.say(each))
          .map((own) => own.map((each) => ({ ...each, reading: { ...(each as Done & { do: 'report' }).reading, arrival: this.now } })))
        const given = said as (Done & { do: 'report' })[][]
        await Promise.all(given.map((own) => Promise.all(own.map(this.receive))))
        const before = this.done
        this.others = ordersOf(given).map((order) => [...before, ...order])
        this.done = this.others[0]!
        return
      }
      case 'correct':
      case 'undo': {
        await this.notice()
        await rollUpAll(this.#house.app)
        const staff = { ...this.#staff, at: this.at() }
        return one.do === 'correct' ? correct(this, staff, one) : undo(this, staff, one.which)
      }
      case 'limit': {
        const wanted: SlowLimit | null = one.limit && { ...one.limit, action: 'block' }
        await this.write((tx) => setSimLimits(tx, [{ ...this.simOf(one.sim), limit: wanted }], this.at()))
        return void this.done.push({ do: 'limit', sim: one.sim, limit: wanted })
      }
      case 'raise': {
        const allowed = this.right.limitOf(one.sim)
        const to = (allowed?.bytes ?? 0) + one.more
        await this.write((tx) => raiseSimLimits(tx, [{ ...this.simOf(one.sim), bytes: to }], this.at()))
        return void this.done.push({ do: 'raise', sim: one.sim, bytes: to, at: this.now })
      }
      case 'group': {
        const { id: sim_id, iccid, asset_id } = this.sims[one.sim]!
        const named = { sim_id, iccid, asset_id, asset_name: 'Tracker' }
        await this.write((tx) => moveSims(tx, customer, [named], { id: one.group, name: one.group }))
        return void this.done.push({ do: 'group', sim: one.sim, group: one.group })
      }
      case 'group limit': {
        const wanted = one.limit && { ...one.limit, action: one.action }
        await this.write((tx) => setLimit(tx, { account_id, group_id: one.group }, wanted, this.at()))
        return void this.done.push({ do: 'group limit', group: one.group, limit: wanted })
      }
      case 'join':
      case 'leave': {
        await this.notice()
        if (this.right.pools[one.pool]!.ended) return
        const [id, assets] = [this.pools[one.pool]!.id, [this.sims[one.sim]!.asset_id]]
        await this.write<unknown>((tx) =>
          one.do === 'join' ? addPoolAssets(tx, customer, id, assets) : removePoolAssets(tx, customer, id, assets)
        )
        return void this.done.push({ do: one.do, sim: one.sim, pool: one.pool, at: this.now })
      }
      case 'policy': {
        await this.notice()
        if (this.right.pools[one.pool]!.ended) return
        const { most_over, priority, renews } = one
        const body = { ...overage(most_over), priority, auto_renew: renews }
        await this.write((tx) => updateDataPool(tx, customer, this.pools[one.pool]!.id, body))
        return void this.done.push({ do: 'policy', pool: one.pool, most_over, priority, renews })
      }
      case 'grow':
      case 'end': {
        await this.notice()
        if (this.right.pools[one.pool]!.ended) return
        const [id, staff, reason] = [this.pools[one.pool]!.id, { ...this.#staff, at: this.at() }, 'A ticket']
        await this.write((tx) =>
          one.do === 'grow' ? growPool(tx, staff, id, { bytes: one.bytes, reason }) : endPool(tx, staff, id, { reason })
        )
        return void this.done.push({ ...one, at: this.now })
      }
      case 'wait':
        this.now += one.hours * 3_600_000
        this.#house.clock.set(this.at())
        if (one.noticed) await this.notice()
        return
      case 'reset':
        return void (await this.write((tx) => resetSessions(tx, [this.simOf(one.sim)])))
      case 'settle':
        return this.settle()
    }
  }

  /** The job of every minute comes before what people do: else they change a term that is over. */
  async notice() {
    if (this.noticed === this.now) return
    this.noticed = this.now
    await renewDuePools(this.#house.app)
    await wakeEnded(this.#house.app)
    this.done.push({ do: 'renew', at: this.now })
  }

  async settle() {
    await clearDataLimits(this.#house.app)
    await this.notice()
    await this.#house.settle()
    this.done.push({ do: 'settle', at: this.now })
    const right = this.right
    const { rows } = await sql<{
      id: string
      blocks: string[]
    }>`select id, array(select b ->> 'code' from jsonb_array_elements(blocks) b order by 1) as blocks
      from sim where account_id = ${this.owner.account_id} order by id`.execute(this.#house.db)
    expect(
      this.sims.map(({ id }) => rows.find((row) => row.id === id)!.blocks),
      'blocks'
    ).toEqual(this.sims.map((_, i) => right.blocksOf(i)))
    const { rows: pools } = await sql<{
      id: string
    }>`select p.id, p.term_starts_at::date::text as term, t.size_bytes as size, p.ended_at is not null as ended,
        p.ended_at is null and t.exhausted_at is not null as dry
      from data_pool p join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
      where p.account_id = ${this.owner.account_id}`.execute(this.#house.db)
    const found = this.pools.map(({ id }) => {
      const { id: _, ...row } = pools.find((each) => each.id === id)!
      return row
    })
    expect(found, 'pools').toEqual(right.standing())
  }

  /** Nothing of it is left to renew or to lift: all histories after it would do so, too, each time they wait. */
  async close() {
    const of = sql`account_id = ${this.owner.account_id}`
    await sql`update data_pool set ended_at = term_starts_at where ended_at is null and ${of}`.execute(this.#house.db)
    await sql`delete from data_pool_sim where ${of}`.execute(this.#house.db)
    await sql`delete from usage_limit where ${of}`.execute(this.#house.db)
    await sql`update sim set blocks = '[]' where blocks <> '[]' and ${of}`.execute(this.#house.db)
  }

  /** What was counted and taken by now, of one of the orders that may have been. */
  async compare() {
    const said = await countedBy(this.#house, this)
    const other = this.others.find((done) => {
      const { usage: u, taken: t } = SlowLimits.of([...done, { do: 'renew', at: this.now }], { sims, pools: this.pools, began }).totals()
      return JSON.stringify(said) === JSON.stringify({ usage: u, taken: t })
    })
    if (other) this.done = other
    this.others = []
    const { right } = this
    right.take({ do: 'renew', at: this.now })
    expect(said).toEqual(right.totals())
    expect(await unequalTerms(this.#house, this.owner)).toEqual([])
  }
}
