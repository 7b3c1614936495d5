import { expect, test } from 'vitest'
import { byDay, categories, clockWords, dayWords, localDay, startOfLocalDay } from './activity-days.ts'

const at = (year: number, month: number, day: number, hour: number, minute: number) =>
  new Date(year, month - 1, day, hour, minute).toISOString()
const activity = (id: string, time: string) => ({ id, at: time }) as Parameters<typeof byDay>[0][number]

test('activities are shown by the day of the reader', () => {
  const days = byDay([
    activity('c', at(2026, 11, 21, 0, 5)),
    activity('b', at(2026, 11, 20, 23, 59)),
    activity('a', at(2026, 11, 20, 0, 0)),
  ])
  expect(days.map(([day, part]) => [day, part.map(({ id }) => id)])).toEqual([
    ['2026-11-21', ['c']],
    ['2026-11-20', ['b', 'a']],
  ])
})

test('a day in words', () => {
  expect(['2026-11-21', '2026-11-20', '2026-11-19'].map((day) => dayWords(day, '2026-11-21'))).toEqual([
    'Today, 21 Nov 2026',
    'Yesterday, 20 Nov 2026',
    'Thu 19 Nov 2026',
  ])
})

test.each([
  [0, 5, '12:05 AM'],
  [9, 4, '9:04 AM'],
  [12, 0, '12:00 PM'],
  [18, 12, '6:12 PM'],
])('%i:%i is %s', (hour, minute, words) => expect(clockWords(at(2026, 11, 21, hour, minute))).toBe(words))

test('a day has its bounds where the reader is', () => {
  expect(localDay(new Date(startOfLocalDay('2026-11-21')))).toBe('2026-11-21')
  expect(localDay(new Date(Date.parse(startOfLocalDay('2026-11-30', 1)) - 1))).toBe('2026-11-30')
})

test('every area with events can be looked for', () => {
  expect(categories).toContainEqual({ value: 'assets', label: 'Assets' })
  expect(categories).toContainEqual({ value: 'auth', label: 'Sign-in and account' })
})
