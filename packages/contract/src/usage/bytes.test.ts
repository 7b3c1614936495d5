import { expect, test } from 'vitest'
import { formatBytes, formatSteadyBytes } from './bytes.ts'

test.each([
  [7_900_000_000, '7.9 GB', '7.90 GB'],
  [1_000_000, '1 MB', '1.00 MB'],
  [999_996, '1 MB', '1.00 MB'],
  [512, '512 B', '512 B'],
  [0, '0 B', '0 B'],
  [Number.NaN, '0 B', '0 B'],
])('%d bytes: %s, in a column %s', (bytes, alone, inColumn) => {
  expect([formatBytes(bytes), formatSteadyBytes(bytes)]).toEqual([alone, inColumn])
})
