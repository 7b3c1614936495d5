/** So many are kept. */
const most = 5000

/** Looks up what is not known yet of some keys, all of it at once, and keeps it for the next time. */
export function lookUp<Found>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>
): (keys: readonly string[]) => Promise<ReadonlyMap<string, Found | undefined>> {
  const known = new Map<string, Found | undefined>()
  return async (keys) => {
    if (known.size > most) known.clear()
    const missing = [...new Set(keys)].filter((key) => !known.has(key))
    const found = missing.length > 0 ? await find(missing) : new Map<string, Found>()
    for (const key of missing) known.set(key, found.get(key))
    return known
  }
}
