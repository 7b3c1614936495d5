import { at, closed, packet, start, testRows, untimed } from './test-sessions.ts'

const garbled = { session_time: 2 ** 32 - 1 }
const ahead = at(40 * 86_400)

testRows('a session time that cannot be counts as absent', [
  ['it counts by its event time, and is not kept', {}, packet(700, [1500, 2600], garbled), 'counted', [500, 600], { session_time: 600 }],
  ['sent again it is a duplicate', { updated_at: at(600) }, packet(600, [1000, 2000], garbled), 'duplicate', [0, 0]],
  ['without an event time it counts what is more', {}, packet(700, [1500, 2600], { ...garbled, is_timed: false }), 'counted', [500, 600]],
  ['an earlier one is late', {}, packet(500, [9999, 9999], garbled), 'late', [0, 0]],
  ['a day and some more of silence is none', {}, packet(90_000, [1500, 2600]), 'counted', [500, 600], { session_time: 90_000 }],
  [
    'so is what comes at once after an outage of days, with the times of then',
    {},
    packet(300_000, [1500, 2600], { received_at: at(700) }),
    'counted',
    [500, 600],
    { session_time: 300_000 },
  ],
])

const years = { session_time: 5 * 365 * 86_400 }
testRows('a kept session time that cannot be makes nothing late that came about later', [
  ['it counts by its event time', years, packet(700, [1500, 2600]), 'counted', [500, 600], years],
  ['of the same moment it is late', years, packet(600, [1500, 2600]), 'late', [0, 0]],
  ['of before it is late', years, packet(500, [999, 1999]), 'late', [0, 0]],
  ['without an event time it counts what is more', years, packet(700, [1500, 1900], { is_timed: false }), 'counted', [500, 0]],
  ['and lower counters are late', years, packet(700, [900, 1900], { is_timed: false }), 'late', [0, 0]],
  ['a stop closes', years, packet(700, [1500, 2600], { kind: 'stop' }), 'counted', [500, 600], { ended_at: at(700) }],
  ['less than a day lower is late', { session_time: 80_000 }, packet(700, [1500, 2600]), 'late', [0, 0]],
])

testRows('what our own clock wrote while it was 40 days ahead holds nothing up', [
  [
    'a start after the close begins a session, also where the gateway says no time',
    { ...closed, ended_at: ahead, updated_at: ahead, heard_at: ahead },
    packet(700, [null, null], { ...start, ...untimed }),
    'begun_anew',
    [0, 0],
  ],
  [
    'a session that began after such a close goes on',
    { reopened_after: ahead, heard_at: ahead },
    packet(700, [1500, 2600]),
    'counted',
    [500, 600],
    { heard_at: at(700) },
  ],
  [
    'an id that a gateway uses again without a word is of a new session',
    { started_at: ahead, updated_at: ahead, heard_at: ahead },
    packet(700, [30, 40], { session_time: 60 }),
    'begun_anew',
    [30, 40],
  ],
  [
    'an event time alone is newer',
    { session_time: null, updated_at: ahead, heard_at: ahead },
    packet(700, [1500, 2600], { session_time: null }),
    'counted',
    [500, 600],
    { updated_at: at(700) },
  ],
  [
    'what was used in an hour is no more than can be',
    { heard_at: ahead },
    packet(4200, [1000, 5e11]),
    'counted',
    [0, 5e11 - 2000],
    { heard_at: at(4200) },
  ],
  [
    'what staff matched later is of before',
    { updated_at: ahead, heard_at: ahead, started_at: ahead, session_time: 900 },
    packet(700, [1500, 2600], { is_matched: true }),
    'late',
    [0, 0],
  ],
])
