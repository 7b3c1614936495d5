import { csvText, type CsvValue } from './csv.ts'

type CsvColumn<Row> = { header: string; csv?: (row: Row) => CsvValue }

/** Rows as a CSV file of the columns that say what they are in one. */
export function tableCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const kept = columns.flatMap(({ header, csv }) => (csv ? [{ header, csv }] : []))
  return csvText([kept.map((column) => column.header), ...rows.map((row) => kept.map((column) => column.csv(row)))])
}
