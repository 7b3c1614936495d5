import { expect, test } from 'vitest'
import { steadyRows } from './steady-rows.ts'

const steady = (before: string, now: string) => {
  const { rows, fresh } = steadyRows([...before], [...now], (row) => row)
  return [rows.join(''), fresh]
}

test.each([
  ['nothing was shown yet', '', 'abc', 'abc', 0],
  ['another order', 'abc', 'cab', 'abc', 0],
  ['one came in at the top and one fell off the page', 'abc', 'xab', 'abc', 1],
  ['two came in at the top, of which one is above the others', 'abcd', 'xayb', 'abcd', 2],
  ['one is gone', 'abc', 'ac', 'ac', 0],
  ['one is gone, and the next of the list fills the page', 'abc', 'acd', 'acd', 0],
  ['one is gone and one came in at the top', 'abc', 'xac', 'ac', 1],
  ['one came in at the top, two are gone, and the next fills the page', 'abc', 'xay', 'ay', 1],
  ['one is gone and others moved', 'abcd', 'dca', 'acd', 0],
  ['one more than before', 'ab', 'xab', 'ab', 1],
  ['one more at the end', 'ab', 'abx', 'abx', 0],
  ['all are others', 'abc', 'xyz', 'abc', 3],
  ['all are gone', 'abc', '', '', 0],
])('%s', (_, before, now, shown, fresh) => {
  expect(steady(before, now)).toEqual([shown, fresh])
  // Drawn again with the same answer it stays so.
  expect(steady(shown, now)).toEqual([shown, fresh])
})

test('a list by time stays one, whatever comes', () => {
  let shown = ['e', 'd', 'c', 'b', 'a']
  for (const now of ['fedcb', 'gfedc', 'hgfec', 'ihgfe', 'jihgf']) {
    shown = steadyRows(shown, [...now], (row) => row).rows
    expect(shown).toEqual(shown.toSorted().toReversed())
  }
})

test('every row is shown once, and with its new content', () => {
  const rows = [
    { id: 'b', bytes: 2 },
    { id: 'a', bytes: 9 },
  ]
  const before = [
    { id: 'a', bytes: 1 },
    { id: 'b', bytes: 1 },
  ]
  expect(steadyRows(before, rows, (row) => row.id)).toEqual({ rows: [rows[1], rows[0]], fresh: 0 })
})
