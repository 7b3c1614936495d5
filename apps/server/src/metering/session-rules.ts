/**
 * How an accounting packet changes a session. Pure; one call per packet, in the order of arrival.
 * Times are milliseconds since 1970, counters and bytes whole numbers up to 2^53 − 1, session times seconds.
 */

/** What is kept of a session to judge its next packet. */
export type KeptSession = {
  started_at: number
  /** Event time of the newest packet. */
  updated_at: number
  ended_at: number | null
  end_cause: string | null
  /** The highest Acct-Session-Time; null when none was ever given. */
  session_time: number | null
  /** High water, as reported. */
  counter_up: number
  counter_down: number
  gigawords_seen: boolean
  /** What was counted; never falls. */
  bytes_up: number
  bytes_down: number
  /** When the session that had this key before was closed: packets from up to then are that session's. */
  reopened_after: number | null
}

/** What a packet says of its session. A counter it does not give is null. */
export type SessionPacket = {
  kind: 'start' | 'interim' | 'stop'
  event_at: number
  session_time: number | null
  counter_up: number | null
  counter_down: number | null
  has_gigawords: boolean
  end_cause: string | null
}

export type Effect = 'begun' | 'begun_anew' | 'counted' | 'wrapped' | 'reset' | 'late' | 'duplicate' | 'known'

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
  packet: Pick<SessionPacket, 'event_at' | 'session_time'> & { kind: string }
): boolean {
  const starts = packet.kind === 'start' && !packet.session_time
  if (!starts && (packet.session_time === null || ended_at === null)) return false
  return beganAt(packet) > (ended_at ?? updated_at)
}

/** A session under a key that another had, which is over. */
export const beginAnew = (before: KeptSession, packet: SessionPacket): Applied => begin(packet, before.ended_at ?? before.updated_at)

/** The table of sessions: which row a packet falls under, and what that does. */
export function applyPacket(session: KeptSession | null, packet: SessionPacket): Applied {
  if (session === null) return begin(packet, null)
  if (session.reopened_after !== null && packet.event_at <= session.reopened_after) return nothing(session, 'late')
  if (packet.kind === 'start') {
    const anew = session.ended_at !== null && !packet.session_time && packet.event_at > session.ended_at
    return anew ? beginAnew(session, packet) : nothing(session, 'known')
  }
  const applied = count(session, packet)
  // A late one closes, too: it was overtaken, and nothing comes after a stop.
  if (packet.kind === 'stop' && applied.session.ended_at === null) {
    const { updated_at } = applied.session
    applied.session = { ...applied.session, ended_at: Math.max(updated_at, packet.event_at), end_cause: packet.end_cause }
  }
  return applied
}

function begin(packet: SessionPacket, reopened_after: number | null): Applied {
  const { kind, event_at, session_time, has_gigawords } = packet
  const up = packet.counter_up ?? 0
  const down = packet.counter_down ?? 0
  const session: KeptSession = {
    started_at: beganAt(packet),
    updated_at: event_at,
    ended_at: kind === 'stop' ? event_at : null,
    end_cause: kind === 'stop' ? packet.end_cause : null,
    // A start says 0 without saying so: a clock that is set back after it makes nothing late.
    session_time: session_time ?? (kind === 'start' ? 0 : null),
    counter_up: up,
    counter_down: down,
    gigawords_seen: has_gigawords,
    bytes_up: up,
    bytes_down: down,
    reopened_after,
  }
  return { session, delta_up: up, delta_down: down, effect: reopened_after === null ? 'begun' : 'begun_anew' }
}

const nothing = (session: KeptSession, effect: Effect): Applied => ({ session, delta_up: 0, delta_down: 0, effect })

/** Below 0: older than what is kept; 0: of the same moment; above 0: newer. */
const age = (kept: KeptSession, packet: SessionPacket): number =>
  packet.session_time !== null && kept.session_time !== null ? packet.session_time - kept.session_time : packet.event_at - kept.updated_at

function count(kept: KeptSession, packet: SessionPacket): Applied {
  const up = packet.counter_up ?? kept.counter_up
  const down = packet.counter_down ?? kept.counter_down
  const newer = age(kept, packet)
  if (newer < 0) return nothing(kept, 'late')
  if (newer === 0 && up === kept.counter_up && down === kept.counter_down) return nothing(kept, 'duplicate')
  const upFell = up < kept.counter_up
  const downFell = down < kept.counter_down
  if (!upFell && !downFell) return moved(kept, packet, up - kept.counter_up, down - kept.counter_down, 'counted')
  // Of the same second and lower: overtaken on the way, for nothing wraps or starts over within it.
  if (newer === 0) return nothing(kept, 'late')
  const mayWrap = !kept.gigawords_seen && !packet.has_gigawords
  const wraps = (before: number, now: number) => mayWrap && before >= wrapAt / 2 && before < wrapAt && now < wrapAt / 2
  if ((!upFell || wraps(kept.counter_up, up)) && (!downFell || wraps(kept.counter_down, down))) {
    const deltaUp = up - kept.counter_up + (upFell ? wrapAt : 0)
    return moved(kept, packet, deltaUp, down - kept.counter_down + (downFell ? wrapAt : 0), 'wrapped')
  }
  // A gateway that starts over does so with both counters.
  return moved(kept, packet, packet.counter_up ?? 0, packet.counter_down ?? 0, 'reset')
}

function moved(kept: KeptSession, packet: SessionPacket, delta_up: number, delta_down: number, effect: Effect): Applied {
  const session: KeptSession = {
    started_at: kept.started_at,
    updated_at: packet.event_at,
    ended_at: kept.ended_at,
    end_cause: kept.end_cause,
    session_time: packet.session_time ?? kept.session_time,
    counter_up: packet.counter_up ?? kept.counter_up,
    counter_down: packet.counter_down ?? kept.counter_down,
    gigawords_seen: kept.gigawords_seen || packet.has_gigawords,
    bytes_up: kept.bytes_up + delta_up,
    bytes_down: kept.bytes_down + delta_down,
    reopened_after: kept.reopened_after,
  }
  return { session, delta_up, delta_down, effect }
}
