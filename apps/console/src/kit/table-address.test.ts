import { expect, test } from 'vitest'
import { isStep } from './use-table-address.ts'

// The back button after a search, an order or a filter.
test.each([
  ['an order', '', { sort: '-usage' }, true],
  ['a filter', 'truck', { tag: ['a'] }, true],
  ['the first letters of a search', '', { search: 'tr' }, true],
  ['more letters of it', 'tr', { search: 'truck' }, false],
  ['the end of a search', 'truck', { search: '' }, true],
  ['the same search', 'truck', { search: 'truck' }, false],
  ['another count of rows', 'truck', { size: 50 }, false],
] as const)('%s', (_, search, patch, step) => expect(isStep(search, patch as never)).toBe(step))
