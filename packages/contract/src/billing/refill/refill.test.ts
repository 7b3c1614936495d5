import { expect, test } from 'vitest'
import { refillAmount } from './refill.ts'

const fixed = { mode: 'fixed', amount_micros: 100_000_000, month_limit_micros: 250_000_000 } as never
const target = { mode: 'target', amount_micros: 1_000_000_000, month_limit_micros: 2_000_000_000 } as never

test.each([
  ['the same amount', fixed, 5_000_000, 0, 100_000_000],
  ['the same amount, also below zero', fixed, -900_000_000, 0, 100_000_000],
  ['the second of the month', fixed, 5_000_000, 100_000_000, 100_000_000],
  ['no third: it would be 300 of at most 250', fixed, 5_000_000, 200_000_000, null],
  ['what is missing to 1,000 from 249.12, as in the ledger', target, 249_120_000, 0, 750_880_000],
  ['up to the cent: 0.003 more than 750.87 is missing', target, 249_127_000, 0, 750_880_000],
  ['the debt too', target, -18_400_000, 0, 1_018_400_000],
  ['at least what can be bought', { ...(target as object), amount_micros: 255_000_000 } as never, 249_000_000, 0, 10_000_000],
  ['as far as the month allows', target, 0, 1_249_120_000, 750_880_000],
  ['less than can be bought is left of the month', target, 0, 1_995_000_000, null],
])('%s', (_name, rule, available, charged, amount) => {
  expect(refillAmount(rule, { available, charged })).toBe(amount)
})
