import { describe, expect, test } from 'vitest'
import { extent, hasValues, levels, seriesColor, type PaintedChart, momentPlace, placeWords } from './chart-shape.ts'

const series = [
  { label: 'Down', values: [1, 2, null, 4], paint: 'var(--chart-1)' },
  { label: 'Up', values: [1, 0, null, 4], paint: 'var(--chart-2)' },
]
const chart: PaintedChart = { kind: 'bars', times: [0, 1, 2, 3], interval: 'day', series, format: String }

describe('levels', () => {
  test('bars and areas stand on those below', () => expect(levels({ kind: 'area', series })[1]).toEqual([2, 2, null, 8]))
  test('lines are not stacked', () => expect(levels({ kind: 'line', series })[1]).toEqual([1, 0, null, 4]))
})

describe('the ends of the scale', () => {
  test('bars begin at zero and hold the highest stack', () => expect(extent(chart, [0, 3])).toEqual({ low: 0, high: 8 }))
  test('of a zoom, only what is in it', () => expect(extent(chart, [0, 1])).toEqual({ low: 0, high: 2 }))
  test('the period before and a forecast are in it', () => {
    expect(extent({ ...chart, behind: { label: 'October', values: [9, null, null, null] } }, [0, 3]).high).toBe(9)
    expect(extent({ ...chart, band: { label: 'Expected', low: [1], high: [12] } }, [0, 3]).high).toBe(12)
  })
  test('a mark has room for its words above', () =>
    expect(extent({ ...chart, marks: [{ label: 'Limit', value: 100, tone: 'bad' }] }, [0, 3]).high).toBeCloseTo(106))
  test('what is never near zero may leave it', () =>
    expect(extent({ ...chart, kind: 'line', fromZero: false, series: [{ ...series[0]!, values: [-90, -80] }] }, [0, 1])).toEqual({
      low: -90,
      high: -80,
    }))
  test('nothing known is nothing high', () => expect(extent({ ...chart, series: [] }, [0, 3])).toEqual({ low: 0, high: 0 }))
})

test('one or two series take the calm green, more take the set of eight', () => {
  expect(seriesColor({}, 0, 2)).toBe('var(--plot-1)')
  expect(seriesColor({}, 0, 3)).toBe('var(--chart-1)')
  expect(seriesColor({}, 9, 10)).toBe('var(--chart-2)')
  expect(seriesColor({ color: 4 }, 0, 1)).toBe('var(--chart-4)')
  expect(seriesColor({ color: 'rest' }, 3, 4)).toBe('var(--idle-mark)')
})

test('a chart of gaps has no values', () => {
  expect(hasValues({ series: [{ label: 'Down', values: [null, null] }] })).toBe(false)
  expect(hasValues({ series: [{ label: 'Down', values: [null, 0] }] })).toBe(true)
})

test('a moment stands among the points where it happened', () => {
  const times = [0, 3600, 7200]
  expect(momentPlace({ times, kind: 'line' }, 1800)).toBe(0.5)
  expect(momentPlace({ times, kind: 'bars' }, 1800)).toBe(0)
  expect(momentPlace({ times, kind: 'line' }, 9000)).toBe(2.5)
  expect(momentPlace({ times, kind: 'line' }, -1)).toBeNull()
  expect(momentPlace({ times, kind: 'line' }, 10_800)).toBeNull()
  expect(momentPlace({ times: [5], kind: 'line' }, 6)).toBeNull()
  expect(momentPlace({ times: [], kind: 'line' }, 6)).toBeNull()
})

test('words beside lines lie under no line and on no other words', () => {
  const edges = { left: 0, right: 300 }
  const places = (...xs: number[]) =>
    placeWords(
      xs.map((x) => ({ x, width: 50 })),
      edges,
      2
    )
  expect(places(100)).toEqual([102])
  // At the right edge they stand before their line, and at the left edge of a narrow plot nowhere.
  expect(places(280)).toEqual([228])
  expect(placeWords([{ x: 20, width: 50 }], { left: 0, right: 40 }, 2)).toEqual([null])
  // The next line would cross them: they stand before their own, unless others do.
  expect(places(100, 140)).toEqual([48, 142])
  expect(places(40, 100, 140)).toEqual([42, null, 142])
  // The latest may come first.
  expect(places(140, 100, 40)).toEqual([142, null, 42])
})
