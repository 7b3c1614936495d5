/** Random numbers that repeat themselves for a seed (mulberry32): what a test found is found again. */
export function seeded(seed: number) {
  let state = seed >>> 0
  /** From 0 to below 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    /** With both ends. */
    whole: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    one: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)]!,
  }
}
