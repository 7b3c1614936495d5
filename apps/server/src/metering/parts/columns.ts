import { booleanArray, numberArray, textArray } from '../../kernel/array-literals.ts'
import { type Fragment, type Values, fragment, joined, parameter } from './fragment.ts'

/** A column: its type in SQL and its values of given rows. */
type Column<Row> = { type: string; literal: (rows: readonly Row[]) => string }

/** Columns that take their values from rows of one kind. Times are milliseconds since 1970 and become timestamps in `Columns.rows`. */
export const columnsOf = <Row>() => ({
  text: (of: (row: Row) => string | null, type = 'text'): Column<Row> => ({ type, literal: (rows) => textArray(rows.map(of)) }),
  number: (of: (row: Row) => number | null, type = 'bigint'): Column<Row> => ({ type, literal: (rows) => numberArray(rows.map(of)) }),
  flag: (of: (row: Row) => boolean): Column<Row> => ({ type: 'boolean', literal: (rows) => booleanArray(rows.map(of)) }),
  time: (of: (row: Row) => number | null): Column<Row> => ({ type: 'time', literal: (rows) => numberArray(rows.map(of)) }),
})

/** Named columns of rows: as SQL that reads them from parameters, and as the values of those parameters. */
export class Columns<Row> {
  readonly names: string
  /** A subquery with all rows. In a select list unnest makes no copy. */
  readonly rows: Fragment
  /** How many rows there are. */
  readonly size: Fragment
  #literals: [parameter: string, (rows: readonly Row[]) => string][]

  /** The parameters are called `name.column`. */
  constructor(name: string, columns: Record<string, Column<Row>>) {
    const all = Object.entries(columns).map(([column, { type, literal }]) => ({ column, type, literal, of: `${name}.${column}` }))
    this.names = Object.keys(columns).join(', ')
    this.rows = fragment`(select ${joined(
      all.map(({ column, type, of }) =>
        type === 'time'
          ? fragment`to_timestamp(unnest(${parameter(of)}::float8[]) / 1000) as ${column}`
          : fragment`unnest(${parameter(of)}::${type}[]) as ${column}`
      ),
      ', '
    )})`
    const [first] = all
    this.size = fragment`cardinality(${parameter(first!.of)}::${first!.type}[])`
    this.#literals = all.map(({ of, literal }) => [of, literal])
  }

  values(rows: readonly Row[]): Values {
    return Object.fromEntries(this.#literals.map(([name, literal]) => [name, literal(rows)]))
  }
}
