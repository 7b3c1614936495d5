import { askForCuts, cutAgainAfter } from '../assets/service/index.ts'
import type { Tx } from '../kernel/app.ts'
import { textArray } from './array-columns.ts'
import {
  type LiveSession,
  type NewSession,
  type SimCount,
  type UsageRow,
  type WatchedSim,
  beginCounters,
  changeSessions,
  changedRows,
  countRows,
  countUsage,
  holdSims,
  insertSessions,
  movedRows,
  newRows,
  seenRows,
  supersede,
  supersededRows,
  usageRows,
} from './batch-statements.ts'
import { blockAtLimits } from './data-limit.ts'
import { type MeterConnection, StaleSessions } from './meter-connection.ts'
import { goLive, keepReportedImeis } from './meter-sims.ts'
import { quarantineReadings, quarantineSetAside, type SetAside } from './quarantine.ts'
import { type SessionReading, monthOf } from './reading.ts'
import type { KeptSession } from './sessions/session-rules.ts'

type SimOf = { account_id: string; sim_id: string }

/** Everything a batch writes, gathered and then written in as few statements as may be. `at` is the arrival of its last reading. */
export class BatchWrites {
  #month: string
  #at: Date
  #inserted: NewSession[] = []
  #updated: LiveSession[] = []
  #superseded: LiveSession[] = []
  #seen = new Set<LiveSession>()
  #usage: UsageRow[] = []
  #counts = new Map<string, SimCount>()
  #live: SimOf[] = []
  #imeis: (SimOf & { imei: string })[] = []
  #quarantined: SessionReading[] = []
  #setAside: SetAside[] = []
  /** Of each start and interim, whatever it did. */
  #going: LiveSession[] = []

  constructor({ month, at }: { month: string; at: Date }) {
    this.#month = month
    this.#at = at
  }

  insert(session: NewSession) {
    this.#inserted.push(session)
  }

  /** A known session as it is now. `reading` says where the device is; null when it is an old one. */
  move(live: LiveSession, kept: KeptSession, reading: SessionReading | null) {
    if (live.write === null) {
      live.write = 'move'
      this.#updated.push(live)
    }
    if (live.write === 'move' && (isChanged(live.kept, kept) || (reading && isElsewhere(live, reading)))) live.write = 'change'
    if (live.kept.ended_at !== null && kept.ended_at === null) live.cut = null
    live.kept = kept
    if (!reading) return
    live.heard_from = reading.heard_from ?? live.heard_from
    live.rat = reading.rat ?? live.rat
    live.mccmnc = reading.mccmnc ?? live.mccmnc
    live.cell = reading.cell ?? live.cell
    live.ip = reading.ip ?? live.ip
    if (reading.imei && reading.imei !== live.imei) {
      live.imei = reading.imei
      this.reports(live.account_id, live.sim_id, reading.imei)
    }
  }

  /** A packet changed nothing: that must be so when the batch is committed, too. */
  leave(live: LiveSession) {
    this.#seen.add(live)
  }

  /** A session goes on: where its SIM has no service, the gateway is to end it. */
  asksForCut(live: LiveSession, { kind }: SessionReading) {
    if (kind !== 'stop') this.#going.push(live)
  }

  supersede(live: LiveSession) {
    live.superseded = true
    if (live.write === 'insert') return
    this.#superseded.push(live)
    live.revision++ // by its statement, which comes before the others
  }

  /** Usage of a session's SIM in its month; with none, the SIM was at least heard of. */
  count({ account_id, sim_id, counted }: LiveSession, { event_at, received_at }: SessionReading, up: number, down: number) {
    const period = monthOf(event_at)
    const key = account_id + sim_id
    const count = this.#counts.get(key)
    if (!count) {
      const lifetime = { lifetimeUp: up, lifetimeDown: down }
      this.#counts.set(key, { account_id, sim_id, known: counted, period, up, down, ...lifetime, seen_at: received_at })
      return
    }
    count.known ||= counted
    count.lifetimeUp += up
    count.lifetimeDown += down
    count.seen_at = Math.max(count.seen_at, received_at)
    if (period < count.period) return
    const anew = period > count.period
    count.period = period
    count.up = (anew ? 0 : count.up) + up
    count.down = (anew ? 0 : count.down) + down
  }

  record(live: LiveSession, reading: SessionReading, up: number, down: number) {
    this.#usage.push({ live, reading, up, down })
  }

  goesLive(account_id: string, sim_id: string) {
    this.#live.push({ account_id, sim_id })
  }

  reports(account_id: string, sim_id: string, imei: string) {
    this.#imeis.push({ account_id, sim_id, imei })
  }

  quarantine(reading: SessionReading) {
    this.#quarantined.push(reading)
  }

  setAside(what: SetAside) {
    this.#setAside.push(what)
  }

  /** Writes everything and commits. Rejects with `StaleSessions` when a session is no longer what it was taken to be. */
  async commit(db: MeterConnection): Promise<void> {
    const begun = db.begin()
    const [tx, watched] = await Promise.all([begun, this.#write(db)])
    if (watched.some(([account_id]) => account_id === null)) throw new StaleSessions()
    const at = this.#at
    if (this.#live.length > 0) await goLive(tx, this.#live, at)
    if (this.#imeis.length > 0) await keepReportedImeis(tx, this.#imeis)
    const limited = watched.flatMap(([account_id, sim_id, isLimited]) => (isLimited ? [{ account_id: account_id!, sim_id }] : []))
    await blockAtLimits(tx, limited, at)
    if (watched.length > 0) await this.#cut(tx, watched)
    if (this.#quarantined.length > 0) await quarantineReadings(tx, this.#quarantined)
    if (this.#setAside.length > 0) await quarantineSetAside(tx, this.#setAside)
    await db.commit()
    for (const live of this.#updated) live.revision++
    for (const live of [...this.#updated, ...this.#inserted.map((row) => row.live)]) {
      live.write = null
      live.counted = true
    }
  }

  /** Has the gateways end what goes on of SIMs without service: each session at most once in a while. */
  async #cut(tx: Tx, watched: readonly WatchedSim[]): Promise<void> {
    const unserved = new Set(watched.flatMap(([account_id, sim_id, , is_unserved]) => (is_unserved ? account_id! + sim_id : [])))
    if (unserved.size === 0) return
    const at = this.#at.getTime()
    const isDue = ({ cut_asked_at }: LiveSession) => cut_asked_at === null || cut_asked_at <= at - cutAgainAfter
    const due = new Set(this.#going.filter((live) => unserved.has(live.account_id + live.sim_id) && !live.superseded && isDue(live)))
    if (due.size === 0) return
    const asked = await askForCuts(
      tx,
      [...due].map(({ account_id, id }) => ({ account_id, id })),
      this.#at
    )
    for (const live of due) {
      if (!asked.has(live.id)) continue
      live.cut_asked_at = at
      live.revision++ // by that statement, which comes after the others
    }
  }

  /** Sends the statements all at once. Answers with the SIMs that reached their limit or have no service, and a row of nulls for stale sessions. */
  async #write(db: MeterConnection): Promise<WatchedSim[]> {
    const month = this.#month
    const changed = this.#updated.filter(({ write }) => write === 'change')
    const moved = this.#updated.filter(({ write }) => write === 'move')
    const seen = [...this.#seen].filter(({ write, superseded }) => write === null && !superseded)
    // In one order everywhere, so that two meters never wait for each other in a circle.
    const counts = [...this.#counts.keys()].sort().map((key) => this.#counts.get(key)!)
    const known = counts.filter((count) => count.known)
    const begun = counts.filter((count) => !count.known)
    const done: Promise<unknown>[] = []
    const watched: Promise<WatchedSim[]>[] = []
    if (this.#inserted.length > 0) done.push(holdSimsOf(this.#inserted, db))
    if (this.#superseded.length > 0) done.push(db.run(supersede, supersededRows.values(this.#superseded)))
    if (this.#inserted.length > 0) done.push(db.run(insertSessions, newRows.values(this.#inserted.sort(byKey))))
    if (changed.length > 0) done.push(allOf(changed, db.run(changeSessions, changedRows.values(changed))))
    if (begun.length > 0) watched.push(db.run(beginCounters, [...countRows.values(begun), month]))
    if (moved.length + this.#usage.length + known.length + seen.length > 0) {
      const values = [movedRows.values(moved), usageRows.values(this.#usage), countRows.values(known), seenRows.values(seen)]
      watched.push(db.run(countUsage, [...values.flat(), month]))
    }
    await Promise.all([...done, ...watched])
    return (await Promise.all(watched)).flat()
  }
}

/** Rejects when a SIM of a new session was taken off its account since it was found; until the commit none is. */
async function holdSimsOf(inserted: readonly NewSession[], db: MeterConnection): Promise<void> {
  const sims = new Map(inserted.map(({ live }) => [live.account_id + live.sim_id, live]))
  const of = (pick: (live: LiveSession) => string) => textArray([...sims.values()].map(pick))
  const held = await db.run<[account_id: string, sim_id: string]>(holdSims, [of((live) => live.account_id), of((live) => live.sim_id)])
  const known = new Set(held.map(([account_id, id]) => account_id + id))
  if (inserted.some(({ anew, live }) => !anew && !known.has(live.account_id + live.sim_id))) throw new StaleSessions()
}

async function allOf(expected: readonly unknown[], answer: Promise<readonly unknown[]>) {
  if ((await answer).length !== expected.length) throw new StaleSessions()
}

/** More of it than what every packet moves. */
const isChanged = (before: KeptSession, now: KeptSession) =>
  now.ended_at !== before.ended_at ||
  now.live_after !== before.live_after ||
  now.odd !== before.odd ||
  now.uncounted_up !== before.uncounted_up ||
  now.uncounted_down !== before.uncounted_down

/** A device reports from another network, cell or address, from another device, or by another address of its gateway. */
const isElsewhere = (live: LiveSession, { rat, mccmnc, cell, ip, imei, heard_from }: SessionReading) =>
  (heard_from !== null && heard_from !== undefined && heard_from !== live.heard_from) ||
  (rat !== null && rat !== live.rat) ||
  (mccmnc !== null && mccmnc !== live.mccmnc) ||
  (cell !== null && cell !== live.cell) ||
  (ip !== null && ip !== live.ip) ||
  (imei !== null && imei !== live.imei)

// In the order of their keys, as another meter may be inserting the same ones.
const byKey = (a: NewSession, b: NewSession) =>
  compare(a.reading.nas, b.reading.nas) || compare(a.reading.acct_session_id, b.reading.acct_session_id)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
