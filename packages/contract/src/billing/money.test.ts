import { describe, expect, test } from 'vitest'
import { formatMoney, micros } from './money.ts'

describe('formatMoney', () => {
  test.each([
    [1_284_600_000, 'USD', '$1,284.60'],
    [0, 'USD', '$0.00'],
    [4_000, 'EUR', '€0.004'],
    [-4_000, 'EUR', '-€0.004'],
    [1, 'GBP', '£0.000001'],
    [5_000_000, 'CHF', 'CHF 5.00'],
    [5_000_000, 'JPY', '¥5'],
    [1_234_567_890_120_000, 'USD', '$1,234,567,890.12'],
  ])('%d micros of %s', (amount, currency, words) => expect(formatMoney(micros(amount), currency)).toBe(words))

  test.each([
    [1_005_000, 2, '$1.01'],
    [-1_005_000, 2, '-$1.01'],
    [1_004_999, 2, '$1.00'],
    [999_999, 2, '$1.00'],
    [-400, 2, '$0.00'],
    [1_500_000, 0, '$2'],
  ])('%d micros at %d decimals', (amount, decimals, words) => expect(formatMoney(micros(amount), 'USD', { decimals })).toBe(words))
})

test('an amount is a whole number', () => {
  expect(() => micros(0.5)).toThrow('whole')
  expect(() => micros(2 ** 60)).toThrow('whole')
})
