import type { MeterConnection } from './meter-connection.ts'
import { textArray } from '../kernel/array-literals.ts'
import type { OverSession } from './parts/session-rows.ts'
import type { SessionReading } from './reading.ts'
import { findGateways, findQuarantinedSince, findSessions, findSessionsSince, type SessionRow } from './sessions/find-sessions.ts'
import type { LiveSession } from './sessions/live-session.ts'
import type { SessionCache } from './sessions/session-cache.ts'
import { type KeptSession, beganAt, isSameSession } from './sessions/session-rules.ts'

type Named = { nas: string; acct_session_id: string }

/** What a session is called, whichever gateway has it. Between its parts stands what no name can hold: the codec shows control characters as text. */
export const nameOf = ({ nas, acct_session_id }: Named) => `${nas}\u0001${acct_session_id}`

/** The session a reading is of. */
export const keyOf = (reading: Named & { gateway_id: string }) => `${reading.gateway_id}\u0001${nameOf(reading)}`

/** The sessions that a batch is about, by their keys, and those of the same names at other gateways. */
export class BatchSessions {
  #byKey = new Map<string, LiveSession>()
  /** Keys by the names of the batch. Of what is in memory and goes on, other gateways' are not asked about: it is open here, and so nowhere else. */
  #keys = new Map<string, string[]>()
  /** Sessions of keys that another one has, last seen later: two gateways were joined, and not all is moved yet. */
  #older = new Map<string, LiveSession[]>()
  /** Those that were over when they were read. */
  readonly over: OverSession[] = []

  /** From memory, else from the database. */
  static async load(db: MeterConnection, readings: readonly SessionReading[], cache: SessionCache<LiveSession>): Promise<BatchSessions> {
    const sessions = new BatchSessions()
    const missing = new Map<string, Named>()
    for (const reading of readings) {
      const key = keyOf(reading)
      const live = cache.get(key)
      if (live && !sessions.get(key) && goesOn(live.kept, reading)) sessions.set(reading, live)
      else for (const named of namesOf(reading)) missing.set(nameOf(named), named)
    }
    if (missing.size === 0) return sessions
    const wanted = [...missing.values()]
    const names = [textArray(wanted.map(({ nas }) => nas)), textArray(wanted.map(({ acct_session_id }) => acct_session_id))]
    for (const row of await db.run<SessionRow>(findSessions, names)) {
      const [gateway_id, nas, acct_session_id] = row
      const live = liveSessionOf(row)
      if (live.kept.ended_at !== null) sessions.over.push({ id: live.id, revision: live.revision })
      // Another gateway's may have changed behind the cache's back, and nothing of it is written that would show that.
      sessions.#found({ gateway_id, nas, acct_session_id }, live)
    }
    return sessions
  }

  get(key: string): LiveSession | undefined {
    return this.#byKey.get(key)
  }

  set(of: Named & { gateway_id: string }, live: LiveSession) {
    const [key, name] = [keyOf(of), nameOf(of)]
    const keys = this.#keys.get(name) ?? []
    if (keys.length === 0) this.#keys.set(name, keys)
    if (!keys.includes(key)) keys.push(key)
    this.#byKey.set(key, live)
  }

  #found(of: Named & { gateway_id: string }, live: LiveSession) {
    const before = this.#byKey.get(keyOf(of))
    if (!before || before.id === live.id) return this.set(of, live)
    const [older, later] = before.kept.heard_at < live.kept.heard_at ? [before, live] : [live, before]
    this.set(of, later)
    this.#older.set(keyOf(of), [...(this.#older.get(keyOf(of)) ?? []), older])
  }

  /** The reading under the name that earlier versions gave its gateway, where its SIM's session goes on under that; else undefined. */
  asBefore(reading: SessionReading, simOf: (reading: SessionReading) => { id: string } | null): SessionReading | undefined {
    if (reading.nas_before === undefined || this.#byKey.has(keyOf(reading))) return undefined
    const { nas_before: nas, ...rest } = reading
    const live = this.#byKey.get(keyOf({ ...rest, nas }))
    return live && live.kept.ended_at === null && live.sim_id === simOf(reading)?.id ? { ...rest, nas } : undefined
  }

  /** The others of a key, once: when it is used again, none of them has it. */
  takeOlder(key: string): LiveSession[] {
    const older = this.#older.get(key) ?? []
    this.#older.delete(key)
    return older
  }

  /** Whether another gateway has the session of this name, of that SIM, open. */
  isOpenElsewhere(reading: SessionReading, sim_id: string): boolean {
    return this.#elsewhere(reading, sim_id).some(({ kept }) => kept.ended_at === null)
  }

  /** Whether what begins here is the session that another gateway counted until it was over there. */
  wasElsewhere(reading: SessionReading, sim_id: string): boolean {
    return this.#elsewhere(reading, sim_id).some(({ kept }) => isSameSession(kept, reading))
  }

  #elsewhere(reading: SessionReading, sim_id: string): LiveSession[] {
    const own = keyOf(reading)
    return (this.#keys.get(nameOf(reading)) ?? []).flatMap((key) => {
      const live = key === own ? undefined : this.#byKey.get(key)
      return live?.sim_id === sim_id ? [live] : []
    })
  }

  keepIn(cache: SessionCache<LiveSession>) {
    for (const [key, live] of this.#byKey) cache.keep(key, live)
  }
}

/** What may be of another session, maybe of another SIM, or comes after more of its batch, is compared with what other gateways had under its name. */
const goesOn = (kept: KeptSession, { kind, session_time }: SessionReading) =>
  kind !== 'start' && (session_time ?? 0) >= (kept.session_time ?? 0)

const namesOf = ({ nas, nas_before, acct_session_id }: SessionReading): Named[] =>
  [nas, ...(nas_before === undefined ? [] : [nas_before])].map((each) => ({ nas: each, acct_session_id }))

const longAgo = 30 * 86_400_000 // ms; ended sessions are kept for longer, so that what is younger need not be asked about

/**
 * Whether a session nobody knows is of a time whose ended sessions may have been dropped: then it was counted before it went, and its packet is
 * late. It began so long ago, by its own account, that it cannot be a new one: a session lasts a day at most.
 */
export async function droppedAmong(db: MeterConnection, unknown: readonly SessionReading[]): Promise<(reading: SessionReading) => boolean> {
  if (!unknown.some((reading) => beganAt(reading) < reading.received_at - longAgo)) return () => false
  const [[since] = [null]] = await db.run<[number | null]>(findSessionsSince)
  return (reading) => since !== null && beganAt(reading) <= since
}

/**
 * Since when quarantine has an unknown session, in milliseconds since 1970: one that gives no session time does not say when it began, but it goes on
 * since then. Infinity where it has it not, or nothing was reported of it for a day.
 */
export async function quarantinedSince(
  db: MeterConnection,
  unknown: readonly SessionReading[]
): Promise<(reading: SessionReading) => number> {
  const asked = unknown.filter(({ kind, session_time }) => kind !== 'start' && session_time === null)
  if (asked.length === 0) return () => Infinity
  const of = (name: 'gateway_id' | 'nas' | 'acct_session_id') => textArray(asked.map((each) => each[name]))
  const since = new Date(asked[0]!.received_at - 86_400_000)
  const rows = await db.run<[string, string, string, number]>(findQuarantinedSince, [
    of('gateway_id'),
    of('nas'),
    of('acct_session_id'),
    since,
  ])
  const found = new Map(rows.map(([gateway_id, nas, acct_session_id, at]) => [keyOf({ gateway_id, nas, acct_session_id }), at]))
  return (reading) => (reading.kind !== 'start' && reading.session_time === null ? found.get(keyOf(reading)) : undefined) ?? Infinity
}

/** `added_at`: milliseconds since 1970. By `senderOf`. */
export type FoundGateways = ReadonlyMap<string, { added_at: number; joined_into: string | null }>

type Sender = Pick<SessionReading, 'gateway_id' | 'heard_from'>
export const senderOf = ({ gateway_id, heard_from }: Sender) => `${gateway_id} ${heard_from ?? ''}`

/** The gateways of sessions that may begin, at the addresses that report. One that was added to a gateway later, or by joining another to it, is new. */
export async function gatewaysOf(db: MeterConnection, beginning: readonly SessionReading[]): Promise<FoundGateways> {
  if (beginning.length === 0) return new Map()
  const senders = [...new Map(beginning.map((reading) => [senderOf(reading), reading])).values()]
  const asked = [textArray(senders.map(({ gateway_id }) => gateway_id)), textArray(senders.map(({ heard_from }) => heard_from ?? null))]
  const rows = await db.run<[string, string | null, number, string | null]>(findGateways, asked)
  return new Map(
    rows.map(([gateway_id, heard_from, added_at, joined_into]) => [senderOf({ gateway_id, heard_from }), { added_at, joined_into }])
  )
}

const rounded = (ms: number | null) => ms && Math.round(ms)

function liveSessionOf(row: SessionRow): LiveSession {
  const [, , , account_id, id, sim_id, asset_id, started_at, updated_at, heard_at, ended_at, end_cause, live_after, session_time, ...rest] =
    row
  const [counter_up, counter_down, gigawords_seen, bytes_up, bytes_down, reopened_after, odd, uncounted_up, uncounted_down, ...about] = rest
  const [rat, mccmnc, imei, cell, ip, heard_from, cut, cut_asked_at, forbidden, revision, imsi] = about
  const kept: KeptSession = {
    started_at: Math.round(started_at),
    updated_at: Math.round(updated_at),
    heard_at: Math.round(heard_at),
    ended_at: rounded(ended_at),
    end_cause,
    live_after: rounded(live_after),
    session_time,
    counter_up,
    counter_down,
    gigawords_seen,
    bytes_up,
    bytes_down,
    reopened_after: rounded(reopened_after),
    odd,
    uncounted_up,
    uncounted_down,
  }
  const place = { rat, mccmnc, imei, cell, ip, heard_from }
  const state = { superseded: false, revision, counted: false, charged: null, write: null }
  return { account_id, id, sim_id, asset_id, kept, imsi, ...place, cut, cut_asked_at, forbidden, ...state }
}
