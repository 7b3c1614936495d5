import { expect, test } from 'vitest'
import { adjustmentMonth, changeWords, correctableDays } from './correction.ts'

test('a month is open for 72 hours after its end; later, a correction is booked to the first month that is still open', () => {
  const at = (now: string) => (day: string) => adjustmentMonth(day, new Date(now))
  expect(['2026-11-30', '2026-12-03'].map(at('2026-12-03T23:59:59.999Z'))).toEqual([null, null])
  expect(at('2026-12-04T00:00:00Z')('2026-11-30')).toBe('2026-12-01')
  // October is closed, November not yet.
  expect(at('2026-12-02T00:00:00Z')('2026-10-01')).toBe('2026-11-01')
  expect(at('2027-01-20T00:00:00Z')('2026-02-28')).toBe('2027-01-01')
})

test('days reach back to when the SIM was registered, and no further than 400', () => {
  const now = new Date('2026-11-23T10:00:00Z')
  expect(correctableDays(new Date('2026-11-03T23:00:00Z'), now)).toEqual({ first: '2026-11-03', last: '2026-11-23' })
  expect(correctableDays(new Date('2020-01-01'), now).first).toBe('2025-10-19')
})

test('a change in words', () => {
  const words = [
    [-1_200_000_000, 0],
    [1000, 500],
    [3_000_000, -1_000_000],
    [0, 0],
  ].map(([bytes_up, bytes_down]) => changeWords({ bytes_up: bytes_up!, bytes_down: bytes_down! }))
  expect(words).toEqual(['−1.2 GB', '+1.5 KB', '+3 MB up and −1 MB down', '+0 B'])
})
