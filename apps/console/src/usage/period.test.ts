import { describe, expect, test } from 'vitest'
import { beforeWords, intervalStarts, isWholeMonth, periodOf, periodWords, tooLongFor, usualInterval } from './period.ts'
import { changeWords, figure, forecastBytes } from './usage-words.ts'

const today = '2026-11-21'
const days = (preset: string, from = '', to = '') => {
  const { start, end } = periodOf(preset, from, to, today)
  return [start.slice(0, 10), end.slice(0, 10)]
}

test.each([
  ['today', '2026-11-21', '2026-11-22', 'hour', '21 Nov 2026'],
  ['7d', '2026-11-15', '2026-11-22', 'day', '15 – 21 Nov 2026'],
  ['30d', '2026-10-23', '2026-11-22', 'day', '23 Oct – 21 Nov 2026'],
  ['month', '2026-11-01', '2026-12-01', 'day', 'Nov 2026'],
  ['last_month', '2026-10-01', '2026-11-01', 'day', 'Oct 2026'],
  ['12m', '2025-12-01', '2026-12-01', 'month', '1 Dec 2025 – 30 Nov 2026'],
  ['nonsense', '2026-11-01', '2026-12-01', 'day', 'Nov 2026'],
])('%s', (preset, start, end, interval, words) => {
  expect(days(preset)).toEqual([start, end])
  const period = periodOf(preset, '', '', today)
  expect(usualInterval(period)).toBe(interval)
  expect(periodWords(period)).toBe(words)
})

test('chosen days are both inside, in either order', () => {
  expect(days('custom', '2026-11-03', '2026-11-05')).toEqual(['2026-11-03', '2026-11-06'])
  expect(days('custom', '2026-11-05', '2026-11-03')).toEqual(['2026-11-03', '2026-11-06'])
  expect(days('custom', '2026-11-05')).toEqual(['2026-11-05', '2026-11-22'])
})

test('what is too long for hours is said in words', () => {
  expect(tooLongFor(periodOf('12m', '', '', today), 'hour')).toBe('At most 31 days')
  expect(tooLongFor(periodOf('month', '', '', today), 'hour')).toBeNull()
})

test('every interval of a period has its start', () => {
  expect(intervalStarts(periodOf('month', '', '', today), 'day')).toHaveLength(30)
  expect(intervalStarts(periodOf('today', '', '', today), 'hour')).toHaveLength(24)
  const months = intervalStarts(periodOf('12m', '', '', today), 'month')
  expect(months.map((at) => new Date(at * 1000).toISOString().slice(0, 7))).toEqual([
    '2025-12',
    '2026-01',
    '2026-02',
    '2026-03',
    '2026-04',
    '2026-05',
    '2026-06',
    '2026-07',
    '2026-08',
    '2026-09',
    '2026-10',
    '2026-11',
  ])
})

describe('how it compares', () => {
  test.each([
    [110.6, 100, '+10.6 %'],
    [97, 100, '−3 %'],
    [100, 100, '0 %'],
    [99.99, 100, '0 %'],
    [1234, 100, '+1,134 %'],
    [5, 0, null],
  ])('%d after %d', (now, before, words) => expect(changeWords(now, before)).toBe(words))

  test('a forecast keeps the pace, and is not made too early or too late', () => {
    const month = { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' }
    expect(forecastBytes(50, month, Date.parse('2026-11-16T00:00:00Z'))).toBe(100)
    expect(forecastBytes(50, month, Date.parse('2026-11-02T00:00:00Z'))).toBeNull()
    expect(forecastBytes(50, month, Date.parse('2026-12-02T00:00:00Z'))).toBeNull()
  })
})

test('a figure and its unit apart', () => {
  expect(figure(51_700_000_000)).toEqual({ value: '51.70', unit: 'GB' })
  expect(figure(0)).toEqual({ value: '0', unit: 'B' })
})

test('a part of a day says so', () => {
  expect(beforeWords({ start: '2026-11-20T00:00:00.000Z', end: '2026-11-20T06:00:00.000Z' })).toBe('20 Nov 2026 until 6:00 AM')
  expect(beforeWords({ start: '2026-11-20T00:00:00.000Z', end: '2026-11-21T00:00:00.000Z' })).toBe('20 Nov 2026')
  expect(beforeWords({ start: '2026-10-01T00:00:00.000Z', end: '2026-10-21T15:00:00.000Z' })).toBe('1 – 21 Oct 2026')
})

test('limits are of whole months', () => {
  expect(isWholeMonth(periodOf('last_month', '', '', today))).toBe(true)
  expect(isWholeMonth(periodOf('30d', '', '', today))).toBe(false)
  expect(isWholeMonth(periodOf('12m', '', '', today))).toBe(false)
})
