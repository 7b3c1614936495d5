import { expect, test } from 'vitest'
import { steadyRows } from './steady-rows.ts'

const steady = (before: string, now: string) => steadyRows([...before], [...now], (row) => row).join('')

test.each([
  ['nothing was shown yet', '', 'abc', 'abc'],
  ['another order', 'abc', 'cab', 'abc'],
  ['one came in at the top and one fell off the page', 'abc', 'xab', 'abx'],
  ['one is gone', 'abc', 'ac', 'ac'],
  ['one is gone and others moved', 'abcd', 'dca', 'adc'],
  ['one more than before', 'ab', 'xab', 'abx'],
  ['all are others', 'abc', 'xyz', 'xyz'],
  ['all are gone', 'abc', '', ''],
])('%s', (_, before, now, shown) => {
  expect(steady(before, now)).toBe(shown)
})

test('every row is shown once, and with its new content', () => {
  const rows = [
    { id: 'b', bytes: 2 },
    { id: 'a', bytes: 9 },
  ]
  expect(steadyRows(['a', 'b'], rows, (row) => row.id)).toEqual([rows[1], rows[0]])
})
