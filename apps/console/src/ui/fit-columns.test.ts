import { expect, test } from 'vitest'
import { fitDrops } from './fit-columns.ts'

test('a column leaves as late as it has room', () => {
  // 220 + 2 × 120 + 180 = 640: in the narrowest table there is room for all.
  expect(fitDrops([{}, { width: 120 }, { width: 120, drop: 2 }, { width: 180, drop: 1 }], 0)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  // One pixel more, and the first to leave does so at the next narrower width.
  expect(fitDrops([{}, { width: 120 }, { width: 120, drop: 2 }, { width: 181, drop: 1 }], 0)).toEqual([undefined, undefined, undefined, 4])
  // What stands beside the columns takes room as well.
  expect(fitDrops([{}, { width: 120 }, { width: 120, drop: 2 }, { width: 180, drop: 1 }], 48)).toEqual([undefined, undefined, undefined, 4])
})

test('a column that would have room only without the others leaves when it is said', () => {
  const columns = [{}, { width: 300 }, { width: 300, drop: 2 as const }, { width: 300, drop: 1 as const }, { width: 200, drop: 0 as const }]
  expect(fitDrops(columns, 0)).toEqual([undefined, undefined, 2, 1, 0])
})
