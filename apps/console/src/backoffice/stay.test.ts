import { afterEach, expect, test, vi } from 'vitest'
import { leftWords, stayEnd } from './stay.ts'

const store = (token: string | null) => vi.stubGlobal('localStorage', { getItem: () => token, setItem: () => {}, removeItem: () => {} })
afterEach(() => vi.unstubAllGlobals())

test.each([
  [1800, 'in 30 min'],
  [61, 'in 2 min'],
  [60, 'in 60 s'],
  [0.4, 'in 1 s'],
  [0, 'now'],
  [-5, 'now'],
])('%d seconds before its end a stay ends %s', (seconds, words) => expect(leftWords(seconds)).toBe(words))

test.each([
  [`x.${btoa('{"exp":1900000000}')}.y`, 1_900_000_000],
  [`x.${btoa('{"exp":"soon"}')}.y`, null],
  ['nonsense', null],
  [null, null],
])('the token %s ends at %s', (token, end) => {
  store(token)
  expect(stayEnd()).toBe(end)
})
