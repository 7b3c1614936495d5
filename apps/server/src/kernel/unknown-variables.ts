/** A sentence for each variable that begins like ours and is none of those that are read: misspelt, or of another release. */
export function unknownVariables(env: NodeJS.ProcessEnv, read: readonly string[]): string[] {
  const names = Object.keys(env).filter((name) => name.startsWith('MASTHEAD_') && !read.includes(name))
  return names.toSorted().map((name) => {
    const [nearest] = read.map((known) => [distance(name, known), known] as const).toSorted(([a], [b]) => a - b)
    const meant = nearest && nearest[0] <= mostTypos ? `. Did you mean ${nearest[1]}?` : ''
    return `${name} is not a setting of this Masthead and is ignored${meant}`
  })
}

const mostTypos = 3

/** Letters to insert, remove or replace to make one word of the other (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)))
    row = next
  }
  return row[other.length]!
}
