import { expect, test } from 'vitest'
import { toTime } from './session-row.ts'

test.each([
  ['2026-11-21T14:20:19+00:00', '2026-11-21T14:20:19.000Z'],
  ['2026-11-21T14:20:19.5+00:00', '2026-11-21T14:20:19.500Z'],
  ['2026-11-21T14:20:19.123456+00:00', '2026-11-21T14:20:19.123Z'],
  ['2026-11-21T14:20:19.0009+00:00', '2026-11-21T14:20:19.000Z'],
  ['2026-11-21T16:20:19.25+02:00', '2026-11-21T14:20:19.250Z'],
])('a time of a row, %s, is %s on the wire, as a date would have it', (time, wire) => {
  expect(toTime(time)).toBe(wire)
  expect(new Date(time).toISOString()).toBe(wire)
})

test('a time as a column has it, and none', () => {
  expect(toTime(new Date('2026-11-21T14:20:19.123Z'))).toBe('2026-11-21T14:20:19.123Z')
  expect(toTime(null)).toBeNull()
})
