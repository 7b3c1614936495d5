const cache = { from: 0, to: 0, day: '' }

/** First day of the UTC month of a time in milliseconds, as `2026-11-01`: the billing period it belongs to. */
export function monthOf(ms: number): string {
  if (ms < cache.from || ms >= cache.to) {
    const at = new Date(ms)
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
    cache.from = Date.UTC(year, month)
    cache.to = Date.UTC(year, month + 1)
    cache.day = new Date(cache.from).toISOString().slice(0, 10)
  }
  return cache.day
}

/** First moment of the month after the one that begins on `day`. */
export function nextMonth(day: string): Date {
  const at = new Date(`${day}T00:00:00Z`)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
}
