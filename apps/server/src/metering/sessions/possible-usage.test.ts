import { describe, expect, test } from 'vitest'
import { applyPacket, beginAnew, beginBaseline, type KeptSession, type SessionPacket } from './session-rules.ts'
import { noon, at, kept, fastest, gb, clocked, untimed, believed, packet, stop, testRows } from './test-sessions.ts'

testRows('edges §3, impossible deltas', [
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
    'the time since it was seen bounds it',
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
])

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

test('another SIM’s session under a key begins with nothing when it reports what cannot be', () => {
  expect(beginAnew(kept, packet(60, [2 ** 50, 0], { event_at: at(900) }), fastest)).toMatchObject({
    effect: 'impossible',
    session: { reopened_after: at(838), bytes_up: 0 },
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
