import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { cappedTotal, decodeCursor, encodeCursor, offsetOf, TimePlace } from './paging.ts'

const Place = z.tuple([z.literal('name'), z.string(), z.string()])

test('a place comes back as it was given', () => {
  const place = ['name', 'Ü "x" 🚚', 'ast_1'] as const
  expect(decodeCursor(encodeCursor(place), () => Place)).toEqual(place)
  expect(decodeCursor(undefined, () => Place)).toBeUndefined()
})

test.each([
  '',
  'x',
  '!!',
  encodeCursor(['age', 'a', 'b']),
  encodeCursor(['name', 1, 'b']),
  encodeCursor(['name', 'a']),
  Buffer.from('{').toString('base64url'),
])('the place %j is of no list', (after) => {
  expect(() => decodeCursor(after, () => Place)).toThrow('`next` of the same list')
})

test('a time in a place is a real one', () => {
  expect(z.safeParse(TimePlace, '2026-02-28T10:00:00.123456+00:00').success).toBe(true)
  for (const wrong of [
    '2026-02-30T10:00:00Z',
    'now',
    '-infinity',
    '2026-01-01T00:00:00+16:00',
    '2026-01-01T00:00:00-23:59',
    "2026-01-01T00:00:00Z'",
    `2026-01-01T00:00:00.${'1'.repeat(200)}Z`,
  ])
    expect(z.safeParse(TimePlace, wrong).success).toBe(false)
})

test('pages reach ten thousand rows', () => {
  expect(offsetOf({ page: 1, page_size: 10, after: undefined })).toBe(0)
  expect(offsetOf({ page: 1000, page_size: 10, after: undefined })).toBe(9990)
  expect(offsetOf({ page: 334, page_size: 30, after: undefined })).toBe(9990)
  expect(() => offsetOf({ page: 1001, page_size: 10, after: undefined })).toThrow('Pages reach the first 10,000 rows')
  expect(offsetOf({ page: 2000, page_size: 10, after: undefined }, 20_000)).toBe(19_990)
  expect(() => offsetOf({ page: 2001, page_size: 10, after: undefined }, 20_000)).toThrow('Pages reach the first 20,000 rows')
  expect(offsetOf({ page: 9999, page_size: 100, after: 'x' })).toBe(0)
})

test('a count says when it stopped', () => {
  expect([0, 10_000, 10_001].map(cappedTotal)).toEqual([
    { total: 0, total_capped: false },
    { total: 10_000, total_capped: false },
    { total: 10_000, total_capped: true },
  ])
})
