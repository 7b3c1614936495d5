import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawFromPools, givesNothing, type OpenTerm, type Used } from './draw.ts'

const term = (pool_id: string, given: Partial<OpenTerm> = {}): OpenTerm => ({
  pool_id,
  starts_at: 0,
  ends_at: 1000,
  priority: 100,
  size: 100,
  most_over: 0,
  within: 0,
  over: 0,
  ...given,
})
const drawn = (used: Used, terms: OpenTerm[]) =>
  drawFromPools(used, terms).map(({ term: { pool_id }, bytes, over }) => [pool_id, bytes, over])

test('a record is cut where a pool is used up, and goes on in the next', () => {
  const [a, b] = [term('a', { within: 70 }), term('b')]
  expect(drawn({ from: 1, at: 2, bytes: 50 }, [a, b])).toEqual([
    ['a', 30, 0],
    ['b', 20, 0],
  ])
  expect([a.within, b.within]).toEqual([100, 20])
})

test('the lower priority comes first, then the term that ends first', () => {
  const terms = [term('late', { ends_at: 3000 }), term('soon', { ends_at: 2000 }), term('first', { priority: 1, ends_at: 9000 })]
  expect(drawn({ from: 1, at: 2, bytes: 250 }, terms).map(([pool_id]) => pool_id)).toEqual(['first', 'soon', 'late'])
})

test('what comes after the pool: a share more, any amount, or what happened all the same', () => {
  expect(drawn({ from: 1, at: 2, bytes: 130 }, [term('a', { most_over: 20 }), term('b', { size: 5, most_over: null })])).toEqual([
    ['a', 120, 20],
    ['b', 10, 5],
  ])
  const stopped = term('a')
  expect(drawn({ from: 1, at: 2, bytes: 130 }, [stopped])).toEqual([['a', 130, 30]])
  expect(givesNothing(stopped)).toBe(true)
  expect(givesNothing(term('b', { within: 100, most_over: null, over: 1e9 }))).toBe(false)
})

test('a record that crosses the turn of a term is cut by time', () => {
  const [before, after] = [term('a', { ends_at: 1000 }), term('a', { starts_at: 1000, ends_at: 2000 })]
  expect(drawn({ from: 900, at: 1300, bytes: 100 }, [before, after])).toEqual([
    ['a', 25, 0],
    ['a', 75, 0],
  ])
  expect([before.within, after.within]).toEqual([25, 75])
  expect(drawn({ from: 2500, at: 2600, bytes: 10 }, [before, after])).toEqual([])
  // Of one moment: the term that it is in.
  expect(drawn({ from: 1000, at: 1000, bytes: 8 }, [before, after])).toEqual([['a', 8, 0]])
  expect(after.within).toBe(83)
})

test('a record is cut by time where the SIM joined or left a pool; who is in none brings it to the one that is joined', () => {
  const [a, b] = [term('a', { size: 1000 }), term('b', { size: 1000 })]
  const both = new Map([
    [a, [{ since: 0, until: 150 }]],
    [b, [{ since: 180, until: Infinity }]],
  ])
  expect(
    drawFromPools({ from: 100, at: 200, bytes: 100 }, [a, b], both).map((one) => [one.term.pool_id, one.from, one.at, one.bytes])
  ).toEqual([
    ['a', 100, 149, 50],
    ['b', 150, 179, 30],
    ['b', 180, 200, 20],
  ])
  const left = new Map([[a, [{ since: 0, until: 150 }]]])
  expect(drawFromPools({ from: 100, at: 200, bytes: 100 }, [a], left).map(({ bytes }) => bytes)).toEqual([50])
  // A pool that the SIM was in all the time has no stays.
  expect(drawFromPools({ from: 100, at: 200, bytes: 100 }, [a, b], left).map((one) => [one.term.pool_id, one.bytes])).toEqual([
    ['a', 50],
    ['b', 50],
  ])
})

test('is the same as byte by byte', () => {
  const given = fc.record({
    priority: fc.integer({ min: 1, max: 3 }),
    ends_at: fc.constantFrom(1000, 2000),
    size: fc.integer({ min: 0, max: 30 }),
    most_over: fc.option(fc.integer({ min: 0, max: 10 })),
  })
  fc.assert(
    fc.property(fc.array(given, { maxLength: 4 }), fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 }), (pools, amounts) => {
      const terms = pools.map((each, i) => term(`p${i}`, each))
      const slow = terms.map((each) => ({ ...each }))
      for (const bytes of amounts) {
        const taken = drawFromPools({ from: 5, at: 6, bytes }, terms)
        expect(taken.reduce((sum, draw) => sum + draw.bytes, 0)).toBe(terms.length === 0 ? 0 : bytes)
        for (let i = 0; i < bytes; i++) giveByte(slow)
      }
      expect(terms.map(({ within, over }) => [within, over])).toEqual(slow.map(({ within, over }) => [within, over]))
    })
  )
})

function giveByte(terms: OpenTerm[]) {
  const order = terms.toSorted((a, b) => a.priority - b.priority || a.ends_at - b.ends_at || a.pool_id.localeCompare(b.pool_id))
  const room = order.find(({ within, size }) => within < size)
  if (room) return room.within++
  const more = order.find(({ over, most_over }) => most_over === null || over < most_over) ?? order[0]
  if (more) more.over++
}
