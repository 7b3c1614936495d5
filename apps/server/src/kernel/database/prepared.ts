import { CompiledQuery, type RawBuilder } from 'kysely'
import type pg from 'pg'
import type { Db } from '../app.ts'

/** Names of statements by their text, the same on every connection. As many as the code has such statements. */
const names = new Map<string, string>()

const keep = (text: string) => {
  if (!names.has(text)) names.set(text, `masthead_${names.size + 1}`)
}

/**
 * A statement that each connection parses and plans once; rows come back for its values. Only for one whose plan is right whatever the values
 * are, and only with the columns of its answer named: `*` there would break it when a column is added while we run.
 */
export const prepared = <Row>(text: string) => {
  keep(text)
  return async (db: Db, values: readonly unknown[]): Promise<Row[]> =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}

/** The same for a statement put together of parts: each combination of parts is kept. */
export async function runPrepared<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row[]> {
  const compiled = statement.compile(db)
  keep(compiled.sql)
  return (await db.executeQuery(compiled)).rows
}

/** Lets a connection know statements by name: Kysely hands over text and values alone. */
export function usePrepared(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((text: unknown, values?: unknown, ...rest: unknown[]) => {
    const name = typeof text === 'string' ? names.get(text) : undefined
    return name ? query({ name, text, values }, ...rest) : query(text, values, ...rest)
  }) as typeof client.query
}
