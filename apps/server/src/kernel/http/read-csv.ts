import { setImmediate as pause } from 'node:timers/promises'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'

// Reading CSV from streams (RFC 4180), in bounded memory.

const longestLine = 4096 // characters

/** Lines with their numbers, from 1, without empty ones. Of a line without an end only so much is kept as shows that it is too long. */
async function* linesOf(file: AsyncIterable<Uint8Array | string>) {
  const decoder = new TextDecoder() // takes a byte order mark away
  let line = 1
  let rest = ''
  for await (const piece of file) {
    const lines = (rest + (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }))).split('\n')
    rest = lines.pop()!.slice(0, longestLine + 1)
    for (const text of lines) {
      if (text.trim() !== '') yield { line, text: withoutReturn(text) }
      line++
    }
  }
  rest += decoder.decode()
  if (rest.trim() !== '') yield { line, text: withoutReturn(rest) }
}
const withoutReturn = (text: string) => (text.endsWith('\r') ? text.slice(0, -1) : text)

const longestPiece = 65_536 // characters

/** A text that is there as a whole, as if it came bit by bit: between two pieces others have a turn. */
export async function* inPieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += longestPiece) {
    yield text.slice(at, at + longestPiece)
    await pause()
  }
}

/** The values of a line, or undefined when a quote does not end. No value spans lines, so one wrong quote costs one line. */
function splitLine(text: string): string[] | undefined {
  if (!text.includes('"')) return text.split(',').map((value) => value.trim())
  const values: string[] = []
  // The blanks before a value are matched in one way only: in two, a line of blanks takes a time that grows with its square.
  const next = /(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y
  for (let more = true; more;) {
    const match = next.exec(text)
    if (!match) return undefined
    values.push((match[1]?.replaceAll('""', '"') ?? match[2]!).trim())
    more = match[3] === ','
  }
  return values
}

/** A line of a file whose columns have names: its values, or in words why it cannot be read. `key` is what stands in the column that names the row. */
export type CsvLine<Column extends string> =
  | { line: number; values: { [Name in Column]?: string } }
  | { line: number; wrong: string; key: string }

type Table<Column extends string> = {
  columns: readonly Column[]
  key: Column
  /** What else is wrong of a header, in words. */ needs: (names: readonly string[]) => (string | false)[]
}

/** In another encoding: as UTF-16, with a NUL beside each letter; the database keeps none. */
const isOtherText = (text: string) => text.includes('\ufffd') || text.includes('\0')

/** Lines below a header, one by one. Throws invalid_request where the header is wrong or missing. */
export async function* readTable<Column extends string>(
  file: AsyncIterable<Uint8Array | string>,
  table: Table<Column>
): AsyncGenerator<CsvLine<Column>> {
  let header: Column[] | undefined
  for await (const { line, text } of linesOf(file)) {
    const values = text.length > longestLine ? undefined : splitLine(text)
    if (header === undefined) {
      if (isOtherText(text)) throw new Problem(invalidRequest, 'The file is not UTF-8: save it as CSV UTF-8')
      header = readHeader(values ?? [], table)
      continue
    }
    const key = (values?.[header.indexOf(table.key)] ?? '').replaceAll('\0', '')
    if (isOtherText(text)) yield { line, key, wrong: 'The line is not UTF-8: save the file as CSV UTF-8' }
    else if (values === undefined) yield { line, key, wrong: text.length > longestLine ? 'The line is too long' : 'A quote does not end' }
    else if (values.length !== header.length)
      yield { line, key, wrong: `The line has ${values.length} values, the header has ${header.length}` }
    else yield { line, values: Object.fromEntries(header.map((name, i) => [name, values[i]!])) as { [Name in Column]?: string } }
  }
  if (header === undefined) throw new Problem(invalidRequest, 'The file is empty')
}

function readHeader<Column extends string>(values: readonly string[], { columns, needs }: Table<Column>): Column[] {
  const names = values.map((name) => name.toLowerCase())
  const strange = names.filter((name) => !columns.includes(name as Column))
  const words = [
    strange.length > 0 &&
      `There ${strange.length > 1 ? 'are no columns' : 'is no column'} ${strange.map((name) => `"${name.slice(0, 40)}"`).join(', ')}.`,
    names.length === 1 && names[0]!.includes(';') && 'Columns have commas between them, not semicolons.',
    new Set(names).size < names.length && 'A column is there twice.',
    ...needs(names),
  ].filter((each) => each !== false)
  if (words.length === 0) return names as Column[]
  throw new Problem(invalidRequest, `${words.join(' ')} The first line names the columns: ${columns.join(',')}`)
}
