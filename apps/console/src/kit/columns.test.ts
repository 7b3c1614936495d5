import { describe, expect, test } from 'vitest'
import { nextSort, type Column } from '../ui/Table.tsx'
import { showingWords } from '../ui/TableFoot.tsx'
import { toggleColumn, visibleColumns } from './ViewOptions.tsx'

const column = (id: string, more: Partial<Column<unknown>> = {}): Column<unknown> => ({ id, header: id, cell: () => null, ...more })
const columns = [column('name', { fixed: true }), column('type'), column('tags'), column('serial', { optional: true })]
const shown = (chosen: string[]) => visibleColumns(columns, chosen).map(({ id }) => id)

describe('columns', () => {
  test('usually all but the optional ones', () => expect(shown([])).toEqual(['name', 'type', 'tags']))
  test('a fixed one is always there', () => expect(shown(['serial'])).toEqual(['name', 'serial']))
  test('one more keeps the order of the table', () =>
    expect(toggleColumn(columns, [], 'serial')).toEqual(['name', 'type', 'tags', 'serial']))
  test('one less', () => expect(toggleColumn(columns, [], 'type')).toEqual(['name', 'tags']))
  test('the usual set again is no choice', () => expect(toggleColumn(columns, ['name', 'tags'], 'type')).toEqual([]))
})

describe('nextSort', () => {
  const usage = { sort: 'usage', descendingFirst: true }
  test.each([
    [usage, 'name', '-usage'],
    [usage, '-usage', 'usage'],
    [usage, 'usage', '-usage'],
    [{ sort: 'name' }, '', 'name'],
  ])('%j after %s', (given, now, next) => expect(nextSort(given, now)).toBe(next))
})

test.each([
  [1, 10, 243, false, 'Showing 1-10 of 243'],
  [241, 3, 243, false, 'Showing 241-243 of 243'],
  [9991, 10, 10_000, true, 'Showing 9,991-10,000 of 10,000+'],
  [1, 0, 0, false, 'Showing 0-0 of 0'],
])('from %d, %d rows of %d', (first, count, total, capped, words) => expect(showingWords(first, count, total, capped)).toBe(words))
