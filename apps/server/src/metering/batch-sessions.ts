import type { MeterConnection } from './meter-connection.ts'
import { textArray } from '../kernel/array-literals.ts'
import type { SessionReading } from './reading.ts'
import { findSessions, findSessionsSince, type SessionRow } from './sessions/find-sessions.ts'
import type { LiveSession } from './sessions/live-session.ts'
import type { SessionCache } from './sessions/session-cache.ts'
import { type KeptSession, beganAt } from './sessions/session-rules.ts'

type Named = { nas: string; acct_session_id: string }

/** What a session is called, whichever gateway has it. Between its parts stands what no name can hold: the codec shows control characters as text. */
export const nameOf = ({ nas, acct_session_id }: Named) => `${nas}\u0001${acct_session_id}`

/** The session a reading is of. */
export const keyOf = (reading: Named & { gateway_id: string }) => `${reading.gateway_id}\u0001${nameOf(reading)}`

/** The sessions that a batch is about, by their keys, and those of the same names at other gateways. */
export class BatchSessions {
  #byKey = new Map<string, LiveSession>()
  /** Keys by the names that were asked about: what is not, is open here and so nowhere else. */
  #keys = new Map<string, string[]>()

  /** From memory, else from the database. */
  static async load(db: MeterConnection, readings: readonly SessionReading[], cache: SessionCache<LiveSession>): Promise<BatchSessions> {
    const sessions = new BatchSessions()
    const missing = new Map<string, SessionReading>()
    for (const reading of readings) {
      const key = keyOf(reading)
      const live = cache.get(key)
      if (live) sessions.#byKey.set(key, live)
      else missing.set(nameOf(reading), reading)
    }
    if (missing.size === 0) return sessions
    for (const name of missing.keys()) sessions.#keys.set(name, [])
    const wanted = [...missing.values()]
    const names = [textArray(wanted.map(({ nas }) => nas)), textArray(wanted.map(({ acct_session_id }) => acct_session_id))]
    for (const row of await db.run<SessionRow>(findSessions, names)) {
      const [gateway_id, nas, acct_session_id] = row
      // Another gateway's may have changed behind the cache's back, and nothing of it is written that would show that.
      sessions.set({ gateway_id, nas, acct_session_id }, liveSessionOf(row))
    }
    return sessions
  }

  get(key: string): LiveSession | undefined {
    return this.#byKey.get(key)
  }

  set(of: Named & { gateway_id: string }, live: LiveSession) {
    const key = keyOf(of)
    if (!this.#byKey.has(key)) this.#keys.get(nameOf(of))?.push(key)
    this.#byKey.set(key, live)
  }

  /** Whether another gateway has the session of this name, of that SIM, open. */
  isOpenElsewhere(reading: SessionReading, sim_id: string): boolean {
    const keys = this.#keys.get(nameOf(reading))
    if (!keys || keys.length === 0) return false
    const own = keyOf(reading)
    return keys.some((key) => {
      const live = key === own ? undefined : this.#byKey.get(key)
      return live !== undefined && live.kept.ended_at === null && live.sim_id === sim_id
    })
  }

  keepIn(cache: SessionCache<LiveSession>) {
    for (const [key, live] of this.#byKey) cache.keep(key, live)
  }
}

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

const rounded = (ms: number | null) => ms && Math.round(ms)

function liveSessionOf(row: SessionRow): LiveSession {
  const [, , , account_id, id, sim_id, asset_id, started_at, updated_at, heard_at, ended_at, end_cause, live_after, session_time, ...rest] =
    row
  const [counter_up, counter_down, gigawords_seen, bytes_up, bytes_down, reopened_after, odd, uncounted_up, uncounted_down, ...about] = rest
  const [rat, mccmnc, imei, cell, ip, heard_from, cut, cut_asked_at, forbidden, revision] = about
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
  const state = { superseded: false, revision, counted: false, write: null }
  return { account_id, id, sim_id, asset_id, kept, ...place, cut, cut_asked_at, forbidden, ...state }
}
