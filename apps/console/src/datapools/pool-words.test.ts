import type { DataPool } from '@masthead/contract/datapools/pool'
import { expect, test } from 'vitest'
import { joiningWords, needsMore, policyEffect, poolSentence, renewalWords, shareWords, wholePoolWords } from './pool-words.ts'

test('a pool that was ended within its term says when that was, and not when its term would have ended', () => {
  const pool = { state: 'ended', ended_at: '2026-11-21T10:00:00Z', term_end: '2026-12-21T00:00:00Z' } as DataPool
  expect(poolSentence(pool).first).toBe('Ended on Sat 21 Nov.')
})

test('a pool that runs out says between which days', () => {
  const sentenceOf = (earliest: string, latest: string | null) =>
    poolSentence({
      state: 'active',
      auto_renew: true,
      term_end: '2026-12-01T00:00:00Z',
      size_bytes: 100,
      used_bytes: 80,
      overage_policy: 'stop',
      forecast: {
        bytes_per_day: 5,
        runs_out: { earliest, expected: '2026-11-26T10:00:00Z', latest },
        at_end: { expected: 120, low: 90, high: 140 },
      },
    } as DataPool)
  const { first, next } = sentenceOf('2026-11-25T01:00:00Z', '2026-11-28T20:00:00Z')
  expect([first, next]).toEqual([
    'Runs out Thu 26 Nov, around 10:00 AM UTC, 5 days before it renews.',
    'Likely between Wed 25 Nov and Sat 28 Nov. After it: stop.',
  ])
  expect(sentenceOf('2026-11-25T01:00:00Z', null).next).toBe('Wed 25 Nov at the earliest; it may last. After it: stop.')
  expect(sentenceOf('2026-11-26T01:00:00Z', '2026-11-26T20:00:00Z').next).toBe('After it: stop.')
})

test('what another policy does at once is said of a pool that is used up, and of no other', () => {
  const pool = { state: 'overage', size_bytes: 1000, overage_bytes: 100, sims: 3 } as DataPool
  const stop = { overage_policy: 'stop', overage_percent: null } as const
  const payg = { overage_policy: 'payg', overage_percent: null } as const
  const percent = (overage_percent: number) => ({ overage_policy: 'percent', overage_percent }) as const
  expect(policyEffect(pool, stop)).toEqual({
    takes: true,
    words: 'So much is used already: 3 SIMs lose their service at once, unless another pool has data for them.',
  })
  expect(policyEffect({ ...pool, sims: 1 }, percent(10))?.words).toMatch(/^So much is used already: 1 SIM loses its service .* for it\.$/)
  expect(policyEffect(pool, percent(11))).toBeNull()
  expect(policyEffect(pool, payg)).toBeNull()
  const exhausted = { ...pool, state: 'exhausted' } as DataPool
  expect(policyEffect(exhausted, payg)).toEqual({ takes: false, words: '3 SIMs have service again at once.' })
  expect(policyEffect(exhausted, stop)).toBeNull()
  expect(policyEffect({ ...exhausted, sims: 0 }, payg)).toBeNull()
  expect(policyEffect({ ...pool, state: 'active', overage_bytes: 0 }, stop)).toBeNull()
})

test('who joins an exhausted pool is said to have no service', () => {
  expect(joiningWords({ state: 'exhausted', kind: 'fixed' })).toMatch(/no service/)
  expect(joiningWords({ state: 'exhausted', kind: 'dynamic' })).toBeNull()
  expect(joiningWords({ state: 'overage', kind: 'fixed' })).toBeNull()
})

test('who sees some of its SIMs reads whose figures those of a pool are; what is not for them to know has no amount', () => {
  expect(wholePoolWords({ limited: false })).toBeNull()
  expect(wholePoolWords({ limited: true })).toMatch(/of the whole pool/)
  const pool = { bought: true, kind: 'dynamic', unit_bytes: 1e9, currency: 'USD', validity: { count: 1, unit: 'month' } } as DataPool
  expect(shareWords({ ...pool, price_micros: 2e6 as never })).toBe(
    'Each SIM brings 1 GB and costs $2.00 a month, the term that runs as a whole. It is paid from the balance now.'
  )
  expect(shareWords({ ...pool, price_micros: null })).toBe('Each SIM brings 1 GB, which is paid from the balance now.')
})

test('whoever renews a pool, or lets it end, reads when that is, what it costs and what follows', () => {
  const unpriced = { auto_renew: true, bought: true, kind: 'fixed', term_end: '2026-12-01T00:00:00Z', currency: 'USD' } as DataPool
  const pool = { ...unpriced, price_micros: 75e6 as never }
  const paid = 'is paid from the balance then; where that is not enough, the pool ends.'
  expect(renewalWords(pool)).toBe(`The pool renews on Tue 1 Dec. $75.00 ${paid}`)
  expect(renewalWords({ ...pool, kind: 'dynamic' })).toBe(`The pool renews on Tue 1 Dec. $75.00 for each SIM ${paid}`)
  expect(renewalWords({ ...pool, price_micros: null })).toBe(`The pool renews on Tue 1 Dec. The next term ${paid}`)
  expect(renewalWords({ ...pool, bought: false })).toBe('The pool renews on Tue 1 Dec.')
  expect(renewalWords({ ...pool, auto_renew: false })).toBe(
    'The pool ends on Tue 1 Dec, and its SIMs go on without it. Until then everything stays as it is.'
  )
})

test('a pool that has nothing left says when that ends, also where it does not renew', () => {
  const pool = { state: 'exhausted', exhausted_at: '2026-11-28T10:06:00Z', term_end: '2026-12-01T00:00:00Z', sims: 1 } as DataPool
  expect(poolSentence({ ...pool, auto_renew: false }).next).toBe(
    '1 SIM has no service until the pool ends on Tue 1 Dec, gets more data, or may go over, unless another pool has data for it.'
  )
  expect(poolSentence({ ...pool, auto_renew: true, sims: 3 }).next).toMatch(/^3 SIMs have no service until the pool renews on Tue 1 Dec,/)
})

test('a pool that may run out within the range of its forecast is not said to last for sure', () => {
  const lasting = (high: number) =>
    poolSentence({
      state: 'active',
      auto_renew: true,
      term_end: '2026-12-01T00:00:00Z',
      size_bytes: 164e9,
      used_bytes: 150e9,
      forecast: { bytes_per_day: 5e9, runs_out: null, at_end: { low: 160e9, expected: 163e9, high } },
    } as DataPool)
  expect(lasting(163.5e9)).toEqual({ first: 'Lasts until it renews on Tue 1 Dec', next: 'with about 1 GB to spare.' })
  expect(lasting(165.5e9)).toEqual({
    first: 'Likely lasts until it renews on Tue 1 Dec',
    next: 'with about 1 GB to spare; at most 1.5 GB may be missing.',
  })
})

test('more data is asked for where a pool is used up, or will be before its term ends', () => {
  const runs_out = { earliest: '2026-11-25T01:00:00Z', expected: '2026-11-26T10:00:00Z', latest: null }
  const forecast = { bytes_per_day: 5, at_end: { low: 1, expected: 2, high: 3 }, runs_out: null }
  expect(needsMore({ state: 'active', forecast: null })).toBe(false)
  expect(needsMore({ state: 'active', forecast })).toBe(false)
  expect(needsMore({ state: 'active', forecast: { ...forecast, runs_out } })).toBe(true)
  expect((['overage', 'exhausted', 'ended'] as const).map((state) => needsMore({ state, forecast: null }))).toEqual([true, true, false])
})
