import type { DataPool } from '@masthead/contract/datapools/pool'
import { expect, test } from 'vitest'
import { poolSentence } from './pool-words.ts'

test('a pool that was ended within its term says when that was, and not when its term would have ended', () => {
  const pool = { state: 'ended', ended_at: '2026-11-21T10:00:00Z', term_end: '2026-12-21T00:00:00Z' } as DataPool
  expect(poolSentence(pool).first).toBe('Ended on Sat 21 Nov.')
})
