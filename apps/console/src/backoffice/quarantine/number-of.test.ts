import { expect, test } from 'vitest'
import { isNameless, numberOf } from './number-of.ts'

test.each([
  ['262010000000001', null, '262010000000001'],
  ['262010000000001', '8944500000000000001', '262010000000001'],
  ['none', '8944500000000000001', '8944500000000000001'],
  ['none', null, 'No number'],
])('what is named %s of a session of SIM %s is called %s', (identity, session_sim, called) => {
  expect(numberOf({ identity, session_sim })).toBe(called)
})

test('packets of known SIMs that name no number have nothing in common; those of unknown ones do', () => {
  expect(isNameless({ identity: 'none', kind: 'uncounted' })).toBe(true)
  expect(isNameless({ identity: 'none', kind: 'unknown' })).toBe(false)
  expect(isNameless({ identity: '262010000000001', kind: 'uncounted' })).toBe(false)
})
