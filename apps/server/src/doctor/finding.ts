/** What was checked, how it is, and the way out where it is not well. `warn`: it works, and somebody should look at it. */
export type Finding = { about: string; state: 'ok' | 'warn' | 'bad'; words: string; way?: string }

type Said = Omit<Finding, 'about'>

/** One thing to look at. What it throws is a finding of its own. */
export type Check<Given> = { about: string; look: (given: Given) => Promise<Said | Said[]> }

export const ok = (words: string): Said => ({ state: 'ok', words })
export const warn = (words: string, way: string): Said => ({ state: 'warn', words, way })
export const bad = (words: string, way: string): Said => ({ state: 'bad', words, way })

/** Makes every check, one after the other, however many fail. */
export async function runChecks<Given>(checks: readonly Check<Given>[], given: Given): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { about, look } of checks) {
    const said = await look(given).catch((error: Error) =>
      bad(`It could not be looked at: ${error.message}`, 'The sentence before says why')
    )
    found.push(...[said].flat().map((each) => ({ about, ...each })))
  }
  return found
}

const signs = { ok: 'ok  ', warn: 'look', bad: 'BAD ' }

/** For a terminal: what is wrong with its way out, and at the end how many there are. */
export function inWords(found: readonly Finding[]): string {
  const width = Math.max(...found.map(({ about }) => about.length))
  const lines = found.flatMap(({ about, state, words, way }) => [
    `${signs[state]}  ${about.padEnd(width)}  ${words}`,
    ...(way ? [`${' '.repeat(width + 8)}${way}.`] : []),
  ])
  const count = (state: Finding['state']) => found.filter((each) => each.state === state).length
  const [wrong, warnings] = [count('bad'), count('warn')]
  const end =
    wrong > 0 ? `${wrong} wrong, ${warnings} to look at.` : warnings > 0 ? `Nothing is wrong; ${warnings} to look at.` : 'All is well.'
  return [...lines, '', end].join('\n')
}
