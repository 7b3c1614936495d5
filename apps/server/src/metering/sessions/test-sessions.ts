import { describe, expect, test } from 'vitest'
import { applyPacket, type Effect, type KeptSession, type SessionPacket } from './session-rules.ts'

export const noon = Date.UTC(2026, 10, 21, 12)
export const at = (seconds: number) => noon + seconds * 1000

export const kept: KeptSession = {
  started_at: noon,
  updated_at: at(600),
  heard_at: at(600),
  ended_at: null,
  end_cause: null,
  live_after: null,
  session_time: 600,
  counter_up: 1000,
  counter_down: 2000,
  gigawords_seen: false,
  bytes_up: 1000,
  bytes_down: 2000,
  reopened_after: null,
  odd: null,
  uncounted_up: 0,
  uncounted_down: 0,
}
export const fastest = 250_000_000 // bytes per second: 2 Gbit/s
export const gb = 1e9
export const high = { counter_up: 2 ** 32 - 100, counter_down: 2000, bytes_up: 2 ** 32 - 100 }
export const started = { updated_at: noon, counter_up: 0, counter_down: 0, bytes_up: 0, bytes_down: 0 }
/** With Event-Timestamp alone, and with nothing that says when. */
export const clocked = { session_time: null }
export const untimed = { session_time: null, is_timed: false }
export const closed = { ended_at: at(600), end_cause: 'User request' }
/** A gateway's On of 650 s closed it. */
export const believed = { ended_at: at(600), end_cause: 'Gateway restarted', live_after: at(650) }

/** An interim of that session time; [up, down] are its counters. */
export const packet = (
  seconds: number,
  [counter_up, counter_down]: [number | null, number | null],
  more: Partial<SessionPacket> = {}
): SessionPacket => ({
  kind: 'interim',
  event_at: at(seconds),
  is_timed: true,
  received_at: at(seconds),
  session_time: seconds,
  counter_up,
  counter_down,
  has_gigawords: false,
  end_cause: null,
  ...more,
})
export const stop: Partial<SessionPacket> = { kind: 'stop', end_cause: 'Lost carrier' }
export const start: Partial<SessionPacket> = { kind: 'start', session_time: null }

export type Row = [
  words: string,
  session: Partial<KeptSession> | null,
  packet: SessionPacket,
  effect: Effect,
  delta: [number, number],
  after?: Partial<KeptSession>,
]

/** A test of each row: what its packet does to the kept session with these changes; nothing but what it says. */
export const testRows = (words: string, rows: readonly Row[]) =>
  describe(words, () => {
    test.each(rows)('%s', (_words, change, given, effect, [up, down], after) => {
      const before = change && Object.freeze({ ...kept, ...change })
      const applied = applyPacket(before, given, fastest)
      expect(applied).toMatchObject({ effect, delta_up: up, delta_down: down })
      if (after) expect(applied.session).toMatchObject(after)
      else if (effect === 'late' || effect === 'duplicate' || effect === 'known') expect(applied.session).toBe(before)
    })
  })
