import type { KeptSession, SessionPacket } from './session-rules.ts'

const day = 86_400_000 // ms

/** A time that is kept, unless it is of later than now can be: our own clock was ahead when it was written, and nobody waits for that time. */
export const past = (kept: number, { received_at, is_matched }: Pick<SessionPacket, 'received_at' | 'is_matched'>) =>
  kept > received_at + day && !is_matched ? -Infinity : kept

/**
 * A session has not lasted a day longer than since it was last seen, by any clock. A session time that says so is garbled, or the gateway's clock
 * was set, and counts as absent: kept, it would make all that comes after it late. Where the first one was garbled, it is kept: then one that is a day
 * lower, of a packet that came about later, counts as absent.
 */
export function believedTime(kept: Pick<KeptSession, 'session_time' | 'heard_at' | 'updated_at'>, packet: SessionPacket): SessionPacket {
  if (packet.session_time === null || kept.session_time === null || packet.kind === 'start') return packet
  const updated_at = past(kept.updated_at, packet)
  const passed = Math.max(0, packet.received_at - past(kept.heard_at, packet), packet.event_at - updated_at)
  const moved = (packet.session_time - kept.session_time) * 1000
  return moved > passed + day || (moved < -day && packet.event_at > updated_at) ? { ...packet, session_time: null } : packet
}
