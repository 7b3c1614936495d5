import { expect, test } from 'vitest'
import { addressesWithin, scopesOf, tagsOf, withinAddresses } from './key-rights.ts'

test('a key has the scopes that its maker has too', () => {
  expect(scopesOf(['a', 'b'], { permissions: 'all', tags: [] })).toEqual(['a', 'b'])
  expect(scopesOf(['a', 'b'], { permissions: ['b', 'c'], tags: [] })).toEqual(['b'])
  expect(scopesOf(['a'], { permissions: [], tags: [] })).toEqual([])
})

test('two limits leave what they have in common, and nothing in common is nothing, not everything', () => {
  const limited = (tags: string[], maker: string[]) => tagsOf(tags, { permissions: 'all', tags: maker })
  expect(limited([], [])).toEqual([])
  expect(limited(['a'], [])).toEqual(['a'])
  expect(limited([], ['a'])).toEqual(['a'])
  expect(limited(['a', 'b'], ['b', 'c'])).toEqual(['b'])
  expect(limited(['a'], ['b'])).toEqual(['tag_none'])
})

test.each([
  ['203.0.113.7', ['203.0.113.0/24'], true],
  ['203.0.114.7', ['203.0.113.0/24'], false],
  ['203.0.113.7', ['203.0.113.7'], true],
  ['203.0.113.7', ['2001:db8::/32'], false],
  ['2001:db8::1', ['2001:db8::/32', '10.0.0.0/8'], true],
  ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
  ['10.1.2.3', ['0.0.0.0/0'], true],
  ['2001:db8::1', ['0.0.0.0/0'], false],
  ['fe80::1%eth0', ['fe80::/10'], true],
])('%s in %j: %j', (ip, addresses, inside) => expect(withinAddresses(ip, addresses)).toBe(inside))

test.each([
  [['10.1.0.0/16'], ['10.0.0.0/8'], true],
  [['10.0.0.0/8'], ['10.1.0.0/16'], false],
  [['10.1.2.3'], ['10.0.0.0/8'], true],
  [['10.0.0.0/8'], ['10.0.0.0'], false],
  [['10.1.2.3', '192.0.2.1'], ['10.0.0.0/8'], false],
  [['10.1.2.3', '2001:db8::1'], ['10.0.0.0/8', '2001:db8::/32'], true],
  [[], ['10.0.0.0/8'], false],
  [['10.0.0.0/8'], [], true],
  [[], [], true],
  // IPv4 in IPv6 clothing counts by what it covers.
  [['::ffff:10.0.0.1/97'], ['10.0.0.0/8'], false],
  [['::ffff:10.1.0.0/112'], ['10.0.0.0/8'], true],
  [['::ffff:10.1.2.3'], ['10.1.2.3/32'], true],
  [['10.0.0.0/8'], ['::ffff:10.0.0.0/104'], true],
  [['11.0.0.0/8'], ['::ffff:10.0.0.0/104'], false],
])('%j within %j: %j', (narrow, wide, inside) => expect(addressesWithin(narrow, wide)).toBe(inside))
