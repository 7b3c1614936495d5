import { describe, expect, test } from 'vitest'
import { applyPacket, beginAnew, beginBaseline, type Effect, type KeptSession, type SessionPacket } from './session-rules.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const at = (seconds: number) => noon + seconds * 1000

const kept: KeptSession = {
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
const fastest = 250_000_000 // bytes per second: 2 Gbit/s
const gb = 1e9
const high = { counter_up: 2 ** 32 - 100, counter_down: 2000, bytes_up: 2 ** 32 - 100 }
const started = { updated_at: noon, counter_up: 0, counter_down: 0, bytes_up: 0, bytes_down: 0 }
/** With Event-Timestamp alone, and with nothing that says when. */
const clocked = { session_time: null }
const untimed = { session_time: null, is_timed: false }
const closed = { ended_at: at(600), end_cause: 'User request' }
/** A gateway's On of 650 s closed it. */
const believed = { ended_at: at(600), end_cause: 'Gateway restarted', live_after: at(650) }

/** An interim of that session time; [up, down] are its counters. */
const packet = (
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
  ['an earlier event time is late when the packet has no session time', {}, packet(599, [9999, 9999], clocked), 'late', [0, 0]],
  ['an earlier event time is late when no session time is kept', clocked, packet(599, [9999, 9999]), 'late', [0, 0]],
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
    clocked,
    packet(700, [1500, 2600], clocked),
    'counted',
    [500, 600],
    { session_time: null },
  ],
  ['of the same second and higher: newer', {}, packet(600, [1001, 2000]), 'counted', [1, 0]],
  ['of the same second and lower: overtaken on the way', {}, packet(600, [999, 2000]), 'late', [0, 0]],
  ['a counter that is not given stands still', {}, packet(700, [null, 2100]), 'counted', [0, 100], { counter_up: 1000 }],
  ['a 32-bit counter that wraps', high, packet(700, [50, 2000]), 'wrapped', [150, 0], { counter_up: 50, bytes_up: 2 ** 32 + 50 }],
  ['both counters that fall are a reset', { ...high, counter_down: 2 ** 31, bytes_down: 2 ** 31 }, packet(700, [50, 7]), 'reset', [50, 7]],
  [
    'a counter that falls while the other rises has wrapped: 92 Mbit/s over five minutes',
    { ...high, counter_up: 1_000_000_000 },
    packet(900, [155_032_704, 2500]),
    'wrapped',
    [3_450_000_000, 500],
    { counter_up: 155_032_704 },
  ],
  [
    'and so has one from the lower half of the other way',
    { counter_up: 5, counter_down: 1_000_000_000 },
    packet(900, [6, 155_032_704]),
    'wrapped',
    [1, 3_450_000_000],
  ],
  ['not while the other rises from 0', { counter_up: 0, counter_down: 100 }, packet(700, [5, 40]), 'reset', [5, 40]],
  ['nor while the other stands still', { counter_up: 7, counter_down: 100 }, packet(700, [7, 40]), 'reset', [7, 40]],
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
    'lower counters are a reset, and start both over',
    {},
    packet(700, [30, 1500]),
    'reset',
    [30, 1500],
    { counter_up: 30, bytes_up: 1030, bytes_down: 3500 },
  ],
  [
    'a lower counter with gigawords is a reset, and starts both over',
    { gigawords_seen: true },
    packet(700, [30, 2500]),
    'reset',
    [30, 2500],
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
  ['a late stop does not', {}, packet(500, [900, 900], stop), 'late', [0, 0]],
  ['a stop of the same second with lower counters does not', {}, packet(600, [900, 2000], stop), 'late', [0, 0]],
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
    { started_at: at(601), ended_at: null, bytes_up: 0, reopened_after: at(600), session_time: 0 },
  ],
  ['a start with session time 0 says the same', closed, packet(601, [0, 0], { ...start, session_time: 0 }), 'begun_anew', [0, 0]],
  ['a start that has run for a while does not', closed, packet(601, [0, 0], { ...start, session_time: 5 }), 'known', [0, 0], closed],
  ['a start from before the close changes nothing', closed, packet(600, [0, 0], start), 'known', [0, 0], closed],
  [
    'a start of an open session changes nothing when it does not say when it was',
    {},
    packet(900, [5, 5], { ...start, is_timed: false }),
    'known',
    [0, 0],
  ],
  ['a start of an open session within two seconds is its own', {}, packet(602, [5, 5], start), 'known', [0, 0]],
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
  // The gateway restarted without a word and uses its ids again.
  [
    'the id is used again: a start on an open session',
    {},
    packet(900, [0, 0], start),
    'begun_anew',
    [0, 0],
    { started_at: at(900), session_time: 0, counter_up: 0, reopened_after: at(600), ended_at: null },
  ],
  [
    'the id is used again: lower session time, begun more than 2 s after the last report',
    {},
    packet(300, [400, 9000], { event_at: at(903) }),
    'begun_anew',
    [400, 9000],
    { started_at: at(603), updated_at: at(903), session_time: 300, bytes_up: 400, reopened_after: at(600) },
  ],
  ['begun 2 s after the last report: late', {}, packet(300, [400, 9000], { event_at: at(902) }), 'late', [0, 0]],
  [
    'begun after it by an arrival alone: late, for it may have been on its way for long',
    {},
    packet(300, [400, 9000], { event_at: at(5000), is_timed: false }),
    'late',
    [0, 0],
  ],
  [
    'the id is used again by a stop: begun and closed',
    {},
    packet(300, [400, 9000], { ...stop, event_at: at(1000) }),
    'begun_anew',
    [400, 9000],
    { ended_at: at(1000), end_cause: 'Lost carrier' },
  ],
  [
    'the id of a closed session is used again, and its start was lost',
    closed,
    packet(300, [400, 9000], { event_at: at(1000) }),
    'begun_anew',
    [400, 9000],
    { ended_at: null, started_at: at(700) },
  ],
  [
    'a late packet from before a clock was set back is not of another session',
    { updated_at: at(-3000) },
    packet(300, [400, 9000], { event_at: at(300) }),
    'late',
    [0, 0],
  ],
  // Neither Acct-Session-Time nor Event-Timestamp.
  [
    'untimed and higher: what exceeds',
    {},
    packet(700, [1500, 2000], untimed),
    'counted',
    [500, 0],
    { session_time: 600, updated_at: at(700) },
  ],
  ['untimed and lower: late', {}, packet(700, [999, 2000], untimed), 'late', [0, 0]],
  [
    'untimed, one higher: that one counts, the other keeps its height',
    {},
    packet(700, [10, 2100], untimed),
    'counted',
    [0, 100],
    { counter_up: 1000, counter_down: 2100 },
  ],
  ['untimed and far lower: never a wrap', high, packet(700, [50, 2000], untimed), 'late', [0, 0]],
  [
    'untimed and equal: nothing, but heard',
    {},
    packet(700, [1000, 2000], untimed),
    'counted',
    [0, 0],
    { updated_at: at(700), heard_at: at(700) },
  ],
  ['untimed and equal after the close: nothing', believed, packet(700, [1000, 2000], untimed), 'duplicate', [0, 0]],
  [
    'untimed with an early arrival: the event time stays',
    {},
    packet(500, [1001, 2000], untimed),
    'counted',
    [1, 0],
    { updated_at: at(600) },
  ],
  // States.
  [
    'a stop closes at its own time',
    {},
    packet(600, [1000, 2000], { ...stop, event_at: at(603) }),
    'duplicate',
    [0, 0],
    { ended_at: at(603), live_after: null },
  ],
  [
    'believed closed: an interim of after the closing counts, and it is live again',
    believed,
    packet(700, [1500, 2600]),
    'counted',
    [500, 600],
    { ended_at: null, end_cause: null, live_after: null, bytes_up: 1500 },
  ],
  ['believed closed: an earlier interim counts, and it stays closed', believed, packet(650, [1500, 2600]), 'counted', [500, 600], believed],
  [
    'believed closed: a newer stop counts, and it stays closed with the cause it had, for good',
    believed,
    packet(700, [1500, 2600], stop),
    'counted',
    [500, 600],
    { ended_at: at(600), end_cause: 'Gateway restarted', live_after: null },
  ],
  ['believed closed: a late interim changes nothing', believed, packet(500, [1500, 2600], { event_at: at(700) }), 'late', [0, 0]],
  [
    'closed by its own stop: what is newer counts, and it stays closed',
    { ...closed, live_after: null },
    packet(9000, [1500, 2600]),
    'counted',
    [500, 600],
    closed,
  ],
  // Impossible deltas.
  [
    '2 Gbit/s of a minute is the least that can be, each way',
    {},
    packet(601, [15 * gb + 1000, 15 * gb + 2000], { has_gigawords: true }),
    'counted',
    [15 * gb, 15 * gb],
  ],
  [
    'a byte more is impossible: nothing counts, and what is kept stays',
    {},
    packet(601, [1000, 15 * gb + 2001], { has_gigawords: true }),
    'impossible',
    [0, 0],
    { ...kept, odd: expect.objectContaining({ counter_down: 15 * gb + 2001, delta_down: 15 * gb + 1 }) as never },
  ],
  [
    'the session time that moved bounds it',
    {},
    packet(700, [25 * gb + 1001, 2000], { has_gigawords: true, event_at: at(9000), received_at: at(9000) }),
    'impossible',
    [0, 0],
  ],
  [
    'the time since it was heard bounds it',
    {},
    packet(9000, [25 * gb + 1001, 2000], { has_gigawords: true, received_at: at(700) }),
    'impossible',
    [0, 0],
  ],
  ['a day bounds it', {}, packet(600 + 90_000, [86_400 * fastest + 1001, 2000], { has_gigawords: true }), 'impossible', [0, 0]],
  [
    'a day of it can be',
    {},
    packet(600 + 90_000, [86_400 * fastest + 1000, 2000], { has_gigawords: true }),
    'counted',
    [86_400 * fastest, 0],
  ],
  [
    'without session time the event times bound it, however late it comes',
    {},
    packet(700, [25 * gb + 1001, 2000], { ...clocked, has_gigawords: true, received_at: at(90_000) }),
    'impossible',
    [0, 0],
  ],
  ['all that 64 bits can say', {}, packet(700, [2 ** 53 - 1, 2 ** 53 - 1], { has_gigawords: true }), 'impossible', [0, 0]],
  [
    'an impossible stop counts nothing and closes',
    {},
    packet(700, [2 ** 53 - 1, 2000], { ...stop, has_gigawords: true }),
    'impossible',
    [0, 0],
    { ended_at: at(700), bytes_up: 1000, counter_up: 1000, session_time: 600 },
  ],
  [
    'an impossible interim brings nothing to life',
    believed,
    packet(700, [2 ** 53 - 1, 2000], { has_gigawords: true }),
    'impossible',
    [0, 0],
    believed,
  ],
  [
    'an impossible first packet begins the session with nothing',
    null,
    packet(60, [15 * gb + 1, 0]),
    'impossible',
    [0, 0],
    { bytes_up: 0, counter_up: 0, session_time: 0, started_at: noon },
  ],
  ['a first packet may tell of what its session time carries', null, packet(120, [30 * gb, 30 * gb]), 'begun', [30 * gb, 30 * gb]],
  ['and of a day when it tells no session time', null, packet(120, [86_400 * fastest, 0], untimed), 'begun', [86_400 * fastest, 0]],
  ['but of no more', null, packet(120, [86_400 * fastest + 1, 0], untimed), 'impossible', [0, 0]],
  [
    'an id used again with what cannot be leaves the session as it is',
    {},
    packet(300, [2 ** 50, 9000], { event_at: at(1000) }),
    'impossible',
    [0, 0],
    { started_at: noon, counter_up: 1000, ended_at: null },
  ],
]

describe('edges §3, row by row', () => {
  test.each(rows)('%s', (_words, change, given, effect, [up, down], after) => {
    const before = change && Object.freeze({ ...kept, ...change })
    const applied = applyPacket(before, given, fastest)
    expect(applied).toMatchObject({ effect, delta_up: up, delta_down: down })
    if (after) expect(applied.session).toMatchObject(after)
    else if (effect === 'late' || effect === 'duplicate' || effect === 'known') expect(applied.session).toBe(before)
  })
})

/** Applies packets in turn; the session at last, and what each counted. */
function counted(session: KeptSession | null, ...packets: SessionPacket[]) {
  const deltas: number[] = []
  for (const each of packets) {
    const applied = applyPacket(session, each, fastest)
    session = applied.session
    deltas.push(applied.delta_up + applied.delta_down)
  }
  return { session: session!, deltas }
}
const wide = { has_gigawords: true }

describe('an impossible packet and the next one', () => {
  test('3.0 GB, a garbled gigaword, 3.1 GB count 3.1 GB once', () => {
    const garbled = packet(600, [3 * gb + 2 ** 52, 0], wide)
    const { session, deltas } = counted(null, packet(300, [3 * gb, 0], wide), garbled, garbled, packet(900, [3.1 * gb, 0], wide))
    expect(deltas).toEqual([3 * gb, 0, 0, 0.1 * gb])
    expect(session).toMatchObject({ bytes_up: 3.1 * gb, odd: null, uncounted_up: 0 })
  })
  test('when the next one goes on from the odd counters they are the base, uncounted', () => {
    const odd = [packet(700, [1000 + 2 ** 44, 2000], wide), packet(800, [1500 + 2 ** 44, 2700], wide)] as const
    const { session, deltas } = counted(kept, ...odd, packet(900, [1600 + 2 ** 44, 2700], wide))
    expect(deltas).toEqual([0, 1200, 100])
    expect(session).toMatchObject({ bytes_up: 1600, bytes_down: 2700, odd: null, uncounted_up: 2 ** 44, uncounted_down: 0 })
  })
  test('one that is odd in another way is the one to go on from', () => {
    const { deltas } = counted(
      kept,
      packet(700, [2 ** 44, 2000], wide),
      packet(800, [2 ** 50, 2000], wide),
      packet(900, [2 ** 44 + 9, 2000], wide),
      packet(1000, [2 ** 44 + 10, 2000], wide)
    )
    expect(deltas).toEqual([0, 0, 0, 1])
  })
  test('sent again it goes on from nothing, timed or not', () => {
    for (const more of [{}, clocked, untimed]) {
      const odd = packet(700, [2 ** 44, 2000], { ...wide, ...more })
      const { session, deltas } = counted(kept, odd, { ...odd, received_at: at(90_000) })
      expect(deltas).toEqual([0, 0])
      expect(session).toMatchObject({ counter_up: 1000, uncounted_up: 0 })
    }
  })
  test('after an impossible first packet the next one counts in full, or goes on from it', () => {
    const garbled = packet(300, [2 ** 53 - 1, 0], wide)
    expect(counted(null, garbled, packet(600, [3 * gb, 7], wide)).deltas).toEqual([0, 3 * gb + 7])
    const goesOn = packet(300, [2 ** 50, 0], wide)
    expect(counted(null, goesOn, packet(600, [2 ** 50 + 5, 7], wide)).deltas).toEqual([0, 12])
  })
})

test('another SIM’s session under a key begins with nothing when it tells of what cannot be', () => {
  expect(beginAnew(kept, packet(60, [2 ** 50, 0], { event_at: at(900) }), fastest)).toMatchObject({
    effect: 'impossible',
    session: { reopened_after: at(600), bytes_up: 0 },
  })
})

test('a baseline counts nothing and is where its session counts from', () => {
  const begun = beginBaseline(packet(700, [5 * gb, 7], wide))
  expect(begun).toMatchObject({
    effect: 'baseline',
    delta_up: 0,
    delta_down: 0,
    session: { bytes_up: 0, uncounted_up: 5 * gb, uncounted_down: 7 },
  })
  expect(counted(begun.session, packet(1000, [5 * gb + 10, 9], wide)).deltas).toEqual([12])
})
