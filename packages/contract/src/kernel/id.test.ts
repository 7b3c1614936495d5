import { expect, test } from 'vitest'
import { idKind, newId } from './id.ts'

test('ids say what they are of and sort by time, whatever else is in them', () => {
  const ids = [0, 1, 31, 32, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1].map((now) => newId('asset', now))
  expect(ids).toEqual(ids.toSorted())
  for (const id of ids) expect(id).toMatch(/^ast_[0-9a-hjkmnp-tv-z]{26}$/)
})

test('within one millisecond they count up and never repeat', () => {
  const ids = Array.from({ length: 5000 }, () => newId('event', 1_700_000_000_000))
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(5000)
})

test('they count up also where ids of other milliseconds are made in between', () => {
  const ids = Array.from({ length: 500 }, (_, i) => {
    newId('event', 1_700_000_000_001 + (i % 200))
    return newId('event', 1_700_000_000_000)
  })
  expect(ids).toEqual(ids.toSorted())
})

test('another millisecond starts anew at random', () => {
  const tails = Array.from({ length: 50 }, (_, i) => newId('tag', i).slice(14))
  expect(new Set(tails.map((tail) => tail.slice(0, 8))).size).toBe(50)
})

test('an area declares a kind of its own, and no two kinds have one prefix', () => {
  expect(newId(idKind('zzz'))).toMatch(/^zzz_/)
  for (const taken of ['zzz', 'ast']) expect(() => idKind(taken)).toThrow(`Another kind of id begins with ${taken}_`)
})
