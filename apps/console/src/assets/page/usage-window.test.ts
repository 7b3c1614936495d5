import { expect, test } from 'vitest'
import { breakOf, paceWords, usageGrid, usageWindow } from './usage-window.ts'

const now = Date.parse('2026-11-16T00:00:00Z')
const month = { period_start: '2026-11-01T00:00:00Z', period_end: '2026-12-01T00:00:00Z' }
const usage = (period_bytes: number, limit_bytes: number | null) => ({
  ...month,
  period_bytes,
  limit_bytes,
  limit_period: 'month' as const,
})

test('the pace so far, up to the end of the month or to the limit', () => {
  expect(paceWords(usage(400_000_000, 1_000_000_000), now)).toBe('At this month’s pace 800 MB by 30 Nov')
  expect(paceWords(usage(400_000_000, null), now)).toBe('At this month’s pace 800 MB by 30 Nov')
  expect(paceWords(usage(750_000_000, 1_000_000_000), now)).toBe('At this month’s pace the limit is reached on 21 Nov')
  // A limit of the day says nothing of the month.
  expect(paceWords({ ...usage(750_000_000, 1_000_000_000), limit_period: 'day' }, now)).toBe('At this month’s pace 1.5 GB by 30 Nov')
})

test('no pace where there is nothing to say', () => {
  expect(paceWords(usage(0, null), now)).toBeNull()
  expect(paceWords(usage(1_000_000_000, 1_000_000_000), now)).toBeNull()
  expect(paceWords(usage(5, null), Date.parse('2026-11-01T08:00:00Z'))).toBeNull()
})

test.each([
  ['hour', '2026-11-14T01:00:00.000Z', '2026-11-16T01:00:00.000Z'],
  ['day', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
  ['month', '2025-12-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
] as const)('the window by %s', (interval, start, end) => {
  expect(usageWindow(interval, month, now)).toEqual({ start, end })
})

test('gaps are nothing, what is to come is unknown, and the sum never falls', () => {
  const window = { start: '2026-11-14T00:00:00Z', end: '2026-11-18T00:00:00Z' }
  const points = [{ at: '2026-11-15T00:00:00.000Z', bytes_up: 3, bytes_down: 5 }]
  expect(usageGrid('day', window, points, now)).toEqual({
    times: ['14', '15', '16', '17'].map((day) => Date.parse(`2026-11-${day}T00:00:00Z`) / 1000),
    up: [0, 3, 0, null],
    down: [0, 5, 0, null],
    used: [0, 8, 8, null],
  })
})

test('the chart says since when there is no service: by what took it first', () => {
  const block = { code: 'data_limit', since: '2026-11-20T09:00:00Z', by: 'system', words: 'Used up', clears: 'Next month' } as const
  const sim = { state: 'active', state_changed_at: '2026-11-01T00:00:00Z', blocks: [] } as const
  expect(breakOf({ ...sim, blocks: [] })).toBeNull()
  expect(breakOf({ ...sim, blocks: [block] })).toEqual({
    at: Date.parse('2026-11-20T09:00:00Z') / 1000,
    label: 'No service since 20 Nov, 9:00 AM UTC',
  })
  const off = { ...sim, state: 'inactive', state_changed_at: '2026-11-18T12:30:00Z' } as const
  expect(breakOf({ ...off, blocks: [] })?.label).toBe('No service since 18 Nov, 12:30 PM UTC')
  expect(breakOf({ ...off, blocks: [block] })?.label).toBe('No service since 18 Nov, 12:30 PM UTC')
  expect(breakOf({ ...off, state_changed_at: null, blocks: [] })).toBeNull()
})
