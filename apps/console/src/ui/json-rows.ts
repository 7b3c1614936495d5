export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json }

export type JsonRow = {
  /** Where it is: `$.sims[0].iccid`. */
  path: string
  parent: string | undefined
  depth: number
  name: string | null
  kind: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array'
  words: string
  opens: boolean
  isOpen: boolean
}

const kindOf = (value: Json): JsonRow['kind'] => {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as 'string' | 'number' | 'boolean' | 'object'
}

const count = (many: number, word: string) => `${many} ${many === 1 ? word : `${word}s`}`

/** The lines of a JSON value as a tree, those in what is closed left out. */
export function jsonRows(value: Json, isOpen: (path: string, depth: number) => boolean): JsonRow[] {
  const rows: JsonRow[] = []
  const walk = (one: Json, path: string, parent: string | undefined, depth: number, name: string | null) => {
    const kind = kindOf(one)
    const inside: [string, Json, string][] =
      kind === 'array'
        ? (one as readonly Json[]).map((each, at) => [String(at), each, `${path}[${at}]`])
        : kind === 'object'
          ? Object.entries(one as Record<string, Json>).map(([key, each]) => [key, each, `${path}.${key}`])
          : []
    const opens = inside.length > 0
    const shown = opens && isOpen(path, depth)
    const many = inside.length
    const words = {
      array: many > 0 ? `[ ${count(many, 'item')} ]` : '[]',
      object: many > 0 ? `{ ${count(many, 'field')} }` : '{}',
    }
    rows.push({
      path,
      parent,
      depth,
      name,
      kind,
      words: kind === 'array' || kind === 'object' ? words[kind] : kind === 'null' ? 'null' : JSON.stringify(one),
      opens,
      isOpen: shown,
    })
    if (shown) for (const [key, each, at] of inside) walk(each, at, path, depth + 1, key)
  }
  walk(value, '$', undefined, 0, null)
  return rows
}
