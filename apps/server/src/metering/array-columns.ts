/**
 * Columns of many rows as PostgreSQL array literals. Written by hand because the driver's own conversion of arrays costs more than
 * everything else in a batch. `NULL` stands for null and undefined.
 */
const numberArray = (values: readonly (number | null)[]): string => {
  let text = '{'
  for (let i = 0; i < values.length; i++) text += (i === 0 ? '' : ',') + (values[i] ?? 'NULL')
  return `${text}}`
}

const booleanArray = (values: readonly boolean[]): string => {
  let text = '{'
  for (let i = 0; i < values.length; i++) text += (i === 0 ? '' : ',') + (values[i] ? 't' : 'f')
  return `${text}}`
}

const plain = /^[\w.:@+-]+$/

const quote = (value: string): string =>
  plain.test(value) && value.toLowerCase() !== 'null' ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

export const textArray = (values: readonly (string | null)[]): string => {
  let text = '{'
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    text += (i === 0 ? '' : ',') + (value === null || value === undefined ? 'NULL' : quote(value))
  }
  return `${text}}`
}

/** A column: its type in SQL and its values of given rows. */
type Column<Row> = { type: string; literal: (rows: readonly Row[]) => string }

/** Columns that take their values from rows of one kind. Times are milliseconds since 1970 and become timestamps in `Columns.rows`. */
export const columnsOf = <Row>() => ({
  text: (of: (row: Row) => string | null, type = 'text'): Column<Row> => ({ type, literal: (rows) => textArray(rows.map(of)) }),
  number: (of: (row: Row) => number | null, type = 'bigint'): Column<Row> => ({ type, literal: (rows) => numberArray(rows.map(of)) }),
  flag: (of: (row: Row) => boolean): Column<Row> => ({ type: 'boolean', literal: (rows) => booleanArray(rows.map(of)) }),
  time: (of: (row: Row) => number | null): Column<Row> => ({ type: 'time', literal: (rows) => numberArray(rows.map(of)) }),
})

/** Named columns: as SQL that reads them from parameters, and as the values of those parameters. */
export class Columns<Row> {
  readonly names: string
  readonly size: number
  #columns: [string, Column<Row>][]

  constructor(columns: Record<string, Column<Row>>) {
    this.#columns = Object.entries(columns)
    this.names = Object.keys(columns).join(', ')
    this.size = this.#columns.length
  }

  /** A subquery with a row for each row of the values, whose parameters begin at `$first`. In a select list unnest makes no copy. */
  rows(first = 1): string {
    const parts = this.#columns.map(([name, { type }], i) =>
      type === 'time' ? `to_timestamp(unnest($${first + i}::float8[]) / 1000) as ${name}` : `unnest($${first + i}::${type}[]) as ${name}`
    )
    return `(select ${parts.join(', ')})`
  }

  values(rows: readonly Row[]): string[] {
    return this.#columns.map(([, column]) => column.literal(rows))
  }
}
