import { expect, test } from 'vitest'
import { backofficeRedirect, safeRedirect } from './redirect.ts'

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

test.each([
  [null, '/masa'],
  ['/masa', '/masa'],
  ['/masa?x=1', '/masa?x=1'],
  ['/masa/accounts/a%40b.test?tab=log&q=..', '/masa/accounts/a%40b.test?tab=log&q=..'],
  ['/profile', '/masa'],
  ['/masax', '/masa'],
  ['//evil.test', '/masa'],
  ['/masa/../..//evil.test', '/masa'],
  ['/masa/%2e%2e/login', '/masa'],
  ['/masa/access', '/masa'],
  ['/masa/./access?redirect_url=/masa/access', '/masa'],
  ['/masa/access/../logs', '/masa'],
  ['/masa/accessories', '/masa/accessories'],
])('in the backoffice %s leads to %s', (wanted, where) => {
  expect(backofficeRedirect(wanted)).toBe(where)
})
