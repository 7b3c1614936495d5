/** A piece of SQL: its text, and where parameters stand in it, by name. */
export type Fragment = readonly (string | { parameter: string })[]
/** Values by the names of their parameters. */
export type Values = Readonly<Record<string, string>>
/** A statement that takes its values by name, and is prepared by its own. */
export type NamedStatement = { name: string; text: string; parameters: readonly string[] }

/** SQL as it is written, with fragments (and text) between. */
export const fragment = (texts: TemplateStringsArray, ...between: readonly (string | Fragment)[]): Fragment =>
  texts.flatMap((text, i) => [text, ...(between[i] ?? [])])

export const parameter = (name: string): Fragment => [{ parameter: name }]

export const joined = (fragments: readonly Fragment[], separator: string): Fragment =>
  fragments.flatMap((each, i) => (i === 0 ? each : [separator, ...each]))

/** Gives each parameter its number: that of the place where it stands first. Once, at the start. */
export function named(name: string, sql: Fragment): NamedStatement {
  const parameters = [...new Set(sql.flatMap((piece) => (typeof piece === 'string' ? [] : piece.parameter)))]
  const text = sql.map((piece) => (typeof piece === 'string' ? piece : `$${parameters.indexOf(piece.parameter) + 1}`)).join('')
  return { name, text, parameters }
}

/** A statement's values in the order of its numbers. Throws where one is missing. */
export const inOrder = ({ name, parameters }: NamedStatement, values: Values): string[] =>
  parameters.map((each) => {
    const value = values[each]
    if (value === undefined) throw new Error(`The statement ${name} is not given ${each}`)
    return value
  })
