import { expect, test } from 'vitest'
import { rehearse } from './rehearse.ts'

const now = Date.parse('2026-11-26T00:00:00Z')
const days = Array.from({ length: 7 }, () => 100)
const day = (at: number) => new Date(at).toISOString().slice(0, 10)
const tried = (limit_bytes: number | null, used_bytes = 1000, of = days) =>
  rehearse({ days: of, used_bytes, limit_bytes, period: 'month' }, now)

test('a limit that this month reaches, and one that only the next month does', () => {
  expect(day(tried(1250)!.reached!.expected)).toBe('2026-11-28')
  const later = tried(2000)!
  expect(later).toMatchObject({ pace_bytes: 100, days: 7, at_end_bytes: 1500, next_period: true })
  expect(day(later.reached!.expected)).toBe('2026-12-21')
})

test('what lasts for two periods is not reached, nor is no limit', () => {
  expect(tried(1_000_000)).toMatchObject({ reached: null, at_end_bytes: 1500 })
  expect(tried(null)).toMatchObject({ reached: null })
})

test('a limit below what is used is reached at once', () => {
  expect(tried(900)!.reached).toEqual({ expected: now, earliest: now, latest: now })
})

test('days that vary make a range, and without usage nothing is said', () => {
  const { reached } = tried(1250, 1000, [50, 150, 60, 140, 100, 80, 120])!
  expect(reached!.earliest!).toBeLessThan(reached!.expected)
  expect(tried(1250, 1000, [0, 0])).toBeNull()
  expect(tried(1250, 1000, [])).toBeNull()
})
