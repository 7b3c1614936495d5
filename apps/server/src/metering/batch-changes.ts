import type { TakenFromPool } from '../billing/rating/index.ts'
import type { ConnectionEvent } from './connections/connection-events.ts'
import type { SetAside } from './quarantine.ts'
import type { SessionReading } from './reading.ts'
import type { LiveSession } from './sessions/live-session.ts'
import type { KeptSession } from './sessions/session-rules.ts'
import type { NewSession, OverSession } from './parts/session-rows.ts'

type SimOf = { account_id: string; sim_id: string }

/** What a packet adds to its session's SIM; nothing at all, where the SIM was only seen. `from`: when that began, in milliseconds since 1970. */
export type Counted = { live: LiveSession; reading: SessionReading; from: number; up: number; down: number }

/** Everything a batch changes, as it is decided, for its parts to write. `today`: the day in UTC. `at`: the arrival of its last reading. `now`: by a clock that may be set back. `over`: sessions of its names that were over already. */
export class BatchChanges {
  readonly today: string
  readonly at: Date
  readonly now: Date
  readonly over: readonly OverSession[]
  readonly inserted: NewSession[] = []
  readonly updated: LiveSession[] = []
  readonly superseded: LiveSession[] = []
  /** A packet changed nothing of these: that must be so when the batch is committed, too. */
  readonly seen = new Set<LiveSession>()
  readonly counted: Counted[] = []
  /** What data pools gave of it, once that is known. */
  readonly taken = new Map<Counted, TakenFromPool[]>()
  /** SIMs that came on the network. */
  readonly live: SimOf[] = []
  readonly imeis: (SimOf & { imei: string })[] = []
  readonly quarantined: SessionReading[] = []
  /** Of sessions that nobody knows and that began before all that is kept, as of their arrival: should staff have them counted, then a clock is wrong. */
  readonly beforeRecords: SessionReading[] = []
  readonly setAside: SetAside[] = []
  /** Of each start and interim, whatever it did: where its SIM has no service, the gateway is to end it. */
  readonly going: LiveSession[] = []
  /** Their SIMs are on their accounts no more. */
  readonly gone = new Set<LiveSession>()
  /** Sessions of gateways, of before a feed counted for their SIMs, that are reported of. `at`: milliseconds since 1970. */
  readonly goneOn: (SimOf & { at: number })[] = []
  /** What customers are notified of it once it is committed. */
  readonly events: ConnectionEvent[] = []

  constructor({ today, at, now, over }: Pick<BatchChanges, 'today' | 'at' | 'now' | 'over'>) {
    this.today = today
    this.at = at
    this.now = now
    this.over = over
  }

  /** A known session as it is now. `reading` says where the device is; null when it is an old one. */
  move(live: LiveSession, kept: KeptSession, reading: SessionReading | null) {
    if (live.write === null) {
      live.write = 'move'
      this.updated.push(live)
    }
    if (live.write === 'move' && (isChanged(live.kept, kept) || (reading && isElsewhere(live, reading)))) live.write = 'change'
    if (live.kept.ended_at !== null && kept.ended_at === null) live.cut = null
    live.kept = kept
    if (!reading) return
    live.heard_from = reading.heard_from ?? live.heard_from
    this.#noteMove(live, reading)
    live.rat = reading.rat ?? live.rat
    live.mccmnc = reading.mccmnc ?? live.mccmnc
    live.cell = reading.cell ?? live.cell
    live.ip = reading.ip ?? live.ip
    if (reading.imei && reading.imei !== live.imei) {
      live.imei = reading.imei
      this.imeis.push({ account_id: live.account_id, sim_id: live.sim_id, imei: reading.imei })
    }
  }

  /** A device that goes on at another operator, by another technology, or a SIM in another device. */
  #noteMove(live: LiveSession, reading: SessionReading) {
    if (placeOf(live) !== null && showsNetwork(live, reading))
      this.note(live, reading, 'network_changed', [placeOf(live), placeOf({ ...live, ...reported(reading) })])
    if (reading.imei && live.imei && reading.imei !== live.imei) this.note(live, reading, 'imei_changed', [live.imei, reading.imei])
  }

  note(
    live: LiveSession,
    reading: SessionReading,
    kind: ConnectionEvent['kind'],
    [before, after]: [string | null, string | null],
    words?: string
  ) {
    const { account_id, sim_id, asset_id } = live
    const { mccmnc, rat } = { ...live, ...reported(reading) }
    const key = `${before ?? ''} ${after ?? ''} ${words ?? ''}`
    const on = { mccmnc, rat, gateway: reading.nas }
    this.events.push({ account_id, sim_id, asset_id, kind, key, at: reading.received_at, words: words ?? null, ...on, before, after })
  }

  supersede(live: LiveSession) {
    live.superseded = true
    if (live.write === 'insert') return
    this.superseded.push(live)
    live.revision++ // by its statement, which comes before the others
  }

  /** Sessions that nothing is written of. */
  get onlySeen(): LiveSession[] {
    return [...this.seen].filter(({ write, superseded }) => write === null && !superseded)
  }

  /** The rows are as the sessions were taken to be, and every SIM of theirs has a counter. */
  committed() {
    for (const live of this.updated) live.revision++
    for (const live of [...this.updated, ...this.inserted.map((row) => row.live)]) {
      live.write = null
      live.counted = true
    }
  }
}

/** More of it than what every packet moves. */
const isChanged = (before: KeptSession, now: KeptSession) =>
  now.ended_at !== before.ended_at ||
  now.live_after !== before.live_after ||
  now.odd !== before.odd ||
  now.uncounted_up !== before.uncounted_up ||
  now.uncounted_down !== before.uncounted_down

const reported = ({ mccmnc, rat }: SessionReading) => ({ ...(mccmnc !== null && { mccmnc }), ...(rat !== null && { rat }) })
const placeOf = ({ mccmnc, rat }: Pick<LiveSession, 'mccmnc' | 'rat'>) => [mccmnc, rat].filter(Boolean).join(' ') || null

/** It reports an operator or technology that was not known of the session. */
export const showsNetwork = (live: Pick<LiveSession, 'mccmnc' | 'rat'>, { mccmnc, rat }: SessionReading): boolean =>
  (mccmnc !== null && mccmnc !== live.mccmnc) || (rat !== null && rat !== live.rat)

/** A device reports from another network, cell or address, from another device, or by another address of its gateway. */
const isElsewhere = (live: LiveSession, { rat, mccmnc, cell, ip, imei, heard_from }: SessionReading) =>
  (heard_from !== null && heard_from !== undefined && heard_from !== live.heard_from) ||
  (rat !== null && rat !== live.rat) ||
  (mccmnc !== null && mccmnc !== live.mccmnc) ||
  (cell !== null && cell !== live.cell) ||
  (ip !== null && ip !== live.ip) ||
  (imei !== null && imei !== live.imei)
