import { sql } from 'kysely'
import { expect } from 'vitest'
import { removeAsset } from '../../assets/index.ts'
import { putAsset } from '../../assets/test-stock.ts'
import { takeRecords } from '../../feeds/take-records.ts'
import { ensurePartitions } from '../../usage/index.ts'
import type { Counting } from '../index.ts'
import { cutSession } from '../disconnect/cut-session.ts'
import { closeSilentSessions } from '../end-sessions.ts'
import type { Meter } from '../start-meter.ts'
import { type MeteredHouse, readingOf, stored } from '../test-network.ts'
import { type Card, identity, nextCard } from './test-gateway-cards.ts'
import { fastest, type Given, type PacketStep, type Step } from './test-gateway-steps.ts'
import type { Rows } from './test-rows.ts'
import { type SlowKey, SlowGateways } from './test-slow-gateways.ts'
import { SlowSim } from './test-slow-sim.ts'
import type { Reading as SlowReading } from './test-slow-meter.ts'

const [second, hour, day] = [1000, 3_600_000, 86_400_000]
const minute = 60 // s
export const noon = Date.UTC(2026, 10, 21, 12)
/** From when on every session is kept. */
export const kept_since = noon - 35 * day

/** What all histories share. `meters` each remember what the others have changed meanwhile. */
export type Stage = {
  house: MeteredHouse
  meters: readonly Meter[]
  gateways: readonly string[]
  feeds: readonly { id: string; name: string }[]
  counting: Counting
}

let made = 0

/** One history: what gateways, feeds, staff and time did, and what the product and the reference made of it. */
export class GatewayHistory {
  readonly #stage: Stage
  readonly #name = `g${++made}`
  readonly #cards: Card[] = []
  /** Every SIM that there was, with what the reference has of it. */
  readonly #all: { id: string; sim: SlowSim }[] = []
  #now = noon
  #records = 0
  /** What came last under each key. */
  readonly #said = new Map<string, SlowReading>()
  right!: SlowGateways

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async open({ added, registered }: Given, rows: Rows) {
    const { house, gateways } = this.#stage
    this.#clock(0)
    for (const [i, id] of gateways.entries())
      await house.db
        .updateTable('gateway')
        .set({ created_at: new Date(noon - added[i]! * second) })
        .where('id', '=', id)
        .execute()
    const cards = registered.map((ago) => new SlowSim(noon - ago * second))
    for (const [card, sim] of cards.entries()) {
      this.#cards[card] = nextCard()
      await this.#register(card, sim)
    }
    this.right = new SlowGateways({ added: added.map((ago) => noon - ago * second), cards, fastest, kept_since, rows })
  }

  #clock(ms: number) {
    this.#now += ms
    this.#stage.house.clock.set(new Date(this.#now))
  }

  async #register(card: number, sim: SlowSim) {
    const { house } = this.#stage
    const { iccid, imsi, msisdn } = this.#cards[card]!
    const { id: asset_id, sim_id: id } = await putAsset(house, house.owner, { iccid, imsi, msisdn, serial: iccid, state: 'active' })
    await house.db
      .updateTable('sim')
      .set({ created_at: new Date(sim.registered) })
      .where('id', '=', id)
      .execute()
    this.#cards[card]!.asset_id = asset_id
    this.#all.push({ id, sim })
  }

  async play(steps: readonly Step[]) {
    let batch: PacketStep[] = []
    for (const step of steps) {
      if (step.do === 'packet') batch.push(step)
      else {
        await this.#report(batch)
        batch = []
        await this.#take(step)
      }
      if (step.do === 'packet' && step.joins) continue
      await this.#report(batch)
      batch = []
    }
    await this.#report(batch)
  }

  nasOf = (nas: number) => `${this.#name}-${nas}`
  #key = ({ gateway, nas, id }: Pick<SlowKey, 'gateway' | 'nas' | 'id'>) => ({
    gateway_id: this.#stage.gateways[gateway]!,
    nas: this.nasOf(nas),
    acct_session_id: `s${id}`,
  })

  /** What comes at once to one meter, in its order. */
  async #report(batch: readonly PacketStep[]) {
    if (batch.length === 0) return
    const { house, meters } = this.#stage
    const said = batch.map((step) => {
      this.#clock(step.later)
      const slow = this.#say(step)
      const { kind, at, time, up, down } = slow
      const card = step.another ?? step.id
      const reading = readingOf(house, this.#cards[card]!, {
        ...this.#key(step),
        ...identity(step.by, this.#cards[card]!),
        kind,
        event_at: at,
        received_at: this.#now,
        session_time: time,
        counter_up: up,
        counter_down: down,
        has_gigawords: slow.wide,
        end_cause: kind === 'stop' ? 'User request' : null,
      })
      return { reading, received: { ...step, card, reading: slow } }
    })
    const meter = meters[batch[0]!.meter]!
    const all = await Promise.all(said.map(({ reading }) => stored(house, reading, meter)))
    expect(all).toEqual(said.map(() => true))
    for (const { received } of said) this.right.receive(received)
    this.right.askForCuts(this.#now)
  }

  #say({ kind, goesOn, ...step }: PacketStep): SlowReading {
    const at = step.ago === 'before' ? kept_since - hour : this.#now - step.ago
    const key = `${step.gateway} ${step.nas} ${step.id}`
    const last = goesOn && kind !== 'start' && step.ago !== 'before' ? this.#said.get(key) : undefined
    const [up, down] = last ? [last.up + step.up, last.down + step.down] : [step.up, step.down]
    // Most starts say that nothing has lasted yet, or nothing.
    const own = kind === 'start' && step.time > 2 * minute ? (step.time > 4 * minute ? null : 0) : step.time
    const time = last ? (last.time ?? 0) + Math.max(0, Math.round((at - last.at) / second)) : own
    const said = { kind, at, timed: true, arrival: this.#now, time, up, down, wide: step.wide || Math.max(up, down) >= 2 ** 32 }
    this.#said.set(key, said)
    return said
  }

  async #take(step: Exclude<Step, PacketStep>) {
    const { house } = this.#stage
    switch (step.do) {
      case 'restart': {
        this.#clock(step.later)
        const at = this.#now - step.ago
        const { gateway_id, nas } = this.#key({ ...step, id: 0 })
        const on = readingOf(house, { imsi: '' }, { kind: step.kind, gateway_id, nas, event_at: at, received_at: this.#now })
        expect(await stored(house, on, this.#stage.meters[step.meter])).toBe(true)
        return this.right.restart(step, step.kind, at)
      }
      case 'service': {
        const sim = this.right.cards[step.card]!
        sim.isServed = !sim.isServed
        const state = sim.isServed ? 'active' : 'inactive'
        return void (await house.db.updateTable('sim').set({ state }).where('asset_id', '=', this.#cards[step.card]!.asset_id).execute())
      }
      case 'confirm':
        this.#clock(step.later)
        return this.#confirm()
      case 'silence':
        return this.#fallSilent(27 * hour)
      case 'move': {
        const { asset_id } = this.#cards[step.card]!
        if (!this.right.cards[step.card]!.isHere) return this.#register(step.card, this.right.register(step.card, this.#now))
        const name = await house.app.db.transaction().execute((tx) => removeAsset(tx, house.owner.account_id, asset_id))
        return expect(name !== null).toBe(this.right.release(step.card))
      }
      case 'record':
        if (step.afterSilence) await this.#fallSilent(8 * day)
        return this.#record(step)
    }
  }

  async #fallSilent(ms: number) {
    const { app, db } = this.#stage.house
    this.#clock(ms)
    await ensurePartitions(db, new Date(this.#now))
    await closeSilentSessions(app)
    this.right.closeSilent(this.#now)
  }

  /** Cuts that were asked for are tried, and the gateway confirms them. */
  async #confirm() {
    const { house } = this.#stage
    const rows = await this.#rows()
    for (const key of this.right.keys.filter(({ job }) => job)) {
      const { account_id, id } = rows.find((row) => this.#isOf(row, key))!
      await cutSession(house.app, { account_id, session_id: id, was_closed: key.job!.was_closed })
      this.right.confirm(key, this.#now)
      await sql`delete from graphile_worker._private_jobs where key = ${`cut_session:${id}`}`.execute(house.db)
    }
  }

  async #record({ feed, card, ago, seconds, bytes, again }: Step & { do: 'record' }) {
    const { house, feeds, counting } = this.#stage
    const number = again && this.#records > 0 ? this.#records : ++this.#records
    const [to, of] = [this.#now - ago, feeds[feed]!]
    const record = { feed, id: `${this.#name}-${number}`, card, from: to - seconds * second, to, bytes }
    const row = { id: record.id, imsi: this.#cards[card]!.imsi, started_at: record.from, ended_at: to, bytes_up: bytes, bytes_down: 0 }
    const parts = { app: house.app, counting, at: new Date(this.#now) }
    const taken = await house.app.db.transaction().execute((tx) => takeRecords(parts, tx, of, [{ place: 0, row }]))
    const none = { counted: 0, compared: 0, quarantined: 0, duplicates: 0, errors: [] }
    expect(taken).toEqual({ ...none, [this.right.takeRecord(record)]: 1 })
  }

  #rows = () =>
    this.#stage.house.db
      .selectFrom('data_session')
      .selectAll()
      .where('nas', 'in', [this.nasOf(0), this.nasOf(1)])
      .execute()
  #isOf(row: { gateway_id: string; nas: string; acct_session_id: string; superseded: boolean }, key: SlowKey) {
    const { gateway_id, nas, acct_session_id } = this.#key(key)
    return !row.superseded && row.gateway_id === gateway_id && row.nas === nas && row.acct_session_id === acct_session_id
  }

  /** Sessions, sums, quarantine and cuts are what the reference says. */
  async compare() {
    const { house } = this.#stage
    const rows = await this.#rows()
    const { rows: jobs } = await sql<{ key: string; was_closed: boolean }>`select key, (payload ->> 'was_closed')::boolean as was_closed
      from graphile_worker._private_jobs where key = any(${rows.map(({ id }) => `cut_session:${id}`)}::text[])`.execute(house.db)
    const idOf = new Map(this.#all.map(({ id, sim }) => [sim, id]))
    const current = this.right.keys.map((key) => {
      const row = rows.find((each) => this.#isOf(each, key))
      const session = key.meter.session!
      const job = row && jobs.find((each) => each.key === `cut_session:${row.id}`)
      const is = row && {
        sim: row.sim_id,
        ended: row.ended_at?.getTime() ?? null,
        lives: row.live_after?.getTime() ?? null,
        cause: row.end_cause,
        asked: row.cut_asked_at?.getTime() ?? null,
        job: job ? { was_closed: job.was_closed } : null,
        odd: row.odd !== null,
        uncounted: [BigInt(row.uncounted_up), BigInt(row.uncounted_down)],
      }
      const right: typeof is = {
        sim: idOf.get(key.sim)!,
        ended: session.closed?.at ?? null,
        lives: session.closed?.lives ?? null,
        cause: key.cause,
        asked: key.asked,
        job: key.job,
        odd: session.odd !== null,
        uncounted: [...session.uncounted],
      }
      return { is, right }
    })
    expect(current.map(({ is }) => is)).toEqual(current.map(({ right }) => right))
    const { rows: sums } = await sql<{ sim_id: string; up: string; down: string }>`
      select sim_id, lifetime_up::text as up, lifetime_down::text as down from sim_counter where sim_id = any(${this.#all.map(({ id }) => id)}::text[])`.execute(
      house.db
    )
    const sumOf = (id: string) => sums.find(({ sim_id }) => sim_id === id) ?? { up: '0', down: '0' }
    expect(this.#all.map(({ id }) => [sumOf(id).up, sumOf(id).down])).toEqual(this.#all.map(({ sim }) => sim.counted.map(String)))
    const { rows: set } = await sql<{ kind: string; packets: number }>`select kind, sum(packets)::int as packets from quarantine
      where nas in (${this.nasOf(0)}, ${this.nasOf(1)}) or acct_session_id like ${`${this.#name}-%`} group by 1`.execute(house.db)
    const kinds = ['unknown', 'elsewhere', 'uncounted'] as const
    const setAside = kinds.map((kind) => [kind, set.find((each) => each.kind === kind)?.packets ?? 0])
    expect(Object.fromEntries(setAside)).toEqual(this.right.quarantined)
    const begun = rows.length + (await this.#recordSessions())
    expect(begun).toBe(this.right.begun)
  }

  async #recordSessions(): Promise<number> {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from data_session
      where gateway_id = any(${this.#stage.feeds.map(({ id }) => id)}::text[]) and acct_session_id like ${`${this.#name}-%`}`.execute(
      this.#stage.house.db
    )
    return rows[0]!.n
  }

  /** What is left open would be gone through by each On after it. */
  async close() {
    const sims = this.#all.map(({ id }) => id)
    await sql`update data_session set ended_at = updated_at where ended_at is null and sim_id = any(${sims}::text[])`.execute(
      this.#stage.house.db
    )
    await sql`delete from graphile_worker._private_jobs where key like 'cut_session:%'`.execute(this.#stage.house.db)
  }
}
