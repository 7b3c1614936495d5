import { describe, expect, test } from 'vitest'
import { applyPacket, type Effect, type KeptSession, type SessionPacket } from './session-rules.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const at = (seconds: number) => noon + seconds * 1000

const kept: KeptSession = {
  started_at: noon,
  updated_at: at(600),
  ended_at: null,
  end_cause: null,
  session_time: 600,
  counter_up: 1000,
  counter_down: 2000,
  gigawords_seen: false,
  bytes_up: 1000,
  bytes_down: 2000,
  reopened_after: null,
}
const high = { counter_up: 2 ** 32 - 100, counter_down: 2000, bytes_up: 2 ** 32 - 100 }
const started = { updated_at: noon, counter_up: 0, counter_down: 0, bytes_up: 0, bytes_down: 0 }
const untimed = { session_time: null }
const closed = { ended_at: at(600), end_cause: 'User request' }

/** An interim of that session time; [up, down] are its counters. */
const packet = (
  seconds: number,
  [counter_up, counter_down]: [number | null, number | null],
  more: Partial<SessionPacket> = {}
): SessionPacket => ({
  kind: 'interim',
  event_at: at(seconds),
  session_time: seconds,
  counter_up,
  counter_down,
  has_gigawords: false,
  end_cause: null,
  ...more,
})
const stop: Partial<SessionPacket> = { kind: 'stop', end_cause: 'Lost carrier' }
const start: Partial<SessionPacket> = { kind: 'start', session_time: null }

type Row = [
  words: string,
  session: Partial<KeptSession> | null,
  packet: SessionPacket,
  effect: Effect,
  delta: [number, number],
  after?: Partial<KeptSession>,
]

const rows: Row[] = [
  ['a lower session time is late, whatever its counters say', {}, packet(599, [9999, 9999]), 'late', [0, 0]],
  ['a lower session time is late, be its event time newer', {}, packet(300, [9999, 9999], { event_at: at(900) }), 'late', [0, 0]],
  ['an earlier event time is late when the packet has no session time', {}, packet(599, [9999, 9999], untimed), 'late', [0, 0]],
  ['an earlier event time is late when no session time is kept', untimed, packet(599, [9999, 9999]), 'late', [0, 0]],
  ['the same session time and counters are a duplicate', {}, packet(600, [1000, 2000]), 'duplicate', [0, 0]],
  [
    'a duplicate sent again with a later event time is one still',
    {},
    packet(600, [1000, 2000], { event_at: at(630) }),
    'duplicate',
    [0, 0],
  ],
  [
    'newer and higher counts the difference',
    {},
    packet(700, [1500, 2600]),
    'counted',
    [500, 600],
    { counter_up: 1500, session_time: 700, bytes_down: 2600 },
  ],
  [
    'newer with the same counters counts nothing, but is heard',
    {},
    packet(700, [1000, 2000]),
    'counted',
    [0, 0],
    { session_time: 700, updated_at: at(700) },
  ],
  [
    'a higher session time is newer, be its clock set back',
    {},
    packet(700, [1500, 2600], { event_at: at(100) }),
    'counted',
    [500, 600],
    { updated_at: at(100) },
  ],
  [
    'a clock set back between the start and the first report makes nothing late',
    { ...started, session_time: 0 },
    packet(300, [1500, 2600], { event_at: at(-600) }),
    'counted',
    [1500, 2600],
  ],
  [
    'without a session time the event time decides',
    untimed,
    packet(700, [1500, 2600], untimed),
    'counted',
    [500, 600],
    { session_time: null },
  ],
  ['of the same second and higher: newer', {}, packet(600, [1001, 2000]), 'counted', [1, 0]],
  ['of the same second and lower: overtaken on the way', {}, packet(600, [999, 2000]), 'late', [0, 0]],
  ['a counter that is not given stands still', {}, packet(700, [null, 2100]), 'counted', [0, 100], { counter_up: 1000 }],
  ['a 32-bit counter that wraps', high, packet(700, [50, 2000]), 'wrapped', [150, 0], { counter_up: 50, bytes_up: 2 ** 32 + 50 }],
  ['both counters wrap', { ...high, counter_down: 2 ** 31, bytes_down: 2 ** 31 }, packet(700, [50, 0]), 'wrapped', [150, 2 ** 31]],
  [
    'a counter above 32 bits, as quarantine may have kept it, does not wrap',
    { counter_up: 7e9, bytes_up: 7e9 },
    packet(700, [2e8, 2000]),
    'reset',
    [2e8, 2000],
  ],
  ['no wrap once gigawords were seen', { ...high, gigawords_seen: true }, packet(700, [50, 2000]), 'reset', [50, 2000]],
  [
    'no wrap when this packet has gigawords',
    high,
    packet(700, [50, 2000], { has_gigawords: true }),
    'reset',
    [50, 2000],
    { gigawords_seen: true },
  ],
  ['no wrap from the lower half', { ...high, counter_up: 2 ** 31 - 1 }, packet(700, [50, 2000]), 'reset', [50, 2000]],
  ['no wrap into the upper half', { ...high, counter_up: 2 ** 32 - 1 }, packet(700, [2 ** 31, 2000]), 'reset', [2 ** 31, 2000]],
  [
    'a lower counter is a reset, and starts both over',
    {},
    packet(700, [30, 2500]),
    'reset',
    [30, 2500],
    { counter_up: 30, bytes_up: 1030, bytes_down: 4500 },
  ],
  ['a reset does not count a counter that is not given', {}, packet(700, [30, null]), 'reset', [30, 0], { counter_down: 2000 }],
  ['gigawords count', { gigawords_seen: true }, packet(700, [2 ** 33, 2000], { has_gigawords: true }), 'counted', [2 ** 33 - 1000, 0]],
  [
    'a stop counts and closes',
    {},
    packet(700, [1500, 2600], stop),
    'counted',
    [500, 600],
    { ended_at: at(700), end_cause: 'Lost carrier' },
  ],
  [
    'a stop that repeats the last counters only closes',
    {},
    packet(600, [1000, 2000], stop),
    'duplicate',
    [0, 0],
    { ended_at: at(600), end_cause: 'Lost carrier' },
  ],
  ['a late stop only closes', {}, packet(500, [900, 900], stop), 'late', [0, 0], { ended_at: at(600), session_time: 600 }],
  [
    'a newer packet of a closed session counts; it stays closed',
    closed,
    packet(700, [1500, 2600]),
    'counted',
    [500, 600],
    { ...closed, bytes_up: 1500 },
  ],
  ['a second stop does not close it again', closed, packet(700, [1500, 2600], stop), 'counted', [500, 600], closed],
  [
    'a start after the close begins a new session',
    closed,
    packet(601, [0, 0], start),
    'begun_anew',
    [0, 0],
    { started_at: at(601), ended_at: null, bytes_up: 0, reopened_after: at(600) },
  ],
  ['a start with session time 0 says the same', closed, packet(601, [0, 0], { ...start, session_time: 0 }), 'begun_anew', [0, 0]],
  ['a start that has run for a while does not', closed, packet(601, [0, 0], { ...start, session_time: 5 }), 'known', [0, 0], closed],
  ['a start from before the close changes nothing', closed, packet(600, [0, 0], start), 'known', [0, 0], closed],
  ['a start of an open session changes nothing', {}, packet(900, [5, 5], start), 'known', [0, 0]],
  [
    'what the session before sent late is not of this one',
    { reopened_after: at(599) },
    packet(590, [9999, 9999], { session_time: 5000 }),
    'late',
    [0, 0],
  ],
  [
    'an interim of an unknown session begins it',
    null,
    packet(700, [1500, 2600]),
    'begun',
    [1500, 2600],
    { started_at: noon, ended_at: null, bytes_up: 1500 },
  ],
  [
    'a stop of an unknown session begins and closes it',
    null,
    packet(700, [1500, 2600], stop),
    'begun',
    [1500, 2600],
    { ended_at: at(700), end_cause: 'Lost carrier' },
  ],
  ['a start begins a session', null, packet(0, [null, null], start), 'begun', [0, 0], { started_at: noon, session_time: 0, bytes_up: 0 }],
]

describe('edges §3, row by row', () => {
  test.each(rows)('%s', (_words, change, given, effect, [up, down], after) => {
    const before = change && Object.freeze({ ...kept, ...change })
    const applied = applyPacket(before, given)
    expect(applied).toMatchObject({ effect, delta_up: up, delta_down: down })
    if (after) expect(applied.session).toMatchObject(after)
    else if (effect === 'late' || effect === 'duplicate' || effect === 'known') expect(applied.session).toBe(before)
  })
})
