import { expect, test } from 'vitest'
import { bonusOf, CouponCode, couponWords } from './coupon.ts'
import type { Currency } from '../money.ts'

test('a bonus is rounded down to the hundredth and has an end', () => {
  expect(bonusOf({ percent: 10, amount_micros: 50_000_000 }, 100_000_000)).toBe(10_000_000)
  expect(bonusOf({ percent: 33, amount_micros: 50_000_000 }, 10_010_000)).toBe(3_300_000)
  expect(bonusOf({ percent: 10, amount_micros: 50_000_000 }, 1_000_000_000)).toBe(50_000_000)
})

test('a code is the same however it is typed', () => {
  expect(CouponCode.parse(' spring-26 ')).toBe('SPRING-26')
  expect(CouponCode.safeParse('abc').success).toBe(false)
})

test('what it gives, in words', () => {
  const given = { currency: 'USD' as Currency, amount_micros: 50_000_000, percent: 10 }
  expect(couponWords({ ...given, kind: 'amount', percent: null })).toBe('$50.00 of credits')
  expect(couponWords({ ...given, kind: 'percent' })).toBe('10 % more on the next credits that are bought, at most $50.00')
})
