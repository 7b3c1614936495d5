import { booleanArray, countUsage, insertSessions, numberArray, supersede, textArray } from './batch-statements.ts'
import { blockAtLimit } from './data-limit.ts'
import { type MeterConnection, StaleSessions, begin, commit } from './meter-connection.ts'
import { goLive, keepReportedImeis } from './meter-sims.ts'
import { quarantineReadings } from './quarantine.ts'
import { type Reading, monthOf } from './reading.ts'
import type { KeptSession } from './session-rules.ts'

/** A session during a batch. `write` says whether its row is new, changed, or as it was. */
export type LiveSession = {
  account_id: string
  id: string
  sim_id: string
  asset_id: string
  kept: KeptSession
  rat: string | null
  mccmnc: string | null
  imei: string | null
  cell: string | null
  ip: string | null
  /** We asked the gateway to end it. */
  cut: boolean
  superseded: boolean
  /** Of the row that this was read from or written to. */
  revision: number
  write: 'insert' | 'update' | null
  heard_at: number
}

type SimCount = {
  account_id: string
  sim_id: string
  period: string
  up: number
  down: number
  lifetimeUp: number
  lifetimeDown: number
  seen_at: number
}
type UsageRow = { live: LiveSession; reading: Reading; up: number; down: number }
type SimOf = { account_id: string; sim_id: string }

/** Everything a batch writes, gathered and then written in as few statements as may be. `now` is the arrival of its last reading. */
export class BatchWrites {
  #now: number
  #inserted: { live: LiveSession; reading: Reading; interim_seconds: number | null }[] = []
  #updated: LiveSession[] = []
  #superseded: LiveSession[] = []
  #seen = new Set<LiveSession>()
  #usage: UsageRow[] = []
  #counts = new Map<string, SimCount>()
  #live: SimOf[] = []
  #imeis: (SimOf & { imei: string })[] = []
  #quarantined: Reading[] = []

  constructor(now: number) {
    this.#now = now
  }

  insert(live: LiveSession, reading: Reading, interim_seconds: number | null) {
    this.#inserted.push({ live, reading, interim_seconds })
  }

  /** A known session as it is now. `reading` says where the device is; null when it is an old one. */
  move(live: LiveSession, kept: KeptSession, reading: Reading | null) {
    live.kept = kept
    if (live.write === null) {
      live.write = 'update'
      this.#updated.push(live)
    }
    if (!reading) return
    live.heard_at = Math.max(live.heard_at, reading.received_at)
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

  supersede(live: LiveSession) {
    live.superseded = true
    if (live.write === 'insert') return
    this.#superseded.push(live)
    live.revision++ // by the statement above the others
  }

  /** Usage of a SIM in its month; with none, the SIM was at least heard of. */
  count(account_id: string, sim_id: string, { event_at, received_at }: Reading, up: number, down: number) {
    const period = monthOf(event_at)
    const key = account_id + sim_id
    const count = this.#counts.get(key)
    if (!count) {
      this.#counts.set(key, { account_id, sim_id, period, up, down, lifetimeUp: up, lifetimeDown: down, seen_at: received_at })
      return
    }
    count.lifetimeUp += up
    count.lifetimeDown += down
    count.seen_at = Math.max(count.seen_at, received_at)
    if (period < count.period) return
    const anew = period > count.period
    count.period = period
    count.up = (anew ? 0 : count.up) + up
    count.down = (anew ? 0 : count.down) + down
  }

  record(live: LiveSession, reading: Reading, up: number, down: number) {
    this.#usage.push({ live, reading, up, down })
  }

  goesLive(account_id: string, sim_id: string) {
    this.#live.push({ account_id, sim_id })
  }

  reports(account_id: string, sim_id: string, imei: string) {
    this.#imeis.push({ account_id, sim_id, imei })
  }

  quarantine(reading: Reading) {
    this.#quarantined.push(reading)
  }

  /** Writes everything and commits. */
  async commit(db: MeterConnection): Promise<void> {
    const statements: Promise<unknown>[] = [db.run(begin)]
    const seen = [...this.#seen].filter((live) => live.write === null && !live.superseded)
    if (this.#superseded.length > 0) statements.push(db.run(supersede, this.#supersedeColumns()))
    if (this.#inserted.length > 0) statements.push(db.run(insertSessions, this.#insertColumns()))
    if (this.#counts.size > 0 || seen.length > 0) {
      const found = db.run<[account_id: string | null, sim_id: string]>(countUsage, [
        ...this.#updateColumns(),
        ...this.#usageColumns(),
        ...this.#countColumns(),
        monthOf(this.#now),
        numberArray(this.#updated.map((live) => live.revision)),
        ...seenColumns(seen),
      ])
      await Promise.all([...statements, found])
      const limited = await found
      if (limited.some(([account_id]) => account_id === null)) throw new StaleSessions()
      const at = new Date(this.#now)
      if (this.#live.length > 0) await goLive(db.tx, this.#live, at)
      if (this.#imeis.length > 0) await keepReportedImeis(db.tx, this.#imeis)
      for (const [account_id, sim_id] of limited) await blockAtLimit(db.tx, account_id!, sim_id, at)
    } else await Promise.all(statements)
    if (this.#quarantined.length > 0) await quarantineReadings(db.tx, this.#quarantined)
    await db.run(commit)
    for (const live of this.#updated) live.revision++
    for (const live of this.#updated) live.write = null
    for (const { live } of this.#inserted) live.write = null
  }

  #supersedeColumns() {
    return [textArray(this.#superseded.map((live) => live.account_id)), textArray(this.#superseded.map((live) => live.id))]
  }

  #insertColumns() {
    // In the order of their keys, as another meter may be inserting the same ones.
    const rows = this.#inserted.sort(
      (a, b) => compare(a.reading.nas, b.reading.nas) || compare(a.reading.acct_session_id, b.reading.acct_session_id)
    )
    const live = (of: (live: LiveSession) => string | null) => textArray(rows.map((row) => of(row.live)))
    const told = (of: (reading: Reading) => string | null) => textArray(rows.map((row) => of(row.reading)))
    const kept = (of: (kept: KeptSession) => number | null) => numberArray(rows.map((row) => of(row.live.kept)))
    return [
      live((each) => each.account_id),
      live((each) => each.id),
      live((each) => each.sim_id),
      live((each) => each.asset_id),
      told((each) => each.gateway_id),
      told((each) => each.nas),
      told((each) => each.acct_session_id),
      told((each) => each.imsi),
      told((each) => each.apn),
      live((each) => each.ip),
      live((each) => each.rat),
      live((each) => each.mccmnc),
      live((each) => each.imei),
      live((each) => each.cell),
      kept((each) => each.started_at),
      kept((each) => each.updated_at),
      numberArray(rows.map((row) => row.live.heard_at)),
      kept((each) => each.ended_at),
      live((each) => each.kept.end_cause),
      kept((each) => each.session_time),
      kept((each) => each.counter_up),
      kept((each) => each.counter_down),
      booleanArray(rows.map((row) => row.live.kept.gigawords_seen)),
      kept((each) => each.bytes_up),
      kept((each) => each.bytes_down),
      kept((each) => each.reopened_after),
      numberArray(rows.map((row) => row.interim_seconds)),
      booleanArray(rows.map((row) => row.live.superseded)),
    ]
  }

  #updateColumns() {
    const rows = this.#updated
    const live = (of: (live: LiveSession) => string | null) => textArray(rows.map(of))
    const kept = (of: (kept: KeptSession) => number | null) => numberArray(rows.map((row) => of(row.kept)))
    return [
      live((each) => each.account_id),
      live((each) => each.id),
      kept((each) => each.session_time),
      kept((each) => each.counter_up),
      kept((each) => each.counter_down),
      booleanArray(rows.map((row) => row.kept.gigawords_seen)),
      kept((each) => each.bytes_up),
      kept((each) => each.bytes_down),
      kept((each) => each.updated_at),
      numberArray(rows.map((row) => row.heard_at)),
      kept((each) => each.ended_at),
      live((each) => each.kept.end_cause),
      live((each) => each.rat),
      live((each) => each.mccmnc),
      live((each) => each.cell),
      live((each) => each.ip),
      live((each) => each.imei),
    ]
  }

  #usageColumns() {
    const rows = this.#usage
    const texts = (of: (row: UsageRow) => string) => textArray(rows.map(of))
    const numbers = (of: (row: UsageRow) => number) => numberArray(rows.map(of))
    return [
      texts(({ live }) => live.account_id),
      texts(({ live }) => live.sim_id),
      texts(({ live }) => live.id),
      numbers(({ reading }) => reading.event_at),
      numbers(({ reading }) => reading.received_at),
      numbers(({ up }) => up),
      numbers(({ down }) => down),
      texts(({ reading, live }) => reading.mccmnc ?? live.mccmnc ?? ''),
      texts(({ reading, live }) => reading.rat ?? live.rat ?? ''),
    ]
  }

  #countColumns() {
    // In one order everywhere, so that two meters never wait for each other in a circle.
    const keys = [...this.#counts.keys()].sort()
    const rows = keys.map((key) => this.#counts.get(key)!)
    const texts = (of: (row: SimCount) => string) => textArray(rows.map(of))
    const numbers = (of: (row: SimCount) => number) => numberArray(rows.map(of))
    return [
      texts((each) => each.account_id),
      texts((each) => each.sim_id),
      texts((each) => each.period),
      numbers((each) => each.up),
      numbers((each) => each.down),
      numbers((each) => each.lifetimeUp),
      numbers((each) => each.lifetimeDown),
      numbers((each) => each.seen_at),
    ]
  }
}

const seenColumns = (seen: readonly LiveSession[]) => [
  textArray(seen.map((live) => live.account_id)),
  textArray(seen.map((live) => live.id)),
  numberArray(seen.map((live) => live.revision)),
]

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
