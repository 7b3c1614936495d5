import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { openPool } from '@masthead/server/kernel/database'
import { startEmbeddedPostgres } from '@masthead/server/kernel/embedded-postgres'
import { migrate } from '@masthead/server/kernel/migrate'

// What production has and a throw-away cluster has not.
const asInProduction = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  autovacuum: 'on',
  max_connections: 60,
  checkpoint_timeout: '10min',
}
const quiet = () => {}

export type ProductionDatabase = { url: string; pool: pg.Pool; stop: () => Promise<void> }

/** A migrated PostgreSQL with production's settings, brought back when it dies. For figures and faults. */
export async function openProductionDatabase({ warn = console.warn as (words: string) => void } = {}): Promise<ProductionDatabase> {
  const database = await startEmbeddedPostgres({
    dataDir: mkdtempSync(join(tmpdir(), 'masthead-bench-')),
    throwAway: true,
    settings: asInProduction,
    log: { debug: quiet, info: quiet, warn },
  })
  const pool = openPool(database.url)
  const stop = async () => {
    await pool.end()
    await database.stop()
  }
  try {
    await migrate(pool)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: database.url, pool, stop }
}
