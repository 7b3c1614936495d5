import { expect, test } from 'vitest'
import { Unacked } from './unacked.ts'

const text = (chunks: Uint8Array[] | undefined) => chunks && Buffer.concat(chunks).toString()
const filled = () => {
  const kept = new Unacked()
  for (const part of ['abc', 'def', 'ghi']) kept.add(Buffer.from(part))
  return kept
}

test('what was not taken is kept, from whatever place', () => {
  const kept = filled()
  expect(text(kept.since(0))).toBe('abcdefghi')
  kept.taken(4)
  expect([kept.bytes, kept.end]).toEqual([5, 9])
  expect(text(kept.since(4))).toBe('efghi')
  expect(text(kept.since(7))).toBe('hi')
  expect(text(kept.since(9))).toBe('')
  expect(kept.since(3)).toBeUndefined()
  expect(kept.since(10)).toBeUndefined()
})

test('who takes back, or more than there is, changes nothing that is not so', () => {
  const kept = filled()
  kept.taken(6)
  kept.taken(2)
  expect(text(kept.since(6))).toBe('ghi')
  kept.taken(1000)
  expect([kept.bytes, text(kept.since(9))]).toEqual([0, ''])
  kept.add(Buffer.alloc(300_000))
  expect(kept.full).toBe(true)
})

test('bytes that come one by one are kept in few pieces, from whatever place', () => {
  const kept = new Unacked()
  const bytes = Buffer.from(Array.from({ length: 50_000 }, (_, nth) => nth % 251))
  for (let at = 0; at < bytes.length; at++) kept.add(bytes.subarray(at, at + 1))
  kept.taken(777)
  for (const at of [777, 778, 5000, 49_999, 50_000]) expect(Buffer.concat(kept.since(at)!).equals(bytes.subarray(at))).toBe(true)
  expect(kept.since(777)!.length).toBeLessThan(200)
})
