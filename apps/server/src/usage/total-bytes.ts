import { sql, type RawBuilder } from 'kysely'

/** Bytes up and down of a row of `table` together, exact: two bigints may add up to more than one holds. */
export const totalBytes = (table: string): RawBuilder<number> =>
  sql`(${sql.ref(`${table}.bytes_up`)}::numeric + ${sql.ref(`${table}.bytes_down`)})`
