import { expect, test } from 'vitest'
import { monthEstimate } from './price-words.ts'

const fees = {
  activation_micros: 2_000_000,
  reactivation_micros: 0,
  active_monthly: [
    { from: 1, price_micros: 2_000_000 },
    { from: 11, price_micros: 1_600_000 },
  ],
  inactive_monthly_micros: 0,
  standby_monthly_micros: 0,
}

test('a month is what the SIMs cost in the steps of the price list, and their data at the price of the zone', () => {
  // 10 × $2.00 + 2 × $1.60, and 12 × 37.5 MB × $0.012.
  expect(monthEstimate(fees, { sims: 12, megabytes: 37.5, price_micros: 12_000 })).toEqual({
    active: 23_200_000,
    data: 5_400_000,
    all: 28_600_000,
  })
  expect(monthEstimate(fees, { sims: 0, megabytes: 50, price_micros: 12_000 }).all).toBe(0)
})
