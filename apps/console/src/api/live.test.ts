import { expect, test } from 'vitest'
import { mayRefresh, shownBy } from './live.ts'

test.each([
  ['first asked for', { data: undefined, fetchStatus: 'fetching', fetchFailureCount: 0 }, true],
  ['answered', { data: 1, fetchStatus: 'idle', fetchFailureCount: 0 }, true],
  ['being tried again for the first answer', { data: undefined, fetchStatus: 'fetching', fetchFailureCount: 1 }, false],
  ['failed without an answer: it says so', { data: undefined, fetchStatus: 'idle', fetchFailureCount: 3 }, false],
  ['being tried again', { data: 1, fetchStatus: 'fetching', fetchFailureCount: 1 }, false],
  ['answered once, then failed', { data: 1, fetchStatus: 'idle', fetchFailureCount: 3 }, true],
] as const)('an event asks anew for what is %s', (_name, state, asked) => {
  expect(mayRefresh({ state: { ...state } })).toBe(asked)
})

test('a correction of usage asks anew for totals and for what staff see, beside the asset', () => {
  expect(shownBy('assets.usage_corrected').toSorted()).toEqual(['activities', 'assets', 'backoffice', 'overview', 'usage'])
  expect(shownBy('assets.sim_blocked').toSorted()).toEqual(['activities', 'assets', 'overview'])
})
