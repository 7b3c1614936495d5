// Reading CSV from streams (RFC 4180), in bounded memory.

export const longestLine = 4096 // characters

/** Lines with their numbers, from 1. Of a line without an end only so much is kept as shows that it is too long. */
export async function* linesOf(file: AsyncIterable<Uint8Array | string>) {
  const decoder = new TextDecoder() // takes a byte order mark away
  let line = 1
  let rest = ''
  for await (const piece of file) {
    const lines = (rest + (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }))).split('\n')
    rest = lines.pop()!.slice(0, longestLine + 1)
    for (const text of lines) yield { line: line++, text: withoutReturn(text) }
  }
  rest += decoder.decode()
  if (rest !== '') yield { line, text: withoutReturn(rest) }
}
const withoutReturn = (text: string) => (text.endsWith('\r') ? text.slice(0, -1) : text)

/** The values of a line, or undefined when a quote does not end. No value spans lines, so one wrong quote costs one line. */
export function splitLine(text: string): string[] | undefined {
  if (!text.includes('"')) return text.split(',').map((value) => value.trim())
  const values: string[] = []
  const next = /\s*(?:"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y
  for (let more = true; more;) {
    const match = next.exec(text)
    if (!match) return undefined
    values.push((match[1]?.replaceAll('""', '"') ?? match[2]!).trim())
    more = match[3] === ','
  }
  return values
}
