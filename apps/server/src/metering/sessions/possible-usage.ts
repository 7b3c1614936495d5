import type { Applied, KeptSession, SessionPacket } from './session-rules.ts'
import { past } from './wrong-times.ts'

/** A packet that reports more than any link carries, and the bytes that it would have counted. */
export type OddPacket = Pick<SessionPacket, 'event_at' | 'received_at' | 'session_time' | 'has_gigawords'> & {
  counter_up: number
  counter_down: number
  delta_up: number
  delta_down: number
}

const least = 60 // s: reports come at whole seconds, and one may wait for another
const day = 86_400 // s

/** A Start has lasted for no time, whether it says so or not. */
const lasted = ({ kind, session_time }: Pick<SessionPacket, 'kind' | 'session_time'>) => session_time ?? (kind === 'start' ? 0 : null)

/** It says in no way when it happened. */
export const isUntimed = ({ session_time, is_timed }: Pick<SessionPacket, 'session_time' | 'is_timed'>) =>
  session_time === null && !is_timed

const mostIn = (seconds: number, fastest: number) => Math.max(least, Math.min(seconds, day)) * fastest

/** The most that the first packet of a session can report, in bytes each way. `fastest`: bytes per second. */
export const mostOfFirst = (packet: Pick<SessionPacket, 'kind' | 'session_time'>, fastest: number) => mostIn(lasted(packet) ?? day, fastest)

type Since = Pick<KeptSession, 'session_time' | 'heard_at' | 'updated_at'>

/** The most that can have been used between what is kept and a packet, in bytes each way. */
export function mostBetween({ session_time, heard_at, updated_at }: Since, packet: SessionPacket, fastest: number): number {
  const moved = secondsBetween(session_time, past(updated_at, packet), packet)
  return mostIn(Math.min(moved, (packet.received_at - past(heard_at, packet)) / 1000), fastest)
}

/** By the session times, else by the times of the gateway's clock, else unknown. */
function secondsBetween(session_time: number | null, event_at: number, packet: SessionPacket): number {
  if (packet.session_time !== null) return packet.session_time - (session_time ?? 0)
  return packet.is_timed ? (packet.event_at - event_at) / 1000 : day
}

/**
 * Whether a packet goes on from the counters of an odd one: newer, no lower, and no more than can be since then. Nothing goes on to the highest
 * number that is read (`RequestRecord`), or from it: it stands for all above it.
 */
export function continues(odd: OddPacket, packet: SessionPacket, fastest: number): boolean {
  const up = (packet.counter_up ?? odd.counter_up) - odd.counter_up
  const down = (packet.counter_down ?? odd.counter_down) - odd.counter_down
  if (up < 0 || down < 0 || Math.max(packet.counter_up ?? 0, packet.counter_down ?? 0) >= Number.MAX_SAFE_INTEGER) return false
  const isNewer = isUntimed(packet)
    ? up + down > 0
    : packet.session_time !== null && odd.session_time !== null
      ? packet.session_time > odd.session_time
      : packet.event_at > odd.event_at
  const most = mostBetween({ session_time: odd.session_time, heard_at: odd.received_at, updated_at: odd.event_at }, packet, fastest)
  return isNewer && up <= most && down <= most
}

/** Whether it is the odd packet once more: that it comes later makes it no likelier. */
export const repeats = (odd: OddPacket, { session_time, is_timed, event_at, counter_up, counter_down }: SessionPacket): boolean =>
  (counter_up ?? odd.counter_up) === odd.counter_up &&
  (counter_down ?? odd.counter_down) === odd.counter_down &&
  session_time === odd.session_time &&
  (session_time !== null || !is_timed || event_at === odd.event_at)

/** With what it would have done to the session (`delta_up`, `delta_down`). */
export const oddOf = (packet: SessionPacket, kept: KeptSession, { delta_up, delta_down }: Applied): OddPacket => ({
  event_at: packet.event_at,
  received_at: packet.received_at,
  session_time: lasted(packet),
  has_gigawords: packet.has_gigawords,
  counter_up: packet.counter_up ?? kept.counter_up,
  counter_down: packet.counter_down ?? kept.counter_down,
  delta_up,
  delta_down,
})

/** A gateway's clock gives whole seconds, and so do session times. */
export const rounding = 2000 // ms

type KeptTimes = Pick<KeptSession, 'started_at' | 'updated_at' | 'ended_at' | 'session_time'>

/**
 * Whether a packet under this key is of another session: a Start after the close, or one that has lasted less and began, by its own account,
 * after the last report. What has the time it began from a clock that was set back began no later than what is kept.
 */
export function beginsAnew(kept: KeptTimes, packet: SessionPacket): boolean {
  const { kind, event_at, is_timed } = packet
  const session_time = lasted(packet)
  if (kind === 'start' && session_time === 0 && kept.ended_at !== null && event_at > past(kept.ended_at, packet)) return true
  if (!is_timed || session_time === null || kept.session_time === null || session_time >= kept.session_time) return false
  return event_at - session_time * 1000 > Math.max(past(kept.updated_at, packet), past(kept.started_at, packet)) + rounding
}
