import { csvLine, type Value } from './http/csv.ts'

/** A table that is read part by part: some rows are in memory at a time, and the reader sets the pace. */
export type Sheet = {
  columns: readonly string[]
  rows: AsyncIterable<readonly (readonly Value[])[]>
  /** How much of it has been read, from 0 to 1; null where that is not known. */
  share: () => number | null
}

const linesOfText = 100
/** Rows by the hundred: their text is some ten thousand characters, which V8 keeps and forgets like any small thing. */
export function* byText<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += linesOfText) yield rows.slice(at, at + linesOfText)
}

/** It as CSV, with a line of its columns first. */
export async function* csvOf({ columns, rows }: Pick<Sheet, 'columns' | 'rows'>): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const part of rows) for (const some of byText(part)) yield some.map(csvLine).join('')
}
