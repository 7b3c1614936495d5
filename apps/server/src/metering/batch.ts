import { interimInterval } from './access/access-rules.ts'
import { findPoolAllowances, type Allowance } from './access/pool-allowance.ts'
import { networkRefusal } from '@masthead/contract/network-groups/rules'
import { BatchChanges, showsNetwork } from './batch-changes.ts'
import type { ConnectionEvent } from './connections/connection-events.ts'
import { BatchSessions, droppedAmong, type FoundGateways, gatewaysOf, keyOf, quarantinedSince, senderOf } from './batch-sessions.ts'
import type { MeterConnection } from './meter-connection.ts'
import { type FoundSim, findOwnSims, findSimsOf, isNewDevice } from './meter-sims.ts'
import { writeBatch } from './parts/write-batch.ts'
import { type LiveSession, newSession } from './sessions/live-session.ts'
import { beginsAnew } from './sessions/possible-usage.ts'
import type { SetAside } from './quarantine.ts'
import { type SessionReading, causesOfCuts } from './reading.ts'
import type { SessionCache } from './sessions/session-cache.ts'
import {
  type Applied,
  type Effect,
  applyPacket,
  beganAfter,
  beganAt,
  beginAnew,
  beginBaseline,
  leftOut,
  wentOn,
} from './sessions/session-rules.ts'

/** What a committed batch did: for the figures and for notifying open consoles. */
export type BatchResult = {
  effects: Map<Effect | 'quarantined', number>
  /** Accounts with new usage, and accounts where a session began or ended. */
  counted: Set<string>
  sessions: Set<string>
  /** What happened on the way to the network. */
  events: readonly ConnectionEvent[]
}

/** `today`: the day in UTC. `now`: by a clock that may be set back. `fastest`: the fastest link there is, in bytes per second. */
export type BatchSettings = { today: string; now: Date; fastest: number }

/**
 * Readings of sessions, on an open connection: one transaction, in order. Resolves once it is committed. After a rejection the cache knows
 * of these sessions what never was: forget it. A reading may have arrived in an earlier month than the current one (quarantine).
 */
export async function countBatch(
  db: MeterConnection,
  readings: readonly SessionReading[],
  cache: SessionCache<LiveSession>,
  { today, now, fastest }: BatchSettings
): Promise<BatchResult> {
  const sessions = await BatchSessions.load(db, readings, cache)
  const beginning = thoseThatMayBegin(readings, sessions)
  const unknown = beginning.filter((reading) => !sessions.get(keyOf(reading)))
  const [isDropped, waitingSince, gateways, simOf, ownSims] = await Promise.all([
    droppedAmong(db, unknown),
    quarantinedSince(db, unknown),
    gatewaysOf(db, beginning),
    beginning.length > 0 ? findSimsOf(db, beginning, today) : () => null,
    findOwnSims(db, overAmong(readings, sessions)),
  ])
  const renamed = readings.map((reading) => partOfOther(reading, gateways) ?? sessions.asBefore(reading, simOf) ?? reading)
  if (renamed.some((reading, i) => reading !== readings[i]))
    return countBatch(db, renamed, cache, { today, now, fastest }).catch((error: unknown) => {
      // Whoever asked forgets them by the keys that were reported.
      cache.forget(renamed.map(keyOf))
      throw error
    })
  const starting = beginning.filter((reading) => reading.kind === 'start' || !sessions.get(keyOf(reading)))
  const inPools = starting.flatMap((reading) => {
    const sim = simOf(reading)
    return sim?.in_pool ? [{ ...sim, mccmnc: reading.mccmnc }] : []
  })
  const allowanceOf = await findPoolAllowances(db, inPools, today)
  const fedTo = new Map([...ownSims].map(([sim_id, { fed_to }]) => [sim_id, fed_to]))
  const changes = new BatchChanges({ today, now, at: new Date(readings.at(-1)!.received_at), over: sessions.over })
  const result: BatchResult = { effects: new Map(), counted: new Set(), sessions: new Set(), events: changes.events }
  const tally = (effect: Effect | 'quarantined') => result.effects.set(effect, (result.effects.get(effect) ?? 0) + 1)
  for (const report of readings) {
    const key = keyOf(report)
    const live = sessions.get(key)
    const after = live !== undefined && beganAfter(live.kept, report)
    const anew = live !== undefined && beginsAnew(live.kept, report)
    if (!live && !report.is_matched && isDropped(report)) {
      changes.beforeRecords.push({ ...report, event_at: report.received_at, is_timed: false })
      tally('late')
      continue
    }
    const isLater = live !== undefined && (after || anew || wentOn(live.kept, report))
    const named = simOf(report)
    if (named) fedTo.set(named.id, named.fed_to)
    const sim = !live || isLater ? named : null
    const isNobodys = !live || ((anew || (after && live.kept.ended_at !== null)) && isIdentified(report))
    // It was believed closed when its SIM left the account, which has nothing to do with what is used under its key from then on.
    const hasLeft = isLater && live.kept.ended_at !== null && ownSims.get(live.sim_id)?.is_gone === true
    if (!sim && (isNobodys || hasLeft)) {
      if (live) changes.seen.add(live)
      // It goes on at its gateway, and nobody pays for it.
      if (hasLeft && report.kind !== 'stop') changes.going.push(live)
      changes.quarantined.push(report)
      tally('quarantined')
      continue
    }
    const anothers = live && sim && sim.id !== live.sim_id
    const before = !live || anothers ? reasonOfBaseline(report, sim!, { gateways, waitingSince }) : null
    const sim_id = sim?.id ?? live!.sim_id
    const isOpen = (live?.kept.ended_at !== null || anothers) && sessions.isOpenElsewhere(report, sim_id)
    if (isOpen || (!before && (!live || anothers || anew) && sessions.wasElsewhere(report, sim_id))) {
      if (live) changes.seen.add(live)
      const [up, down] = [report.counter_up ?? 0, report.counter_down ?? 0]
      changes.setAside.push({ reading: report, reason: isOpen ? 'elsewhere' : 'was_elsewhere', session: null, up, down })
      tally('quarantined')
      continue
    }
    const reading = live && !anothers && !anew && isOurCut(live, report) ? { ...report, end_cause: 'Cut by Masthead' } : report
    const judged = before
      ? beginBaseline(reading, live ? (live.kept.ended_at ?? live.kept.updated_at) : null)
      : anothers
        ? beginAnew(live.kept, reading, fastest)
        : applyPacket(live?.kept ?? null, reading, fastest)
    const isNew = !live || anothers || judged.effect === 'begun_anew'
    if (!isNew && named?.id !== live.sim_id && namesAnother(live, report) && !leavesAsIs.has(judged.effect)) {
      changes.seen.add(live)
      const [up, down] = [report.counter_up ?? 0, report.counter_down ?? 0]
      changes.setAside.push({ reading: report, reason: 'another_sim', session: null, up, down })
      tally('quarantined')
      continue
    }
    const of = live && !anothers ? live : { account_id: sim!.account_id, sim_id: sim!.id }
    // Also where the packet does not say whose it is.
    const fed_to = fedTo.get(of.sim_id) ?? null
    const isLeft = !before && live && !anothers && fed_to !== null && isFed(live, report, fed_to, isNew ? null : judged)
    const fed = isLeft ? ('counted_by_feed' as const) : null
    const applied = !fed ? judged : isNew ? beginBaseline(reading, live!.kept.ended_at) : leftOut(judged)
    const { session, delta_up, delta_down, effect } = applied
    tally(effect)
    const isFromBefore = isNew ? beganAt(report) < (fed_to ?? -Infinity) : live.kept.ended_at !== null && session.ended_at === null
    if (fed_to !== null && isFromBefore && !isOfFeed(report))
      changes.goneOn.push({ account_id: of.account_id, sim_id: of.sim_id, at: report.event_at })
    const from = Math.min(isNew ? beganAt(reading) : live.kept.updated_at, reading.event_at)
    if (isNew) {
      if (live) result.sessions.add(live.account_id)
      for (const older of sessions.takeOlder(key)) giveUpKey(changes, older)
      const begun = begin(changes, reading, applied, sim && { ...sim, pools: allowanceOf({ ...sim, mccmnc: reading.mccmnc }) }, live)
      sessions.set(reading, begun)
      result.sessions.add(begun.account_id)
    } else if (session !== live.kept) {
      if (live.kept.ended_at !== session.ended_at) result.sessions.add(live.account_id)
      const isShown = showsNetwork(live, reading)
      changes.move(live, session, reading)
      if (isShown) judgeNetwork(changes, live, reading, simOf(report))
    } else {
      changes.seen.add(live)
      if (reading.kind !== 'stop') changes.going.push(live)
      continue
    }
    const counted = sessions.get(key)!
    if (before || fed || effect === 'impossible') setAside(changes, counted, reading, before ?? fed ?? 'impossible')
    if (reading.kind !== 'stop') changes.going.push(counted)
    if (ownSims.get(counted.sim_id)?.is_gone) changes.gone.add(counted)
    changes.counted.push({ live: counted, reading, from, up: delta_up, down: delta_down })
    if (delta_up > 0 || delta_down > 0) result.counted.add(counted.account_id)
  }
  await writeBatch(db, changes)
  sessions.keepIn(cache)
  return result
}

/** Readings whose SIM is wanted: of sessions nobody knows, of those that may have the key of one that is over, and of devices on a network that was not known. */
function thoseThatMayBegin(readings: readonly SessionReading[], sessions: BatchSessions): SessionReading[] {
  const stopped = new Set<string>()
  /** The highest session time of those that came before in the batch, and of what is kept. */
  const times = new Map<string, number>()
  return readings.filter((reading) => {
    const key = keyOf(reading)
    const live = sessions.get(key)
    const [time, highest] = [reading.session_time ?? 0, times.get(key)]
    const may =
      !live ||
      live.kept.ended_at !== null ||
      showsNetwork(live, reading) ||
      beganAfter(live.kept, reading) ||
      beginsAnew(live.kept, reading) ||
      wentOn(live.kept, reading) ||
      namesAnother(live, reading) ||
      // What comes before it in the batch may be what it began after.
      (highest !== undefined && (reading.kind === 'start' || stopped.has(key) || time < highest))
    if (reading.kind === 'stop') stopped.add(key)
    times.set(key, Math.max(time, highest ?? live?.kept.session_time ?? 0))
    return may
  })
}

/** Sessions that are over, and those that a Stop of the batch ends before more is reported under their keys. */
function overAmong(readings: readonly SessionReading[], sessions: BatchSessions): LiveSession[] {
  const stopped = new Set<string>()
  return readings.flatMap((reading) => {
    const key = keyOf(reading)
    const live = sessions.get(key)
    const isOver = live !== undefined && (live.kept.ended_at !== null || stopped.has(key))
    if (reading.kind === 'stop') stopped.add(key)
    return isOver ? [live] : []
  })
}

/** The reading as one of the gateway that its own was joined to while it waited; undefined where it was not. */
function partOfOther(reading: SessionReading, gateways: FoundGateways): SessionReading | undefined {
  const into = gateways.get(senderOf(reading))?.joined_into
  return into ? { ...reading, gateway_id: into } : undefined
}

/** Why the usage that a first packet brings is not ours to count: it was used before the first report. Staff said otherwise of what they matched. */
function reasonOfBaseline(
  reading: SessionReading,
  sim: FoundSim,
  { gateways, waitingSince }: { gateways: FoundGateways; waitingSince: (reading: SessionReading) => number }
) {
  if (reading.is_matched) return null
  const began = Math.min(beganAt(reading), waitingSince(reading))
  if (began < Math.floor((gateways.get(senderOf(reading))?.added_at ?? 0) / 1000) * 1000) return 'before_gateway'
  if (began < Math.floor(sim.created_at / 1000) * 1000) return 'before_sim'
  // What a feed counted already a gateway's first report would count again.
  return !isOfFeed(reading) && sim.fed_to !== null && began < sim.fed_to ? 'counted_by_feed' : null
}

/** A record of a feed is a session of the feed itself. */
const isOfFeed = ({ nas, gateway_id }: SessionReading) => nas === gateway_id

/** Whether a feed of records counted what is reported of a session that was over: it goes on (`counted`), or another one under its id began before the feed's last record ended. */
function isFed({ kept }: LiveSession, reading: SessionReading, fed_to: number, counted: Applied | null): boolean {
  if (kept.ended_at === null || isOfFeed(reading) || reading.is_matched) return false
  return counted ? counted.delta_up + counted.delta_down > 0 && fed_to > kept.updated_at : beganAt(reading) < fed_to
}

function setAside(changes: BatchChanges, live: LiveSession, reading: SessionReading, reason: SetAside['reason']) {
  const { odd, uncounted_up, uncounted_down } = live.kept
  const [up, down] = [uncounted_up + (odd?.delta_up ?? 0), uncounted_down + (odd?.delta_down ?? 0)]
  if (up + down > 0) changes.setAside.push({ reading, reason, session: live, up, down })
}

const leavesAsIs: ReadonlySet<Effect> = new Set(['late', 'duplicate', 'known'])

/** By another IMSI than its session's, where two gateways give the same name and id: nobody pays for what another SIM used. */
const namesAnother = ({ imsi }: LiveSession, reading: SessionReading) => imsi !== null && reading.imsi !== null && reading.imsi !== imsi

const isIdentified = ({ imsi, msisdn, user_name }: SessionReading) => imsi !== null || msisdn !== null || user_name !== null

/** A device that ends its session while we still ask the gateway to did it by itself; an answer that we get later says otherwise. */
const isOurCut = ({ cut }: LiveSession, { kind, end_cause }: SessionReading) =>
  kind === 'stop' && (cut === 'ack' || (cut === 'asked' && (end_cause === null || causesOfCuts.has(end_cause))))

/** A new session: of `sim`, or, when its packet does not say whose it is, of the SIM whose session had its key before. */
function begin(
  changes: BatchChanges,
  reading: SessionReading,
  { session }: Applied,
  sim: (FoundSim & { pools: Allowance }) | null,
  before: LiveSession | undefined
): LiveSession {
  const { account_id, sim_id } = sim ? { account_id: sim.account_id, sim_id: sim.id } : before!
  const live = newSession({ account_id, sim_id, asset_id: (sim ?? before!).asset_id }, reading, session)
  // As of a SIM that had no session here.
  const alone = before?.kept.ended_at !== null || before.sim_id !== sim_id
  if (before) giveUpKey(changes, before)
  // As its Access-Request was answered.
  const interim_seconds = sim && Math.min(interimInterval({ limit: sim.limit_bytes, used: sim.limit_used }), interimInterval(sim.pools))
  changes.inserted.push({ live, reading, interim_seconds, anew: sim === null, alone })
  judgeNetwork(changes, live, reading, sim)
  if (!sim || sim.state === 'ready' || sim.state === 'standby') changes.live.push({ account_id, sim_id })
  if (sim && reading.imei && isNewDevice(sim, reading.imei)) {
    changes.imeis.push({ account_id, sim_id, imei: reading.imei })
    if (sim.imei && sim.imei !== reading.imei) changes.note(live, reading, 'imei_changed', [sim.imei, reading.imei])
  }
  return live
}

/** Another session has its key from now on. */
function giveUpKey(changes: BatchChanges, live: LiveSession) {
  const { kept } = live
  if (kept.ended_at === null) changes.move(live, { ...kept, ended_at: kept.updated_at, end_cause: 'Lost stop' }, null)
  changes.supersede(live)
}

/** Whether a session may be where it is now. A reading that does not say whose it is leaves that as it was. */
function judgeNetwork(changes: BatchChanges, live: LiveSession, reading: SessionReading, sim: FoundSim | null) {
  if (!sim || sim.id !== live.sim_id) return
  const before = live.forbidden
  // A report that names no network is on the one before, whose pools were asked about then.
  const isKept = reading.mccmnc === null && sim.pools_may_refuse && (sim.in_pool || live.mccmnc !== null)
  const ofPools = isKept ? before : sim.pool_refusal
  live.forbidden = (sim.rules && networkRefusal(sim.rules, live)?.words) ?? ofPools
  if (live.forbidden !== null && live.forbidden !== before) changes.note(live, reading, 'forbidden', [null, null], live.forbidden)
}
