import { newId } from '@masthead/contract/kernel/id'
import { interimInterval } from './access-rules.ts'
import { textArray } from './array-columns.ts'
import { type LiveSession, type SessionRow, findSessions, findSessionsSince } from './batch-statements.ts'
import { BatchWrites } from './batch-writes.ts'
import type { MeterConnection } from './meter-connection.ts'
import { type FoundSim, findSimsOf } from './meter-sims.ts'
import { type SessionReading, causesOfCuts } from './reading.ts'
import type { SessionCache } from './session-cache.ts'
import { type Effect, type KeptSession, applyPacket, beganAfter, beganAt, beginAnew } from './session-rules.ts'

/** What a committed batch did: for the figures and for telling open consoles. */
export type BatchResult = {
  effects: Map<Effect | 'quarantined', number>
  /** Accounts with new usage, and accounts where a session began or ended. */
  counted: Set<string>
  sessions: Set<string>
}

/**
 * Readings of sessions, on an open connection: one transaction, in order. Resolves once it is committed. After a rejection the cache knows
 * what never was: clear it. `month` is the current one; a reading may have arrived in an earlier one (quarantine).
 */
export async function countBatch(
  db: MeterConnection,
  readings: readonly SessionReading[],
  cache: SessionCache,
  month: string
): Promise<BatchResult> {
  const sessions = await loadSessions(db, readings, cache)
  const beginning = thoseThatMayBegin(readings, sessions)
  const unknown = beginning.filter((reading) => !sessions.has(keyOf(reading)))
  const isDropped = await droppedAmong(db, unknown)
  const simOf = beginning.length > 0 ? await findSimsOf(db, beginning, month) : () => null
  const writes = new BatchWrites({ month, at: new Date(readings.at(-1)!.received_at) })
  const result: BatchResult = { effects: new Map(), counted: new Set(), sessions: new Set() }
  const tally = (effect: Effect | 'quarantined') => result.effects.set(effect, (result.effects.get(effect) ?? 0) + 1)
  for (const told of readings) {
    const key = keyOf(told)
    const live = sessions.get(key)
    const after = live !== undefined && beganAfter(live.kept, told)
    if (!live && isDropped(told)) {
      tally('late')
      continue
    }
    const sim = !live || after ? simOf(told) : null
    if (!sim && (!live || (after && live.kept.ended_at !== null && isIdentified(told)))) {
      if (live) writes.leave(live)
      writes.quarantine(told)
      tally('quarantined')
      continue
    }
    const anothers = live && sim && sim.id !== live.sim_id
    const reading = live && !anothers && isOurCut(live, told) ? { ...told, end_cause: 'Cut by Masthead' } : told
    const { session, delta_up, delta_down, effect } = anothers ? beginAnew(live.kept, reading) : applyPacket(live?.kept ?? null, reading)
    tally(effect)
    if (!live || effect === 'begun_anew') {
      if (live) result.sessions.add(live.account_id)
      const begun = begin(writes, reading, session, sim, live)
      sessions.set(key, begun)
      result.sessions.add(begun.account_id)
    } else if (session !== live.kept) {
      if (live.kept.ended_at !== session.ended_at) result.sessions.add(live.account_id)
      writes.move(live, session, effect === 'late' ? null : reading)
    } else {
      writes.leave(live)
      continue
    }
    const counted = sessions.get(key)!
    writes.count(counted, reading, delta_up, delta_down)
    if (delta_up > 0 || delta_down > 0) {
      writes.record(counted, reading, delta_up, delta_down)
      result.counted.add(counted.account_id)
    }
  }
  await writes.commit(db)
  for (const [key, live] of sessions) cache.keep(key, live)
  return result
}

/** Readings whose SIM is wanted: of sessions nobody knows, and of those that may have the key of one that is over. */
function thoseThatMayBegin(readings: readonly SessionReading[], sessions: ReadonlyMap<string, LiveSession>): SessionReading[] {
  const stopped = new Set<string>()
  return readings.filter((reading) => {
    const key = keyOf(reading)
    const live = sessions.get(key)
    const may = !live || stopped.has(key) || beganAfter(live.kept, reading)
    if (reading.kind === 'stop') stopped.add(key)
    return may
  })
}

const isIdentified = ({ imsi, msisdn, user_name }: SessionReading) => imsi !== null || msisdn !== null || user_name !== null

/** The session a reading is of. Between its parts stands what no name can hold: the codec shows control characters as text. */
export const keyOf = ({ nas, acct_session_id }: { nas: string; acct_session_id: string }) => `${nas}\u0001${acct_session_id}`

/** The known sessions among these keys: from memory, else from the database. */
async function loadSessions(
  db: MeterConnection,
  readings: readonly SessionReading[],
  cache: SessionCache
): Promise<Map<string, LiveSession>> {
  const sessions = new Map<string, LiveSession>()
  const missing = new Map<string, SessionReading>()
  for (const reading of readings) {
    const key = keyOf(reading)
    const live = cache.get(key)
    if (live) sessions.set(key, live)
    else missing.set(key, reading)
  }
  if (missing.size === 0) return sessions
  const wanted = [...missing.values()]
  const rows = await db.run<SessionRow>(findSessions, [
    textArray(wanted.map(({ nas }) => nas)),
    textArray(wanted.map(({ acct_session_id }) => acct_session_id)),
  ])
  for (const row of rows) sessions.set(keyOf({ nas: row[0], acct_session_id: row[1] }), liveSessionOf(row))
  return sessions
}

const longAgo = 30 * 86_400_000 // ms; ended sessions are kept for longer, so that what is younger need not be asked about

/**
 * Whether a session nobody knows is of a time whose ended sessions may have been dropped: then it was counted before it went, and its packet is
 * late. It began so long ago, by its own account, that it cannot be a new one: a session lasts a day at most.
 */
async function droppedAmong(db: MeterConnection, unknown: readonly SessionReading[]): Promise<(reading: SessionReading) => boolean> {
  if (!unknown.some((reading) => beganAt(reading) < reading.received_at - longAgo)) return () => false
  const [[since] = [null]] = await db.run<[number | null]>(findSessionsSince)
  return (reading) => since !== null && beganAt(reading) <= since
}

function liveSessionOf(row: SessionRow): LiveSession {
  const kept: KeptSession = {
    started_at: Math.round(row[6]),
    updated_at: Math.round(row[7]),
    ended_at: row[8] === null ? null : Math.round(row[8]),
    end_cause: row[9],
    session_time: row[10],
    counter_up: row[11],
    counter_down: row[12],
    gigawords_seen: row[13],
    bytes_up: row[14],
    bytes_down: row[15],
    reopened_after: row[16] === null ? null : Math.round(row[16]),
  }
  const [, , account_id, id, sim_id, asset_id] = row
  return {
    account_id,
    id,
    sim_id,
    asset_id,
    kept,
    rat: row[17],
    mccmnc: row[18],
    imei: row[19],
    cell: row[20],
    ip: row[21],
    cut: row[22],
    superseded: false,
    revision: row[23],
    counted: false,
    write: null,
    heard_at: Math.round(row[24]),
  }
}

/** A device that ends its session while we still ask the gateway to did it by itself; an answer that we get later says otherwise. */
const isOurCut = ({ cut }: LiveSession, { kind, end_cause }: SessionReading) =>
  kind === 'stop' && (cut === 'ack' || (cut === 'asked' && (end_cause === null || causesOfCuts.has(end_cause))))

/** A new session: of `sim`, or, when its packet does not say whose it is, of the SIM whose session had its key before. */
function begin(
  writes: BatchWrites,
  reading: SessionReading,
  session: KeptSession,
  sim: FoundSim | null,
  before: LiveSession | undefined
): LiveSession {
  const { account_id, sim_id, asset_id } = sim ? { ...sim, sim_id: sim.id } : before!
  const live = newSession(account_id, sim_id, asset_id, reading, session)
  if (before) {
    const { kept } = before
    if (kept.ended_at === null) writes.move(before, { ...kept, ended_at: kept.updated_at, end_cause: 'Lost stop' }, null)
    writes.supersede(before)
  }
  const interim_seconds = sim && interimInterval({ limit: sim.limit_bytes, used: sim.used })
  writes.insert({ live, reading, interim_seconds, anew: sim === null })
  if (!sim || sim.state === 'ready' || sim.state === 'standby') writes.goesLive(account_id, sim_id)
  if (sim && reading.imei && reading.imei !== sim.imei) writes.reports(account_id, sim_id, reading.imei)
  return live
}

const newSession = (account_id: string, sim_id: string, asset_id: string, reading: SessionReading, kept: KeptSession): LiveSession => ({
  account_id,
  id: newId('session', reading.received_at),
  sim_id,
  asset_id,
  kept,
  rat: reading.rat,
  mccmnc: reading.mccmnc,
  imei: reading.imei,
  cell: reading.cell,
  ip: reading.ip,
  cut: null,
  superseded: false,
  revision: 0,
  write: 'insert',
  counted: false,
  heard_at: reading.received_at,
})
