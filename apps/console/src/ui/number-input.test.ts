import { describe, expect, test } from 'vitest'
import { clampNumber, cutDecimals, numberKeyAllowed, numberPasteAllowed } from './number-input.ts'
import { cutMiddle } from './copy.ts'

describe('number input (spec §5)', () => {
  test.each([
    ['5', '1', {}, true],
    ['.', '1', {}, true],
    ['.', '1.2', {}, false],
    ['.', '1', { decimals: 0 }, false],
    ['-', '', {}, false],
    ['e', '1', {}, false],
    ['Backspace', '1', {}, true],
    ['Delete', '1', {}, true],
    ['ArrowLeft', '1', {}, true],
    ['Tab', '1', {}, true],
    ['v', '1', { ctrl: true }, true],
    ['v', '1', {}, false],
  ] as const)('key %s after %s', (key, text, how, allowed) => expect(numberKeyAllowed(key, text, how)).toBe(allowed))
  test.each([
    ['12', true],
    ['-12.345', true],
    [' 7 ', true],
    ['1,5', false],
    ['12.', false],
    ['abc', false],
    ['', false],
  ])('pasting %j', (text, allowed) => expect(numberPasteAllowed(text)).toBe(allowed))
  test('at most two decimals, unless said otherwise', () => {
    expect(cutDecimals('1.239')).toBe('1.23')
    expect(cutDecimals('1.')).toBe('1.')
    expect(cutDecimals('1.5', 0)).toBe('1')
  })
  test('clamped to its limits', () => {
    expect([clampNumber(-1, 0, 9), clampNumber(12, 0, 9), clampNumber(5)]).toEqual([0, 9, 5])
  })
})

test.each([
  ['8931082017004430594', 19, '8931082017004430594'],
  ['89049032000000000000000000004471', 17, '89049032…00004471'],
  ['abcdef', 4, 'ab…f'],
])('%s in %d characters', (text, length, cut) => {
  expect(cutMiddle(text, length)).toBe(cut)
  expect(cut.length).toBeLessThanOrEqual(length)
})
