import { csvLine, type Value } from './http/csv.ts'

/** A table that is read part by part: some rows are in memory at a time, and the reader sets the pace. */
export type Sheet = {
  columns: readonly string[]
  rows: AsyncIterable<readonly (readonly Value[])[]>
  /** How much of it has been read, from 0 to 1; null where that is not known. */
  share: () => number | null
}

/** It as CSV, with a line of its columns first. */
export async function* csvOf({ columns, rows }: Pick<Sheet, 'columns' | 'rows'>): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const part of rows) yield part.map(csvLine).join('')
}
