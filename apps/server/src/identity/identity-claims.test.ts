import { expect, test } from 'vitest'
import { readIdentityClaims } from './identity-claims.ts'

test.each([
  ['  Ann\nLee ', 'Ann Lee'],
  ['in\u202evoice\u200b', 'invoice'],
  ['x'.repeat(200), 'x'.repeat(120)],
  ['\u200b', null],
  ['   ', null],
  [7, null],
])('of a provider’s name %j is kept %j', (name, kept) => {
  expect(readIdentityClaims('https://login.test', { sub: 'ann', name }).name).toBe(kept)
})
