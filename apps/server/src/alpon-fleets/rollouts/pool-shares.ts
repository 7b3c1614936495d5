type Draw = { bytes: number; pool_ids: readonly string[] }

/**
 * How many bytes each download does not find in its pools, where downloads share pools. Each takes from its pools in their order, and those that are at
 * one pool together and need more than is left there get their part of it by what they need. `left`: bytes by pool; one that is not in it gives nothing.
 * 0 for a download without pools.
 */
export function missingOf(downloads: readonly Draw[], left: ReadonlyMap<string, number>): number[] {
  const draws = downloads.map(({ bytes, pool_ids }) => ({ needs: pool_ids.some((id) => left.has(id)) ? bytes : 0, next: [...pool_ids] }))
  for (;;) {
    const waiting = draws.filter(({ next }) => next.length > 0)
    if (waiting.length === 0) return draws.map(({ needs }) => needs)
    // All have their pools in the same order, so there is one that nobody comes to later.
    const heads = waiting.map(({ next }) => next[0]!)
    const pool = heads.find((id) => !waiting.some(({ next }) => next.indexOf(id) > 0)) ?? heads[0]!
    const takers = waiting.filter(({ next }) => next[0] === pool)
    const wanted = takers.reduce((sum, { needs }) => sum + needs, 0)
    const given = Math.min(1, wanted === 0 ? 1 : (left.get(pool) ?? 0) / wanted)
    for (const taker of takers) {
      taker.next.shift()
      taker.needs -= Math.floor(taker.needs * given)
    }
  }
}
