import { describe, expect, test } from 'vitest'
import {
  formatActivityTime,
  formatDay,
  formatDayHere,
  formatDuration,
  formatExact,
  formatLongDuration,
  formatMoment,
  formatRelative,
} from './time.ts'

const now = Date.parse('2026-11-21T14:31:48Z')

describe('time in words', () => {
  test.each([
    [0, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [3599, '59 min'],
    [3600, '1 h'],
    [86_400 * 2, '2 d'],
    [86_400 * 45, '1 mo'],
    [86_400 * 800, '2 y'],
    [-5, '0 s'],
  ])('%d seconds are %s', (seconds, words) => expect(formatDuration(seconds)).toBe(words))
  test.each([
    [0, '0 s'],
    [61, '1 min 1 s'],
    [22_320, '6 h 12 min'],
    [3600, '1 h'],
    [86_400 + 60, '1 d'],
  ])('%d seconds are %s in full', (seconds, words) => expect(formatLongDuration(seconds)).toBe(words))
  test.each([
    ['2026-11-21T14:31:48.400Z', 'now'],
    ['2026-11-21T14:31:44Z', '4 s ago'],
    ['2026-11-19T14:31:48Z', '2 d ago'],
    ['2026-11-24T14:31:48Z', 'in 3 d'],
    // A moment after it was set for three days, a minute and 90 days.
    ['2026-11-24T14:31:46Z', 'in 3 d'],
    ['2026-11-21T14:32:47.600Z', 'in 1 min'],
    ['2027-02-19T14:31:46Z', 'in 3 mo'],
    ['2026-11-21T15:31:18Z', 'in 1 h'],
    ['2027-11-21T14:31:46Z', 'in 1 y'],
    ['nonsense', '—'],
  ])('%s is %s', (at, words) => expect(formatRelative(at, now)).toBe(words))
  test('exact and by day, in UTC', () => {
    expect(formatExact('2026-11-21T14:31:48Z')).toBe('Sat 21 Nov 2026, 2:31:48 PM UTC')
    expect(formatExact('2026-11-21T23:31:48Z', 330)).toBe('Sun 22 Nov 2026, 5:01:48 AM UTC+5:30')
    expect(formatExact('2026-11-21T00:31:08Z', -60)).toBe('Fri 20 Nov 2026, 11:31:08 PM UTC−1')
    expect(formatDay('2026-11-21T23:59:59Z')).toBe('21 Nov 2026')
    expect([formatExact(''), formatDay('x'), formatActivityTime('x'), formatDayHere('x'), formatMoment('x')]).toEqual(Array(5).fill('—'))
  })
  test.each([
    [14, 31, '2:31 PM'],
    [0, 5, '12:05 AM'],
    [12, 0, '12:00 PM'],
  ])('at %d:%d an activity reads %s', (hour, minute, clock) => {
    const at = new Date(2026, 10, 21, hour, minute).toISOString()
    expect(formatActivityTime(at)).toBe(`Nov 21, ${clock}`)
    // Everywhere else the day comes first.
    expect([formatMoment(at), formatDayHere(at)]).toEqual([`21 Nov, ${clock}`, '21 Nov 2026'])
  })
})
