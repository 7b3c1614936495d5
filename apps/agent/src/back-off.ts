const first = 1000 // ms
const longest = 300_000 // ms
/** A connection that held so long was a good one. */
const goodAfter = 30_000 // ms

/** How long to wait before the next try: up to twice as long each time, and never all devices at once. */
export function backOff(random: () => number) {
  let tries = 0
  return {
    next: (): number => Math.max(first / 2, random() * Math.min(longest, first * 2 ** ++tries)),
    /** It was connected for so many ms. */
    was: (ms: number): void => void (ms >= goodAfter && (tries = 0)),
  }
}
