import { describe, expect, test } from 'vitest'
import { areaPath, barsPath, chartScale, levels, linePath, seriesColor } from './chart-shape.ts'

const times = [0, 1, 2, 3]
const series = [
  { label: 'Down', values: [1, 2, null, 4] },
  { label: 'Up', values: [1, 0, null, 4] },
]

describe('bars', () => {
  const scale = chartScale({ kind: 'bars', times }, 10, 400, 100)
  const [down, up] = levels({ kind: 'bars', series })
  test('stand on zero, in the middle of their band', () => {
    expect(barsPath(down!, undefined, scale, 0.5, 40)).toBe('M30 90h40V100h-40ZM130 80h40V100h-40ZM330 60h40V100h-40Z')
  })
  test('stand on those below, a hairline apart; one of nothing is not drawn', () => {
    expect(barsPath(up!, down, scale, 0.5, 40)).toBe('M30 80h40V89h-40ZM330 20h40V59h-40Z')
  })
})

describe('lines and areas', () => {
  const scale = chartScale({ kind: 'line', times }, 10, 300, 100)
  test('reach both edges and leave gaps; a point alone is still seen', () => {
    expect(linePath([1, 2, null, 4], scale)).toBe('M0 90L100 80M300 60h0.01')
  })
  test('an area is closed along the one below', () => {
    expect(areaPath([2, 4, null, null], [1, 1, null, null], scale)).toBe('M0 80L100 60L100 90L0 90Z')
  })
  test('lines are not stacked', () => {
    expect(levels({ kind: 'line', series })[1]).toEqual([1, 0, null, 4])
  })
})

test('one or two series take the calm green, more take the set of eight', () => {
  const one = series[0]!
  expect(seriesColor(one, 0, 2)).toBe('var(--plot-1)')
  expect(seriesColor(one, 0, 3)).toBe('var(--chart-1)')
  expect(seriesColor(one, 9, 10)).toBe('var(--chart-2)')
  expect(seriesColor({ ...one, color: 4 }, 0, 1)).toBe('var(--chart-4)')
})
