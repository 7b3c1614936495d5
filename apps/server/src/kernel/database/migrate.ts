import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import type pg from 'pg'

const folder = new URL('../../../db/migrations/', import.meta.url)

/**
 * Brings the database up to date: our migrations in the order of their names, then the job queue's. Two at once wait for each other.
 * `until`: the number of the last one (tests of what a later one does to a database that is filled).
 */
export async function migrate(pool: pg.Pool, { until = '9999' } = {}): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('masthead.migrate'))`)
    await client.query('create table if not exists migration (name text primary key, done_at timestamptz not null default now())')
    const { rows } = await client.query<{ name: string }>('select name from migration')
    const done = new Set(rows.map((row) => row.name))
    const files = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name.slice(0, 4) <= until).sort()
    for (const name of files.filter((each) => !done.has(each))) {
      await client.query('begin')
      try {
        await client.query(await readFile(new URL(name, folder), 'utf8'))
        await client.query('insert into migration (name) values ($1)', [name])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`Migration ${name} failed`, { cause: error })
      }
    }
    await runMigrations({ pgPool: pool })
    await client.query(`select pg_advisory_unlock(hashtext('masthead.migrate'))`)
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}
