/**
 * How an accounting packet changes a session. Pure; one call per packet, in the order of arrival.
 * Times are milliseconds since 1970, counters and bytes whole numbers up to 2^53 − 1, session times seconds.
 */
import { beginsAnew, continues, isUntimed, mostBetween, mostOfFirst, oddOf, repeats, rounding, type OddPacket } from './possible-usage.ts'
import { believedTime, past } from './wrong-times.ts'

/** What is kept of a session to judge its next packet. */
export type KeptSession = {
  started_at: number
  /** Event time of the last packet that counted. */
  updated_at: number
  /** Its arrival. */
  heard_at: number
  ended_at: number | null
  end_cause: string | null
  /** An interim of later than this shows that a session believed closed goes on. Null: it is open, or said itself that it is over. */
  live_after: number | null
  /** The highest Acct-Session-Time; null when none was ever given. */
  session_time: number | null
  /** High water, as reported. */
  counter_up: number
  counter_down: number
  gigawords_seen: boolean
  /** What was counted; never falls. */
  bytes_up: number
  bytes_down: number
  /** Up to when packets under this key are of the session that had it before: that was closed, and this one had not begun. */
  reopened_after: number | null
  /** The last packet, when it reported more than any link carries: the next one says whether its counters go on. */
  odd: OddPacket | null
  /** What was reported and not counted, because it cannot be or was from before our time. Staff may have it counted. */
  uncounted_up: number
  uncounted_down: number
}

/** What a packet says of its session. A counter it does not give is null. */
export type SessionPacket = {
  kind: 'start' | 'interim' | 'stop'
  event_at: number
  /** It says itself when it happened (Event-Timestamp). */
  is_timed: boolean
  received_at: number
  session_time: number | null
  counter_up: number | null
  counter_down: number | null
  has_gigawords: boolean
  end_cause: string | null
  /** Staff said whose it is: it counts, however long ago it began, and arrived. */
  is_matched?: boolean
}

export type Effect =
  | 'begun'
  | 'begun_anew'
  | 'baseline'
  | 'counted'
  | 'wrapped'
  | 'reset'
  | 'rebased'
  | 'late'
  | 'duplicate'
  | 'known'
  | 'impossible'

/** `session` is the very same object when nothing changed. */
export type Applied = { session: KeptSession; delta_up: number; delta_down: number; effect: Effect }

const wrapAt = 2 ** 32

/** When the session of a packet began, by its own account. */
export const beganAt = ({ event_at, session_time }: Pick<SessionPacket, 'event_at' | 'session_time'>) =>
  event_at - (session_time ?? 0) * 1000

/**
 * Whether what a packet is of began when this session was over. Gateways use ids again, for other SIMs too, and the start may be lost; that of
 * another SIM also says that a session still open is over.
 */
export function beganAfter(
  { ended_at, updated_at }: Pick<KeptSession, 'ended_at' | 'updated_at'>,
  packet: Pick<SessionPacket, 'event_at' | 'received_at' | 'session_time' | 'is_matched'> & { kind: string }
): boolean {
  const starts = packet.kind === 'start' && !packet.session_time
  if (!starts && (packet.session_time === null || ended_at === null)) return false
  return beganAt(packet) > past(ended_at ?? updated_at, packet)
}

/** A session that was believed closed lasted longer, as this packet says: its SIM may be somebody else's by now. */
export const wentOn = ({ live_after }: Pick<KeptSession, 'live_after'>, packet: SessionPacket): boolean =>
  live_after !== null && isAfter(live_after, packet)

const day = 86_400_000 // ms

/**
 * Whether what begins at one gateway is a session that is over at another one, of the same SIM, name and id: it began before that was over. One that
 * does not say when it began is that one if it comes within a day and no counter is lower.
 */
export function isSameSession({ ended_at, heard_at, counter_up, counter_down }: KeptSession, packet: SessionPacket): boolean {
  if (ended_at === null) return false
  if (packet.kind === 'start' || packet.session_time !== null) return beganAt(packet) <= past(ended_at, packet)
  if (packet.received_at - past(heard_at, packet) > day) return false
  return (packet.counter_up ?? counter_up) >= counter_up && (packet.counter_down ?? counter_down) >= counter_down
}

/** A session under a key that another SIM's had, which is over. `fastest`: the fastest link there is, in bytes per second. */
export const beginAnew = (before: KeptSession, packet: SessionPacket, fastest: number): Applied =>
  first(packet, before.ended_at ?? before.updated_at, fastest)

/** A session that ran before its usage was ours to count: what it brings is where it counts from. */
export function beginBaseline(packet: SessionPacket, reopened_after: number | null = null): Applied {
  const { session, delta_up, delta_down } = begin(packet, reopened_after)
  const uncounted = { bytes_up: 0, bytes_down: 0, uncounted_up: delta_up, uncounted_down: delta_down }
  return { session: { ...session, ...uncounted }, delta_up: 0, delta_down: 0, effect: 'baseline' }
}

/** What a session reports of a time in which its usage was not ours to count: its counters are where it counts from. */
export function leftOut({ session, delta_up, delta_down }: Applied): Applied {
  const uncounted = {
    bytes_up: session.bytes_up - delta_up,
    bytes_down: session.bytes_down - delta_down,
    uncounted_up: Math.min(session.uncounted_up + delta_up, Number.MAX_SAFE_INTEGER),
    uncounted_down: Math.min(session.uncounted_down + delta_down, Number.MAX_SAFE_INTEGER),
  }
  return { session: { ...session, ...uncounted }, delta_up: 0, delta_down: 0, effect: 'baseline' }
}

/** The table of sessions: which row a packet falls under, and what that does. `fastest`: the fastest link there is, in bytes per second. */
export function applyPacket(session: KeptSession | null, packet: SessionPacket, fastest: number): Applied {
  if (session === null) return first(packet, null, fastest)
  return applyBelieved(session, beginsAnew(session, packet) ? packet : believedTime(session, packet), fastest)
}

function applyBelieved(session: KeptSession, packet: SessionPacket, fastest: number): Applied {
  if (session.reopened_after !== null && packet.event_at <= past(session.reopened_after, packet)) return nothing(session, 'late')
  if (beginsAnew(session, packet)) {
    const begun = begin(packet, session.ended_at ?? session.updated_at)
    return isPossible(begun, mostOfFirst(packet, fastest)) ? begun : closing(doubted(session, packet, begun, fastest), session, packet)
  }
  if (packet.kind === 'start') return nothing(session, 'known')
  const applied = count(session, packet)
  if (applied.effect === 'late' || applied.effect === 'duplicate') return closing(applied, session, packet)
  const isBelieved = isPossible(applied, mostBetween(session, packet, fastest)) && !(session.odd && repeats(session.odd, packet))
  return closing(isBelieved ? applied : doubted(session, packet, applied, fastest), session, packet)
}

const isPossible = ({ delta_up, delta_down }: Applied, most: number) => delta_up <= most && delta_down <= most

/** A packet that reports more than can be changes nothing, unless it goes on from one before it: then those counters are where it counts from. */
function doubted(kept: KeptSession, packet: SessionPacket, claimed: Applied, fastest: number): Applied {
  const { odd } = kept
  if (odd === null || packet.kind === 'start' || !continues(odd, packet, fastest)) {
    return { session: { ...kept, odd: oddOf(packet, kept, claimed) }, delta_up: 0, delta_down: 0, effect: 'impossible' }
  }
  const base = standOn(kept, odd)
  const [up, down] = [packet.counter_up ?? base.counter_up, packet.counter_down ?? base.counter_down]
  return moved(base, packet, up - base.counter_up, down - base.counter_down, 'rebased')
}

/** The session with the counters of an odd packet as those it counts from. */
const standOn = (kept: KeptSession, odd: OddPacket): KeptSession => ({
  ...kept,
  updated_at: odd.event_at,
  heard_at: odd.received_at,
  session_time: odd.session_time ?? kept.session_time,
  counter_up: odd.counter_up,
  counter_down: odd.counter_down,
  gigawords_seen: kept.gigawords_seen || odd.has_gigawords,
  odd: null,
  // As much as a number holds: nobody accepts a petabyte.
  uncounted_up: Math.min(kept.uncounted_up + odd.delta_up, Number.MAX_SAFE_INTEGER),
  uncounted_down: Math.min(kept.uncounted_down + odd.delta_down, Number.MAX_SAFE_INTEGER),
})

const isAfter = (live_after: number, packet: SessionPacket) => packet.event_at > past(live_after, packet)

/** The table of states: what a packet that is not late says of whether its session goes on. */
function closing(applied: Applied, before: KeptSession, packet: SessionPacket): Applied {
  const { kind, event_at, end_cause } = packet
  const { session, effect } = applied
  if (effect === 'late' || kind === 'start') return applied
  if (kind === 'stop') {
    if (session.ended_at === null) applied.session = { ...session, ended_at: Math.max(session.updated_at, event_at), end_cause }
    else if (session.live_after !== null) applied.session = { ...session, live_after: null }
  } else if (before.live_after !== null && isAfter(before.live_after, packet) && effect !== 'duplicate' && effect !== 'impossible') {
    applied.session = { ...session, ended_at: null, end_cause: null, live_after: null }
  }
  return applied
}

/** A session nobody knew. One whose first packet reports more than can be begins with nothing. */
function first(packet: SessionPacket, reopened_after: number | null, fastest: number): Applied {
  const begun = begin(packet, reopened_after)
  if (isPossible(begun, mostOfFirst(packet, fastest))) return begun
  const nothingYet = { counter_up: 0, counter_down: 0, bytes_up: 0, bytes_down: 0, session_time: packet.session_time && 0 }
  const began = Math.max(beganAt(packet), packet.received_at - 86_400_000)
  const session = { ...begun.session, ...nothingYet, gigawords_seen: false, updated_at: began, heard_at: began }
  return { session: { ...session, odd: oddOf(packet, session, begun) }, delta_up: 0, delta_down: 0, effect: 'impossible' }
}

function begin(packet: SessionPacket, reopened_after: number | null): Applied {
  const { kind, event_at, session_time, has_gigawords } = packet
  const up = packet.counter_up ?? 0
  const down = packet.counter_down ?? 0
  const session: KeptSession = {
    started_at: beganAt(packet),
    updated_at: event_at,
    heard_at: packet.received_at,
    ended_at: kind === 'stop' ? event_at : null,
    end_cause: kind === 'stop' ? packet.end_cause : null,
    live_after: null,
    // A start says 0 without saying so: a clock that is set back after it makes nothing late.
    session_time: session_time ?? (kind === 'start' ? 0 : null),
    counter_up: up,
    counter_down: down,
    gigawords_seen: has_gigawords,
    bytes_up: up,
    bytes_down: down,
    reopened_after: reopened_after && Math.max(reopened_after, beganAt(packet) - (kind === 'start' ? 1 : rounding)),
    odd: null,
    uncounted_up: 0,
    uncounted_down: 0,
  }
  return { session, delta_up: up, delta_down: down, effect: reopened_after === null ? 'begun' : 'begun_anew' }
}

const nothing = (session: KeptSession, effect: Effect): Applied => ({ session, delta_up: 0, delta_down: 0, effect })

/** Below 0: older than what is kept; 0: of the same moment; above 0: newer. */
const age = (kept: KeptSession, packet: SessionPacket): number =>
  packet.session_time !== null && kept.session_time !== null
    ? packet.session_time - kept.session_time
    : packet.event_at - past(kept.updated_at, packet)

function count(kept: KeptSession, packet: SessionPacket): Applied {
  const up = packet.counter_up ?? kept.counter_up
  const down = packet.counter_down ?? kept.counter_down
  const [moreUp, moreDown] = [up - kept.counter_up, down - kept.counter_down]
  if (isUntimed(packet)) return countUntimed(kept, packet, moreUp, moreDown)
  const newer = age(kept, packet)
  if (newer < 0) return nothing(kept, 'late')
  if (newer === 0 && moreUp === 0 && moreDown === 0) return nothing(kept, 'duplicate')
  if (moreUp >= 0 && moreDown >= 0) return moved(kept, packet, moreUp, moreDown, 'counted')
  // Of the same second and lower: overtaken on the way, for nothing wraps or starts over within it.
  if (newer === 0) return nothing(kept, 'late')
  if (!kept.gigawords_seen && !packet.has_gigawords) {
    const wraps = (before: number, now: number, otherBefore: number, otherMore: number) =>
      before < wrapAt && ((before >= wrapAt / 2 && now < wrapAt / 2) || (otherMore > 0 && otherBefore > 0))
    if (moreDown >= 0 && wraps(kept.counter_up, up, kept.counter_down, moreDown))
      return moved(kept, packet, moreUp + wrapAt, moreDown, 'wrapped')
    if (moreUp >= 0 && wraps(kept.counter_down, down, kept.counter_up, moreUp))
      return moved(kept, packet, moreUp, moreDown + wrapAt, 'wrapped')
  }
  // A gateway that starts over does so with both counters.
  return moved(kept, packet, packet.counter_up ?? 0, packet.counter_down ?? 0, 'reset')
}

/** What does not say when it was may be an old one: each counter counts what it exceeds the kept one by. */
function countUntimed(kept: KeptSession, packet: SessionPacket, moreUp: number, moreDown: number): Applied {
  if (moreUp <= 0 && moreDown <= 0) {
    if (moreUp < 0 || moreDown < 0) return nothing(kept, 'late')
    if (kept.ended_at !== null) return nothing(kept, 'duplicate')
  }
  const [up, down] = [Math.max(0, moreUp), Math.max(0, moreDown)]
  const applied = moved(kept, packet, up, down, 'counted')
  applied.session.counter_up = kept.counter_up + up
  applied.session.counter_down = kept.counter_down + down
  return applied
}

function moved(kept: KeptSession, packet: SessionPacket, delta_up: number, delta_down: number, effect: Effect): Applied {
  const session: KeptSession = {
    started_at: kept.started_at,
    updated_at: isUntimed(packet) ? Math.max(past(kept.updated_at, packet), packet.event_at) : packet.event_at,
    heard_at: Math.max(past(kept.heard_at, packet), packet.received_at),
    ended_at: kept.ended_at,
    end_cause: kept.end_cause,
    live_after: kept.live_after,
    session_time: packet.session_time ?? kept.session_time,
    counter_up: packet.counter_up ?? kept.counter_up,
    counter_down: packet.counter_down ?? kept.counter_down,
    gigawords_seen: kept.gigawords_seen || packet.has_gigawords,
    bytes_up: kept.bytes_up + delta_up,
    bytes_down: kept.bytes_down + delta_down,
    reopened_after: kept.reopened_after,
    odd: null,
    uncounted_up: kept.uncounted_up,
    uncounted_down: kept.uncounted_down,
  }
  return { session, delta_up, delta_down, effect }
}
