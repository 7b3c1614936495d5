type Part = { id?: unknown; status?: unknown; progressDetail?: unknown }

/**
 * How much of an image has come, in whole per cent, from what an engine says of its layers one after the other: null where it says no sizes. It never falls,
 * though layers whose sizes come later make the whole larger.
 */
export function pullProgress() {
  const layers = new Map<string, { current: number; total: number }>()
  let most = 0
  return ({ id, status, progressDetail }: Part): number | null => {
    const { current, total } = (progressDetail ?? {}) as { current?: unknown; total?: unknown }
    if (typeof id === 'string') {
      const before = layers.get(id)
      if (status === 'Downloading' && typeof current === 'number' && typeof total === 'number' && total > 0)
        layers.set(id, { current: Math.min(current, total), total })
      else if (before && status !== 'Downloading') layers.set(id, { ...before, current: before.total })
    }
    const all = [...layers.values()]
    if (all.length === 0) return null
    const sum = (key: 'current' | 'total') => all.reduce((whole, layer) => whole + layer[key], 0)
    most = Math.max(most, Math.floor((100 * sum('current')) / sum('total')))
    return most
  }
}
