import type pg from 'pg'

type Row = { version: string; number: number; encoding: string }

/** Why nothing of ours can begin in a database, in words; null where it can. */
export async function whyUnfit(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<Row>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding`
  )
  const { version, number, encoding } = rows[0]!
  if (number < 150_000) return `The database is of PostgreSQL ${version}. Bring it to PostgreSQL 15 or later.`
  if (encoding === 'UTF8') return null
  return `The database is encoded in ${encoding}, which does not know every letter. Make it anew: createdb -E UTF8 -T template0.`
}
