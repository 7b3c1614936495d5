type Part = { id?: unknown; status?: unknown; progressDetail?: unknown }

/** What an engine says of a layer that has not come yet, and of one that has. */
const coming = /^(Pulling fs layer|Waiting|Downloading|Retrying in .*)$/
const here = /^(Verifying Checksum|Download complete|Extracting|Pull complete|Already exists)$/

/**
 * How much of an image has come, in whole per cent, from what an engine says of its layers one after the other: null where it says no sizes. It never falls,
 * though layers whose sizes come later make the whole larger, and is 100 once every layer has come: the engine unpacks them then.
 */
export function pullProgress() {
  const layers = new Map<string, { current: number; total: number }>()
  const missing = new Set<string>()
  let most = 0
  return ({ id, status, progressDetail }: Part): number | null => {
    const { current, total } = (progressDetail ?? {}) as { current?: unknown; total?: unknown }
    if (typeof id === 'string' && typeof status === 'string') {
      const before = layers.get(id)
      if (coming.test(status)) missing.add(id)
      if (status === 'Downloading' && typeof current === 'number' && typeof total === 'number' && total > 0)
        layers.set(id, { current: Math.min(current, total), total })
      else if (here.test(status)) {
        missing.delete(id)
        if (before) layers.set(id, { ...before, current: before.total })
      }
    }
    const all = [...layers.values()]
    if (all.length === 0) return null
    const sum = (key: 'current' | 'total') => all.reduce((whole, layer) => whole + layer[key], 0)
    most = Math.max(most, Math.min(missing.size > 0 ? 99 : 100, Math.floor((100 * sum('current')) / sum('total'))))
    return most
  }
}
