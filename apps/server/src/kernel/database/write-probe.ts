import { sql } from 'kysely'
import type { AppDb } from '../app.ts'
import { troubleOf } from './database-trouble.ts'
import { openProbe } from './probe.ts'

/** Says why the database takes no write right now, in words; null when it does. */
export const openWriteProbe = (db: AppDb, limits: { freshFor?: number; patience?: number } = {}): (() => Promise<string | null>) =>
  openProbe(
    () =>
      db
        .transaction()
        .execute((tx) => sql`select prove_writable()`.execute(tx))
        .then(() => null),
    {
      ...limits,
      words: (error) => troubleOf(error)?.words ?? 'The database cannot be reached',
      late: 'The database does not answer',
    }
  )
