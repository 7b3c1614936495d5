/** One condition of a line, for its chip: what it says in words, its values as they are written, and where it stands. */
export type LineCondition = { key: string; label: string; value: string; values: string[]; at: number; end: number }

/** A search that also takes conditions, as `country:PL silent:>5d`. What cannot be read has words instead, and is not asked. */
export type QueryLine = {
  /** The parameter of the list that takes it. */
  param: string
  longest: number
  /** `conditions`: those that must all be met. `alternatives`: the line as a whole is of parts of which one is enough. */
  read: (text: string) => { mistake: string | null; conditions: LineCondition[]; alternatives: boolean }
  /** One condition as it is written. */
  write: (key: string, values: readonly string[]) => string
}

/** The line with another condition of this key, or, of no value, without one. */
export function withCondition(line: QueryLine, text: string, key: string, values: readonly string[]): string {
  const { conditions, alternatives } = line.read(text)
  const old = conditions.find((condition) => condition.key === key)
  const [before, after] = old ? [text.slice(0, old.at), text.slice(old.end)] : [alternatives ? `(${text.trim()})` : text, '']
  return [before, values.length > 0 ? line.write(key, values) : '', after]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ')
}
