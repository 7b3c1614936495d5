import { CompiledQuery, type RawBuilder } from 'kysely'
import type pg from 'pg'
import type { Db } from '../app.ts'

/** What a statement begins with that each connection is to keep. Kysely hands over text and values alone. */
const mark = '/* prepared */ '

/**
 * A statement that each connection parses and plans once; rows come back for its values. Only for one whose plan is right whatever the values
 * are, and only with the columns of its answer named: `*` there would break it when a column is added while we run.
 */
export const prepared = <Row>(text: string) => {
  const marked = mark + text
  return async (db: Db, values: readonly unknown[]): Promise<Row[]> =>
    (await db.executeQuery<Row>(CompiledQuery.raw(marked, [...values]))).rows
}

/** The same for a statement put together of parts: each combination of parts is kept. */
export async function runPrepared<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row[]> {
  const compiled = statement.compile(db)
  return (await db.executeQuery<Row>({ ...compiled, sql: mark + compiled.sql })).rows
}

/** Has a connection keep marked statements, under names of its own: as many as the code has. */
export function usePrepared(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    const name = names.get(text) ?? `masthead_${names.size + 1}`
    names.set(text, name)
    return name
  }
  client.query = ((text: unknown, values?: unknown, ...rest: unknown[]) =>
    typeof text === 'string' && text.startsWith(mark)
      ? query({ name: nameOf(text), text, values }, ...rest)
      : query(text, values, ...rest)) as typeof client.query
}
