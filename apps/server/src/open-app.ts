import { join } from 'node:path'
import { systemClock, type App } from './kernel/app.ts'
import { openBlobs } from './kernel/blobs/open-blobs.ts'
import { makeDirs } from './kernel/make-dirs.ts'
import type { Config } from './kernel/config.ts'
import { openDatabase } from './kernel/database/open-database.ts'
import { openPool } from './kernel/database/pool.ts'
import { DatabaseInUse, startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import type { DoctorNeeds } from './doctor/index.ts'
import { chooseMetricsPort, choosePorts } from './ports.ts'
import { openLog } from './kernel/log.ts'
import { createMetrics } from './kernel/metrics.ts'
import { whyNotMade } from './kernel/database/refused-writes.ts'
import { migrate, type MigrationOptions } from './kernel/database/migrations/migrate.ts'
import { whyNotPooled } from './kernel/database/pooler.ts'
import { SecretKeys } from './kernel/secrets/secret-keys.ts'

/** What the doctor needs of the program. */
export const doctorNeeds: DoctorNeeds = { openDatabase: openEmbedded, choosePorts, chooseMetricsPort }

/** What a command works with. `database` says where it is: null when it is there only for the command. */
export type OpenApp = App & { database: string | null; close: () => Promise<void> }

/** What a command needs to reach the installation's database, whether Masthead runs or not. The database is brought up to date. */
export async function openApp(config: Config, migration: MigrationOptions = {}): Promise<OpenApp> {
  const log = openLog('error')
  const database = await openEmbedded(config)
  const pool = openPool(database.url, { max: 4, name: 'masthead command' })
  const db = openDatabase(pool, { keys: new SecretKeys(config) })
  const close = async () => {
    await pool.end()
    await database.stop()
  }
  try {
    await migrate(pool, migration)
  } catch (error) {
    await close()
    throw error
  }
  return {
    config,
    db,
    pool,
    clock: systemClock,
    log,
    metrics: createMetrics(),
    mailer: null,
    blobs: openBlobs(config),
    database: database.shown,
    close,
  }
}

/** `shown`: where psql finds it, null where it is started here and gone again at the end. */
type Opened = { url: string; shown: string | null; stop: () => Promise<void> }

/** The database of DATABASE_URL, or the one Masthead runs on the data directory, or else that one started for as long as the command takes. */
async function openEmbedded({ databaseUrl, directUrl, dataDir }: Config): Promise<Opened> {
  if (databaseUrl) {
    const why = await whyNotPooled({ databaseUrl, directUrl })
    if (why) throw new Error(why)
    return { url: directUrl ?? databaseUrl, shown: directUrl ?? databaseUrl, stop: async () => {} }
  }
  try {
    makeDirs(dataDir)
  } catch (error) {
    throw whyNotMade(dataDir, error as Error)
  }
  const quiet = () => {}
  try {
    const log = { debug: quiet, info: quiet, warn: console.error }
    const { url, stop } = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log })
    return { url, shown: null, stop }
  } catch (error) {
    if (error instanceof DatabaseInUse) return { url: error.url, shown: error.shown, stop: async () => {} }
    throw error
  }
}
