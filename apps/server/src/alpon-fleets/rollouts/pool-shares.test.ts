import { expect, test } from 'vitest'
import { missingOf } from './pool-shares.ts'

const left = new Map([
  ['first', 100],
  ['last', 60],
])

test('what downloads do not find in pools that they share', () => {
  const missing = (...draws: [bytes: number, ...pool_ids: string[]][]) =>
    missingOf(
      draws.map(([bytes, ...pool_ids]) => ({ bytes, pool_ids })),
      left
    )
  // Alone each of them would find enough.
  expect(missing([60, 'last'])).toEqual([0])
  expect(missing([150, 'first', 'last'])).toEqual([0])
  // 50 go on to the last pool, where 60 are for 110.
  const both = missing([150, 'first', 'last'], [60, 'last'])
  expect(both.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThanOrEqual(50)
  expect(both.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(52)
  expect(both[1]).toBeGreaterThan(both[0]!)
  expect(missing([60, 'last'], [100, 'first', 'last'])).toEqual([0, 0])
  // Nothing is known of what is in no pool, or in one that is not there any more.
  expect(missing([1e15], [1e15, 'gone'], [61, 'gone', 'last'])).toEqual([0, 0, 1])
  expect(missing([0, 'last'], [70, 'last'])).toEqual([0, 10])
})
