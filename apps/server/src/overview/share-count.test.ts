import { expect, test } from 'vitest'
import { shareCount } from './share-count.ts'

test('one count serves all who ask at once and soon after; one that failed serves nobody else', async () => {
  let counted = 0
  const count = async () => ++counted
  expect(await Promise.all([shareCount('a', count), shareCount('a', count), shareCount('b', count)])).toEqual([1, 1, 2])
  expect(await shareCount('a', count)).toBe(1)
  const failing = shareCount('c', () => Promise.reject(new Error('away')))
  await expect(failing).rejects.toThrow('away')
  expect(await shareCount('c', count)).toBe(3)
})
