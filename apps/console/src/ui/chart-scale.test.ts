import { describe, expect, test } from 'vitest'
import { axisWords, labelledPoints, lonePoints, pointWords, stack, ticks, zoomAround, zoomedPoints } from './chart-scale.ts'

const at = (text: string) => Date.parse(text) / 1000

describe('words of a point', () => {
  test.each([
    ['2026-11-21T14:00:00Z', 'hour', '2 PM', '21 Nov 2026, 2:00 PM UTC'],
    ['2026-11-21T14:05:00Z', 'minute', '2:05 PM', '21 Nov 2026, 2:05 PM UTC'],
    ['2026-11-21T00:05:00Z', 'minute', '12:05 AM', '21 Nov 2026, 12:05 AM UTC'],
    ['2026-11-21T00:00:00Z', 'minute', '21 Nov', '21 Nov 2026, 12:00 AM UTC'],
    ['2026-11-21T00:00:00Z', 'hour', '21 Nov', '21 Nov 2026, 12:00 AM UTC'],
    ['2026-11-01T00:00:00Z', 'day', '1 Nov', '1 Nov 2026'],
    ['2026-11-01T00:00:00Z', 'month', 'Nov', 'Nov 2026'],
    ['2027-01-01T00:00:00Z', 'month', 'Jan 2027', 'Jan 2027'],
  ] as const)('%s by %s', (time, interval, axis, point) => {
    expect(axisWords(at(time), interval)).toBe(axis)
    expect(pointWords(at(time), interval)).toBe(point)
  })
})

describe('labelledPoints', () => {
  test('all of a few', () => expect(labelledPoints(3, 600)).toEqual([0, 1, 2]))
  test('days of a month by sixes where there is little room', () => expect(labelledPoints(30, 320)).toEqual([0, 6, 12, 18, 24]))
  test('hours of a day by sixes', () => expect(labelledPoints(24, 260)).toEqual([0, 6, 12, 18]))
  test('one at least', () => expect(labelledPoints(500, 10)).toEqual([0]))
  test('none of none', () => expect(labelledPoints(0, 600)).toEqual([]))
})

test('stack adds up, the unknown of one as nothing, of all as a gap', () => {
  expect(
    stack([
      [1, null, 3, null],
      [10, 20, null, null],
      [100, 100, 100, null],
    ])
  ).toEqual([
    [1, 0, 3, null],
    [11, 20, 3, null],
    [111, 120, 103, null],
  ])
})

describe('ticks', () => {
  test.each([
    [2.7e9, 176, [0, 1e9, 2e9, 3e9]],
    [6e10, 132, [0, 2e10, 4e10, 6e10]],
    [1, 90, [0, 0.5, 1]],
    [0, 200, [0, 1]],
    [Number.NaN, 200, [0, 1]],
  ])('up to %d on %d pixels', (high, height, expected) => expect(ticks(high, height)).toEqual(expected))
  test('the last reaches above what is shown', () => {
    for (const high of [3, 7.3, 99, 1234, 8.001e8]) expect(ticks(high, 200).at(-1)).toBeGreaterThanOrEqual(high)
  })
})

describe('ticks below zero', () => {
  test('span what is negative', () => expect(ticks(-60, 132, { low: -95 })).toEqual([-100, -80, -60]))
  test('go through zero', () => expect(ticks(10, 132, { low: -10 })).toEqual([-10, 0, 10]))
  test('leave room around one value', () => expect(ticks(-80, 132, { low: -80 })).toEqual([-81, -80, -79]))
})

test('lonePoints are those between gaps', () => {
  expect(lonePoints([1, null, 2, 3, null, 4])).toEqual([0, 5])
  expect(lonePoints([null, 7, undefined])).toEqual([1])
  expect(lonePoints([])).toEqual([])
})

describe('zoom', () => {
  const times = [0, 10, 20, 30, 40, 50, 60, 70]
  test('none shows everything', () => expect(zoomedPoints(times, null)).toEqual([0, 7]))
  test('holds its times when points come and go', () => {
    expect(zoomedPoints(times, { from: 20, to: 40 })).toEqual([2, 4])
    expect(zoomedPoints(times.slice(1), { from: 20, to: 40 })).toEqual([1, 3])
  })
  test('ends when its times have gone', () => expect(zoomedPoints([100, 110], { from: 20, to: 40 })).toEqual([0, 1]))
  test('of nothing is nothing', () => expect(zoomedPoints([], { from: 20, to: 40 })).toEqual([0, 0]))
  test('by keys halves and doubles around the point, inside the times', () => {
    expect(zoomAround(times, null, 0, 'in')).toEqual({ from: 0, to: 30 })
    expect(zoomAround(times, { from: 0, to: 30 }, 2, 'in')).toEqual({ from: 20, to: 30 })
    expect(zoomAround(times, { from: 10, to: 20 }, null, 'in')).toEqual({ from: 10, to: 20 })
    expect(zoomAround(times, { from: 60, to: 70 }, 7, 'out')).toEqual({ from: 40, to: 70 })
    expect(zoomAround(times, { from: 0, to: 30 }, null, 'out')).toBeNull()
  })
})
