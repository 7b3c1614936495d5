/** A seeded generator (mulberry32): the demo is the same on every machine. */
export function seeded(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    whole,
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
    digits: (count: number) => Array.from({ length: count }, () => whole(0, 9)).join(''),
    /** Around 1, never below 0.2. */
    wobble: (spread: number) => Math.max(0.2, 1 + (next() + next() - 1) * spread),
  }
}
export type Random = ReturnType<typeof seeded>
