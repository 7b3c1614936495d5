import { expect, test } from 'vitest'
import { readDetail, valueWords } from './detail-changes.ts'

test('old and new stand beside each other', () => {
  expect(readDetail({ asset_id: 'ast_1', asset_name: 'b', old_name: 'a', new_name: 'b' })).toEqual({
    changes: [{ name: 'Name', before: 'a', after: 'b' }],
    rest: [
      { name: 'Asset ID', value: 'ast_1' },
      { name: 'Asset name', value: 'b' },
    ],
  })
})

test('old beside the value of now', () => {
  const { changes, rest } = readDetail({ updated_member: 'x', permissions: ['a', 'b'], old_permissions: ['a'], tags: null, old_tags: null })
  expect(changes).toEqual([{ name: 'Permissions', before: 'a', after: 'a, b' }])
  expect(rest).toEqual([{ name: 'Updated member', value: 'x' }])
})

test('before and after as a whole: only what differs', () => {
  const before = { url: 'a', events: ['x'], tags: [] }
  expect(readDetail({ before, after: { ...before, url: 'b', on: true } }).changes).toEqual([
    { name: 'Url', before: 'a', after: 'b' },
    { name: 'On', before: '—', after: 'Yes' },
  ])
  expect(readDetail({ before: null, after: { name: 'n' } }).changes).toEqual([{ name: 'Name', before: '—', after: 'n' }])
})

test('something old with nothing new is said as it is', () => {
  expect(readDetail({ old_reason: 'why' })).toEqual({ changes: [], rest: [{ name: 'Old reason', value: 'why' }] })
})

test.each([
  [null, '—'],
  [[], '—'],
  [false, 'No'],
  [0, '0'],
  [{ a: 1 }, '{"a":1}'],
])('%j is said as %s', (value, words) => expect(valueWords(value)).toBe(words))
