import { at, closed, believed, packet, stop, testRows } from './test-sessions.ts'

testRows('edges §3, states of a session', [
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
])
