import type { PriceList } from '@masthead/contract/billing/tariff'
import { expect, test } from 'vitest'
import { monthEstimate, placesOf } from './price-words.ts'

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

test('a country that is in several zones has the cheapest first', () => {
  const zone = (id: string, price_micros: number) => ({ id, price_micros }) as PriceList['zones'][number]
  const places = [
    { country: 'DE', zone_id: 'R2' },
    { country: 'DE', zone_id: 'EU1' },
    { country: 'CH', zone_id: 'R2' },
  ]
  expect(placesOf({ zones: [zone('R2', 350_000), zone('SEA', 8_900_000), zone('EU1', 12_000)], places })).toEqual([
    { country: 'DE', zone_id: 'EU1', price_micros: 12_000 },
    { country: 'DE', zone_id: 'R2', price_micros: 350_000 },
    { country: 'CH', zone_id: 'R2', price_micros: 350_000 },
  ])
})
