const sharedFor = 30_000 // ms

const counts = new Map<string, { until: number; count: Promise<unknown> }>()

/**
 * What counting a large account takes grows with its open sessions and counters, and an open console asks again at every change. So one count
 * serves everybody who asks within 30 s of it. `key` says of what it is: only those may ask who see all of that.
 */
export function shareCount<Count>(key: string, count: () => Promise<Count>): Promise<Count> {
  const now = performance.now()
  const known = counts.get(key)
  if (known && known.until > now) return known.count as Promise<Count>
  for (const [each, { until }] of counts) if (until <= now) counts.delete(each)
  const begun = count()
  counts.set(key, { until: now + sharedFor, count: begun })
  begun.catch(() => counts.delete(key))
  return begun
}
