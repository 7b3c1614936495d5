const usual = 300 // s
const shortest = 60 // s: RFC 2869 §5.16 allows no less

/**
 * How often a gateway is asked to report, in seconds: more often as a SIM nears its limit, because what is
 * used between two reports is what a limit can be overshot by. `limit` and `used` are bytes of this month.
 */
export function interimInterval({ limit, used }: { limit: number | null; used: number }): number {
  if (limit === null) return usual
  const left = Math.max(0, 1 - used / limit)
  if (left > 0.25) return usual
  return Math.max(shortest, Math.round((usual * left) / 0.25 / shortest) * shortest)
}
