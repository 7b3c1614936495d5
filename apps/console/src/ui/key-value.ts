export type KeyValue = { key: string; value: string }

/** What is wrong with the pairs, by their place: a value without a name, a name said twice, one that `keyRule` does not take. */
export function keyValueProblems(pairs: readonly KeyValue[], keyRule?: { pattern: RegExp; words: string }): (string | null)[] {
  return pairs.map(({ key, value }, at) => {
    const name = key.trim()
    if (name === '') return value.trim() === '' ? null : 'Enter a name'
    if (keyRule && !keyRule.pattern.test(name)) return keyRule.words
    return pairs.some((other, place) => place < at && other.key.trim() === name) ? `${name} is there already` : null
  })
}

/** Lines of `NAME=value`, as they stand in an environment file, as pairs. Comments and empty lines are left out. */
export const pairsOf = (text: string): KeyValue[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const found = /^\s*(?:export\s+)?([^#=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line)
    return found ? [{ key: found[1]!, value: found[2]!.replace(/^(["'])(.*)\1$/, '$2') }] : []
  })
