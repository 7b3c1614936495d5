import { describe, expect, test } from 'vitest'
import { readAddress, writeAddress } from './address.ts'

const defaults = { page: 1, sort: 'name', search: '', type: [] as string[], open: false }
const read = (text: string) => readAddress(new URLSearchParams(text), defaults)
const write = (text: string, patch: Parameters<typeof writeAddress<typeof defaults>>[2]) =>
  writeAddress(new URLSearchParams(text), defaults, patch).toString()

describe('readAddress', () => {
  test('nothing said is the defaults, in a list of its own', () => {
    expect(read('')).toEqual(defaults)
    expect(read('').type).not.toBe(defaults.type)
  })
  test('each type by its default', () => {
    expect(read('page=3&sort=-usage&search=a%20b&type=core&type=picolte&open=true')).toEqual({
      page: 3,
      sort: '-usage',
      search: 'a b',
      type: ['core', 'picolte'],
      open: true,
    })
  })
  test.each(['page=0', 'page=-2', 'page=x', 'page=1.5'])('%s makes no sense: the default', (text) => expect(read(text).page).toBe(1))
})

describe('writeAddress', () => {
  test('defaults are left out, other keys stay', () => {
    expect(write('page=3&other=1', { page: 1, sort: '-usage' })).toBe('other=1&sort=-usage')
  })
  test('a list is repeated, an empty one is its default', () => {
    expect(write('type=core', { type: ['axis_gw', 'core'] })).toBe('type=axis_gw&type=core')
    expect(write('type=core', { type: [] })).toBe('')
  })
  test('an empty list is kept where the default is not empty', () => {
    const full = { tab: ['a'] }
    const text = writeAddress(new URLSearchParams(), full, { tab: [] }).toString()
    expect(readAddress(new URLSearchParams(text), full).tab).toEqual([])
  })
  test('what is written is read again', () => {
    const state = { page: 4, sort: 'x', search: 'ä&=', type: ['a', 'b'], open: true }
    expect(read(write('', state))).toEqual(state)
  })
})
