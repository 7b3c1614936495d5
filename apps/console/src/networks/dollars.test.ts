import { expect, test } from 'vitest'
import { dollars, microsOf } from './dollars.ts'

test.each([
  [0, '0.00'],
  [12_500, '0.0125'],
  [1_000_000, '1.00'],
  [1, '0.000001'],
  [2_300_000, '2.3'],
])('%d millionths are %s', (micros, words) => {
  expect(dollars(micros)).toBe(words)
  expect(microsOf(words)).toBe(micros)
})

test.each(['', '-1', '1,5', '0.0000001', 'x', '1.', '.5', '1e3'])('%j is no amount', (text) => expect(microsOf(text)).toBeNull())
