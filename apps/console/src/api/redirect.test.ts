import { expect, test } from 'vitest'
import { safeRedirect } from './redirect.ts'

test.each([
  [null, '/'],
  ['/assets?page=2', '/assets?page=2'],
  ['//evil.test', '/'],
  ['/\\evil.test', '/'],
  ['https://evil.test', '/'],
  ['assets', '/'],
  ['/\t/evil.test', '/'],
  ['/\n/evil.test', '/'],
  ['/masa\r\n//evil.test', '/'],
  ['javascript:alert(1)', '/'],
  [' //evil.test', '/'],
])('after signing in %s leads to %s', (wanted, where) => {
  expect(safeRedirect(wanted)).toBe(where)
})
