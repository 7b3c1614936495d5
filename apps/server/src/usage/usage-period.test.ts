import { dayOf } from '@masthead/contract/kernel/time'
import { describe, expect, test } from 'vitest'
import { intervalsOf, previousOf, usagePeriod } from './usage-period.ts'

const now = new Date('2026-11-21T14:31:48Z')
const iso = ({ start, end }: { start: Date; end: Date }) => [start.toISOString().slice(0, 16), end.toISOString().slice(0, 16)]

describe('what period is meant', () => {
  test.each([
    [{}, 'day', ['2026-11-01T00:00', '2026-12-01T00:00']],
    [{ start: '2026-11-20T10:20:00Z' }, 'hour', ['2026-11-20T10:00', '2026-11-21T15:00']],
    [{ start: '2026-11-20T10:20:00Z' }, 'day', ['2026-11-20T00:00', '2026-11-22T00:00']],
    [{ end: '2026-11-01T00:00:00Z' }, 'day', ['2026-10-01T00:00', '2026-11-01T00:00']],
    [{ start: '2026-09-10T00:00:00Z', end: '2026-11-02T00:00:00Z' }, 'month', ['2026-09-01T00:00', '2026-12-01T00:00']],
    [{ start: '2026-11-20T00:00:00Z', end: '2026-11-21T00:00:00Z' }, 'day', ['2026-11-20T00:00', '2026-11-21T00:00']],
    // 3,660 days.
    [{ start: '2016-11-13T00:00:00Z', end: '2026-11-21T00:00:00Z' }, 'month', ['2016-11-01T00:00', '2026-12-01T00:00']],
  ] as const)('%j by %s', (asked, interval, expected) => {
    expect(iso(usagePeriod(asked, interval, now))).toEqual(expected)
  })

  test.each([
    [{ start: '2026-11-20T00:00:00Z', end: '2026-11-20T00:00:00Z' }, 'day', 'The end must be after the start'],
    [{ start: '2026-10-01T00:00:00Z', end: '2026-11-01T01:00:00Z' }, 'hour', 'Choose at most 31 days when counting by the hour'],
    [{ start: '2025-01-01T00:00:00Z', end: '2026-11-01T00:00:00Z' }, 'day', 'Choose at most 400 days when counting by the day'],
    [{ start: '2016-11-12T00:00:00Z', end: '2026-11-21T00:00:00Z' }, 'month', 'Choose at most 3,660 days when counting by the month'],
  ] as const)('%j by %s: %s', (asked, interval, why) => {
    expect(() => usagePeriod(asked, interval, now)).toThrow(why)
  })
})

describe('the period before', () => {
  test.each([
    ['a month that is over', '2026-10-01', '2026-11-01', ['2026-09-01T00:00', '2026-10-01T00:00']],
    ['this month: as far as we are into it', '2026-11-01', '2026-12-01', ['2026-10-01T00:00', '2026-10-21T15:00']],
    ['a quarter', '2026-07-01', '2026-10-01', ['2026-04-01T00:00', '2026-07-01T00:00']],
    ['a week', '2026-11-02', '2026-11-09', ['2026-10-26T00:00', '2026-11-02T00:00']],
    ['today', '2026-11-21', '2026-11-22', ['2026-11-20T00:00', '2026-11-20T15:00']],
    ['days to come', '2026-11-25', '2026-11-27', ['2026-11-23T00:00', '2026-11-25T00:00']],
  ])('of %s', (_, start, end, expected) => {
    expect(iso(previousOf({ start: new Date(start), end: new Date(end) }, now))).toEqual(expected)
  })

  test('never runs into the period itself', () => {
    const march = { start: new Date('2026-03-01'), end: new Date('2026-04-01') }
    expect(iso(previousOf(march, new Date('2026-03-31T22:00:00Z')))).toEqual(['2026-02-01T00:00', '2026-03-01T00:00'])
  })
})

test('intervals stop with the one we are in', () => {
  const days = intervalsOf({ start: new Date('2026-11-19'), end: new Date('2026-12-01') }, 'day', now)
  expect(days.map((at) => at.toISOString().slice(8, 10))).toEqual(['19', '20', '21'])
  const months = intervalsOf({ start: new Date('2026-01-01'), end: new Date('2026-04-01') }, 'month', now)
  expect(months.map(dayOf)).toEqual(['2026-01-01', '2026-02-01', '2026-03-01'])
})
