import type { PoolForecast } from './pool.ts'

const dayMs = 86_400_000
/** Days that the pace is taken from. */
const looksBack = 7
/** Four of five futures lie within this many standard deviations. */
const likely = 1.28

export type Term = {
  starts_at: number
  ends_at: number
  size_bytes: number
  /** What was taken until now, overage too. */
  used_bytes: number
  /** Of each whole day of the term that is over, the oldest first. */
  days: readonly number[]
}

/**
 * When a term's data will be gone, at the pace of its last days, and how sure that is: days vary, so a sum of n of them varies by their standard
 * deviation times the root of n. Null before a first whole day is over, and once the term is. Times are milliseconds since 1970.
 */
export function forecastOf({ starts_at, ends_at, size_bytes, used_bytes, days }: Term, now: number): PoolForecast | null {
  const last = days.slice(-looksBack)
  if (last.length === 0 || now >= ends_at || now < starts_at) return null
  const pace = last.reduce((sum, each) => sum + each, 0) / last.length
  const variance = last.length < 2 ? pace ** 2 : last.reduce((sum, each) => sum + (each - pace) ** 2, 0) / (last.length - 1)
  const after = (days_on: number, side: number) => Math.max(0, pace * days_on + side * likely * Math.sqrt(variance * days_on))
  const left = (ends_at - now) / dayMs
  const atEnd = (side: number) => Math.round(used_bytes + after(left, side))
  const at_end = { low: atEnd(-1), expected: atEnd(0), high: atEnd(1) }
  const room = size_bytes - used_bytes
  // The first moment at which that much more is used: what is used only grows with time, so it is found by halving.
  const reached = (side: number): string | null => {
    if (room <= 0 || after(left, side) < room) return null
    let [low, high] = [0, left]
    for (let i = 0; i < 40; i++) {
      const middle = (low + high) / 2
      if (after(middle, side) < room) low = middle
      else high = middle
    }
    return new Date(now + high * dayMs).toISOString()
  }
  const expected = reached(0)
  const earliest = reached(1)
  return {
    bytes_per_day: Math.round(pace),
    at_end,
    runs_out: expected && earliest ? { earliest, expected, latest: reached(-1) } : null,
  }
}
