import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { indexJobs } from './index-jobs.ts'
import { readMigrations } from './migration-file.ts'
import { inTurn, type MigrationLog } from './migration-turn.ts'
import { limitsBeside, MigrationStopped, runMigration, type Limits } from './run-migration.ts'
import { readSchema, whyTooOld } from './schema-served.ts'
import { whyUnfit } from './why-unfit.ts'

export type MigrationOptions = {
  /** The number of the last one: for tests of what a later one does to a database that is filled. */
  until?: string
  /** Where the files are. */
  folder?: URL
  log?: MigrationLog
  limits?: Limits
}

const silent: MigrationLog = { info: () => {}, warn: () => {} }

/**
 * Brings the database up to date, beside whatever works on it: our migrations in the order of their names, then the job queue's. Two at once
 * take turns; who finds nothing to do waits for nobody. Throws `MigrationStopped` in words where a newer program has left this one behind,
 * where others did not let it, or where an empty database is not of a kind that can be filled.
 */
export async function migrate(
  pool: pg.Pool,
  { until = '9999', folder, log = silent, limits = limitsBeside }: MigrationOptions = {}
): Promise<void> {
  const all = readMigrations(folder)
  const wanted = all.filter(({ number }) => number <= until)
  const knows = all.at(-1)!.number
  const missing = async (client: pg.ClientBase) => {
    const schema = await readSchema(client)
    const why = whyTooOld(schema, knows)
    if (why) throw new MigrationStopped(`${why}.`)
    return { isNew: schema.done.size === 0, migrations: wanted.filter(({ name }) => !schema.done.has(name)) }
  }
  const client = await pool.connect()
  try {
    const before = await missing(client)
    const unfit = before.isNew ? await whyUnfit(client) : null
    if (unfit) throw new MigrationStopped(unfit)
    if (before.migrations.length > 0)
      await inTurn(client, log, async () => {
        await client.query(
          'create table if not exists migration (name text primary key, done_at timestamptz not null default now(), serves_from text)'
        )
        await client.query('alter table migration add column if not exists serves_from text')
        const { isNew, migrations } = await missing(client)
        // Of an empty database nobody needs to know how it is filled.
        const around = { pool, client, limits, log: isNew ? { ...silent, warn: log.warn.bind(log) } : log }
        for (const migration of migrations) await runMigration(migration, around)
      })
    await runMigrations({ pgPool: pool })
    await indexJobs({ pool, client, log })
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}
