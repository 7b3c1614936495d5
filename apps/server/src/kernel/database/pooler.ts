import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Config } from '../config.ts'

const setting = 'masthead.whose_session'

async function connect(url: string) {
  const client = new pg.Client({ connectionString: url, application_name: 'masthead start', connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

/**
 * Whether a pooler stands at an address that gives a session to somebody else after each transaction: what one client leaves in its session,
 * another one finds in theirs. Poolers hand out what was used last, so that the few tries are enough.
 */
async function sharesSessions(url: string): Promise<boolean> {
  const [one, other] = [await connect(url), await connect(url)]
  try {
    for (let tries = 0; tries < 5; tries++) {
      const mine = randomUUID()
      await one.query('select set_config($1, $2, false)', [setting, mine])
      const { rows } = await other.query<{ found: string | null }>('select current_setting($1, true) as found', [setting])
      if (rows[0]!.found === mine) return true
    }
    return false
  } finally {
    await Promise.all([one.end(), other.end()])
  }
}

/** Whether two addresses lead to one database: what is locked through one is locked through the other. */
async function isSame(direct: string, pooled: string): Promise<boolean> {
  const [one, other] = [await connect(direct), await connect(pooled)]
  const key = `masthead ${randomUUID()}`
  try {
    await one.query('select pg_advisory_lock(hashtextextended($1, 0))', [key])
    const { rows } = await other.query<{ got: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as got', [key])
    return !rows[0]!.got
  } finally {
    await Promise.all([one.end(), other.end()])
  }
}

/** Why the addresses of the database cannot be used as they are, in words; null where they can. */
export async function whyNotPooled({ databaseUrl, directUrl }: Pick<Config, 'databaseUrl' | 'directUrl'>): Promise<string | null> {
  if (databaseUrl === undefined) return null
  if (directUrl === undefined) {
    if (!(await sharesSessions(databaseUrl))) return null
    return 'A pooler at DATABASE_URL gives a session to somebody else after each transaction (as pgbouncer does with pool_mode = transaction). Live updates, jobs, migrations and the meter need sessions of their own: set DATABASE_DIRECT_URL to the address of PostgreSQL itself.'
  }
  if (await sharesSessions(directUrl))
    return 'DATABASE_DIRECT_URL leads to a pooler that gives a session to somebody else after each transaction. Set it to the address of PostgreSQL itself.'
  if (!(await isSame(directUrl, databaseUrl))) return 'DATABASE_DIRECT_URL and DATABASE_URL lead to different databases.'
  return null
}
