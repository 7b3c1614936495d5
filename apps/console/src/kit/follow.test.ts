import { describe, expect, test } from 'vitest'
import { following } from './follow.ts'

const before = { name: 'Ann', zone: 'UTC', tags: ['a'] }

describe('a form follows what it shows', () => {
  test.each([
    ['nothing typed', before, null, ['name', 'zone', 'tags']],
    ['a field in which something was typed is left alone', { ...before, name: 'Anna' }, null, ['zone', 'tags']],
    [
      'what was typed and saved gives way to how it is kept',
      { ...before, name: ' Bea ' },
      { ...before, name: ' Bea ' },
      ['name', 'zone', 'tags'],
    ],
    ['typed further after it was saved', { ...before, name: ' Bea S' }, { ...before, name: ' Bea ' }, ['zone', 'tags']],
    ['typed just what came', { name: 'Bea', zone: 'Asia/Tokyo', tags: ['b'] }, null, []],
  ] as const)('%s', (_, typed, sent, fields) => {
    expect(following(before, { name: 'Bea', zone: 'Asia/Tokyo', tags: ['b'] }, typed, sent)).toEqual(fields)
  })

  test('a list that is made anew and says the same is no change', () =>
    expect(following(before, { ...before, tags: ['a'] }, { ...before, tags: ['c'] }, null)).toEqual([]))
})
