import { expect, test } from 'vitest'
import { dayOf, monthOf } from './reading.ts'

test('the day of a time is its own, whichever was asked for before', () => {
  const times = ['2026-11-24T23:59:59.999Z', '2026-11-25T00:00:00.000Z', '2026-11-24T00:00:00.000Z', '1969-12-31T23:59:59.999Z']
  for (const time of [...times, ...times.toReversed()]) expect(dayOf(Date.parse(time))).toBe(time.slice(0, 10))
  expect(monthOf(Date.parse(times[1]!))).toBe('2026-11-01')
  expect(() => dayOf(Number.NaN)).toThrow(RangeError)
  expect(dayOf(Date.parse(times[0]!))).toBe('2026-11-24')
})
