import type pg from 'pg'

type Row = { version: string; number: number; encoding: string; name: string; owner: string }

/** What makes a database that is fit, for who may make one. The locale of the cluster may be one that has no UTF8, or knows no letters. */
const making = ({ name, owner }: Row) => `createdb --owner=${owner} --encoding=UTF8 --locale=C.UTF-8 --template=template0 ${name}`

/** Why nothing of ours can begin in a database, in words; null where it can. */
export async function whyUnfit(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<Row>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding, current_database() as name, current_user as owner`
  )
  const [row] = rows as [Row]
  if (row.number < 150_000) return `The database is of PostgreSQL ${row.version}. Bring it to PostgreSQL 15 or later.`
  const why =
    row.encoding === 'UTF8' ? await whyNoLetters(client) : `The database is encoded in ${row.encoding}, which does not know every letter.`
  return why === null ? null : `${why} Drop it, as it is empty, and make it anew: ${making(row)}`
}

/** Of one in UTF8. In the locale C, names in other letters than those of ASCII would not be found by who writes them in small ones. */
async function whyNoLetters(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ knows: boolean }>(`select lower(U&'\\0416\\00C9') = U&'\\0436\\00E9' as knows`)
  return rows[0]!.knows ? null : 'The locale of the database knows no letters but those of ASCII.'
}
