import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { openPool } from '@masthead/server/kernel/database/pool'
import { startEmbeddedPostgres } from '@masthead/server/embedded-postgres/embedded-postgres'
import { settingsFor } from '@masthead/server/embedded-postgres/settings'
import { migrate } from '@masthead/server/kernel/database/migrations/migrate'
import { processesBelow } from './process-figures.ts'
import { databaseSwitch, type DatabaseSwitch } from './database-switch.ts'

const quiet = () => {}

export type ProductionDatabase = DatabaseSwitch & {
  url: string
  pool: pg.Pool
  /** Stops every process of the server where it stands, as a machine that hangs does, until it is thawed. */
  freeze: () => void
  thaw: () => void
  /** Ends the server, which is started again: SIGINT as an administrator does, SIGKILL as a machine that falls. */
  fall: (signal: 'SIGINT' | 'SIGKILL') => void
  stop: () => Promise<void>
}

type Open = {
  warn?: (words: string) => void
  /** Made and removed; a temporary one without it. */
  dataDir?: string
  settings?: Record<string, string | number>
  /** False: whatever starts first on it migrates it. */
  migrated?: boolean
}

/** A migrated PostgreSQL with production's settings, brought back when it dies. For figures and faults. */
export async function openProductionDatabase({
  warn = console.warn,
  dataDir,
  settings,
  migrated = true,
}: Open = {}): Promise<ProductionDatabase> {
  const database = await startEmbeddedPostgres({
    dataDir: dataDir ?? mkdtempSync(join(tmpdir(), 'masthead-bench-')),
    throwAway: true,
    settings: { ...settingsFor(), ...settings },
    log: { debug: quiet, info: quiet, warn },
  })
  const pool = openPool(database.url)
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const { pid } of processesBelow(database.pid))
      try {
        process.kill(pid, name)
      } catch {
        // it ended meanwhile
      }
  }
  const [freeze, thaw] = [() => signal('SIGSTOP'), () => signal('SIGCONT')]
  const fall = (name: 'SIGINT' | 'SIGKILL') => void process.kill(database.pid, name)
  const stop = async () => {
    thaw()
    await pool.end()
    await database.stop()
  }
  try {
    if (migrated) await migrate(pool)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: database.url, pool, freeze, thaw, fall, stop, ...databaseSwitch(database.url) }
}
