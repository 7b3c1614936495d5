import { pino } from 'pino'
import { systemClock, type App } from '../kernel/app.ts'
import { openBlobs } from '../kernel/blobs/open-blobs.ts'
import { environment, loadConfig } from '../kernel/config.ts'
import { connectDatabase } from '../kernel/database/open-database.ts'
import { createMetrics } from '../kernel/metrics.ts'
import { SecretKeys } from '../kernel/secrets/secret-keys.ts'
import { makeNextReport } from './make-report.ts'

/** Makes a report and never comes to its end; says so once a part of its file is written. */
const config = loadConfig(environment())
const keys = new SecretKeys(config)
const { db, own: pool } = connectDatabase(config.databaseUrl!, { name: 'test', writes: 2, reads: 2, keys })
const blobs = openBlobs(config)
async function* slowly(bytes: AsyncIterable<Uint8Array>) {
  yield* bytes
  process.send?.('writing')
  await new Promise((resolve) => setTimeout(resolve, 3_600_000))
}
const app: App = {
  config,
  db,
  pool,
  clock: systemClock,
  log: pino({ level: 'silent' }),
  metrics: createMetrics(),
  mailer: null,
  blobs: { ...blobs, put: (key, bytes, expected) => blobs.put(key, slowly(bytes), expected) },
}
await makeNextReport(app)
