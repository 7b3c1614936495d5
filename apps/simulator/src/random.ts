/** A seeded source of chance (mulberry32): the same seed always gives the same numbers. */
export type Random = {
  /** From 0 up to but not 1. */
  next(): number
  between(from: number, to: number): number
  whole(from: number, to: number): number
}

export function seededRandom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + next() * (to - from)
  return { next, between, whole: (from, to) => Math.floor(between(from, to + 1)) }
}

/** A seed for one of many: so what one SIM draws does not depend on what the others did (FNV-1a). */
export function seedFor(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ seed
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  return hash
}
