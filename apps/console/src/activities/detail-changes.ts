export type Change = { name: string; before: string; after: string }
export type Said = { name: string; value: string }

type Detail = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Detail => typeof value === 'object' && value !== null && !Array.isArray(value)

/** "network_group_name" as "Network group name". */
const nameWords = (key: string) => {
  const words = key.replaceAll('_', ' ').replace(/\bid\b/, 'ID')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A value of an activity in words: a dash for nothing. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value)) return value.length === 0 ? '—' : value.map(valueWords).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number)
}

/**
 * What an activity changed, and what else it says. Before and after stand in its detail as the objects `before` and `after`, or as
 * `old_x` beside `new_x` or `x`; what stayed the same is no change.
 */
export function readDetail(detail: Detail): { changes: Change[]; rest: Said[] } {
  const pairs: [name: string, before: unknown, after: unknown][] = []
  const used = new Set<string>()
  if (isObject(detail.before) || isObject(detail.after)) {
    const [before, after] = [detail.before, detail.after].map((side) => (isObject(side) ? side : {})) as [Detail, Detail]
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) pairs.push([key, before[key], after[key]])
    used.add('before').add('after')
  }
  for (const key of Object.keys(detail)) {
    if (!key.startsWith('old_')) continue
    const name = key.slice(4)
    const now = `new_${name}` in detail ? `new_${name}` : name
    if (!(now in detail)) continue
    pairs.push([name, detail[key], detail[now]])
    used.add(key).add(now)
  }
  const changes = pairs
    .map(([name, before, after]) => ({ name: nameWords(name), before: valueWords(before), after: valueWords(after) }))
    .filter(({ before, after }) => before !== after)
  const rest = Object.entries(detail)
    .filter(([key]) => !used.has(key))
    .map(([key, value]) => ({ name: nameWords(key), value: valueWords(value) }))
  return { changes, rest }
}
