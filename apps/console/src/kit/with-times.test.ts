import { expect, test } from 'vitest'
import { withTimes } from './with-times.ts'

test('moments in milliseconds are times, all else stays as it came', () => {
  const at = Date.UTC(2026, 10, 21, 14, 31, 48, 250)
  const packet = { kind: 'stop', event_at: at, received_at: at + 1, session_time: 5400, counter_up: at, cell: null }
  expect(withTimes(packet)).toEqual({ ...packet, event_at: '2026-11-21T14:31:48.250Z', received_at: '2026-11-21T14:31:48.251Z' })
})

test('what is no moment stays', () => {
  const odd = { event_at: 1e20, received_at: null, heard_at: '2026-11-21' }
  expect(withTimes(odd)).toEqual(odd)
})
