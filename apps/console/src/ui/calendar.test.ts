import { describe, expect, test } from 'vitest'
import { isDay, shiftDay, shiftMonth, weekdayOf, weeksOf } from './calendar.ts'

describe('moving a day', () => {
  test.each([
    ['2026-11-21', 1, '2026-11-22'],
    ['2026-03-01', -1, '2026-02-28'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-12-31', 1, '2027-01-01'],
  ])('%s by %i days', (day, by, expected) => expect(shiftDay(day, by)).toBe(expected))

  test.each([
    ['2026-11-21', 1, '2026-12-21'],
    ['2026-01-31', 1, '2026-02-28'],
    ['2026-12-31', -1, '2026-11-30'],
    ['2026-11-21', -12, '2025-11-21'],
    ['2026-11-21', 3, '2027-02-21'],
  ])('%s by %i months', (day, by, expected) => expect(shiftMonth(day, by)).toBe(expected))
})

test('weeks start on Sunday and hold the whole month', () => {
  const weeks = weeksOf('2026-11-21')
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7])
  expect([weeks[0]![0], weeks.at(-1)!.at(-1)]).toEqual(['2026-11-01', '2026-12-05'])
  expect(weeksOf('2026-08-05')[0]![0]).toBe('2026-07-26')
  expect(weeks.every((week) => weekdayOf(week[0]!) === 0)).toBe(true)
})

test('a day must exist', () => {
  expect(['2026-11-21', '2026-02-29', '2026-11-32', 'today', ''].map(isDay)).toEqual([true, false, false, false, false])
})
