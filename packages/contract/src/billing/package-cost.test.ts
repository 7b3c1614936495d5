import { expect, test } from 'vitest'
import { packageCost } from './package-cost.ts'

const offered = {
  kind: 'fixed',
  size_bytes: 10e9,
  zone: 'Europe',
  validity: { count: 1, unit: 'month' },
  price_micros: 20e6,
  overage_policy: 'payg',
  overage_percent: null,
} as const
/** 15 GB in Europe at $2.00 and 5 GB at $4.00 a GB, 1 GB elsewhere at $10.00. */
const used = [
  { zone: 'Europe', bytes: 15e9, price_micros: 2000, kb: 1000 },
  { zone: 'Europe', bytes: 5e9, price_micros: 4000, kb: 1000 },
  { zone: null, bytes: 1e9, price_micros: 10_000, kb: 1000 },
]
const cost = (changes: Partial<Parameters<typeof packageCost>[0]> = {}, days = 30) =>
  packageCost({ ...offered, ...changes }, { used, sims: 4, days })

test('its price, what goes beyond it at the mean price there, and data elsewhere', () => {
  // Half of the 20 GB is beyond it: half of $50.00.
  expect(cost()).toEqual({ size_bytes: 10e9, price_micros: 20e6, beyond_bytes: 10e9, stops: false, would_micros: 20e6 + 25e6 + 10e6 })
  expect(cost({ zone: null, size_bytes: 30e9 })).toMatchObject({ beyond_bytes: 0, would_micros: 20e6 })
  expect(packageCost(offered, { used: [], sims: 0, days: 30 })).toMatchObject({ beyond_bytes: 0, would_micros: 20e6 })
})

test('of each SIM as many as there are, and of other terms their part of the month', () => {
  expect(cost({ kind: 'dynamic' })).toMatchObject({ size_bytes: 40e9, price_micros: 80e6, beyond_bytes: 0, would_micros: 90e6 })
  expect(cost({ validity: { count: 10, unit: 'day' } })).toMatchObject({ size_bytes: 30e9, price_micros: 60e6 })
  expect(cost({ validity: { count: 10, unit: 'day' } }, 31)).toMatchObject({ size_bytes: 31e9, price_micros: 62e6 })
  expect(cost({ validity: { count: 2, unit: 'month' } })).toMatchObject({ size_bytes: 5e9, price_micros: 10e6 })
})

test('one that gives no more than so much stops, and nothing beyond it is paid', () => {
  expect(cost({ overage_policy: 'stop' })).toMatchObject({ stops: true, would_micros: 30e6 })
  expect(cost({ overage_policy: 'percent', overage_percent: 50 })).toMatchObject({ stops: true, would_micros: 30e6 })
  expect(cost({ overage_policy: 'percent', overage_percent: 100 })).toMatchObject({ stops: false, would_micros: 30e6 })
})
