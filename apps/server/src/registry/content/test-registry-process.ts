import { pino } from 'pino'
import { systemClock, type App } from '../../kernel/app.ts'
import { openBlobs } from '../../kernel/blobs/open-blobs.ts'
import { environment, loadConfig } from '../../kernel/config.ts'
import { connectDatabase } from '../../kernel/database/open-database.ts'
import { createMetrics } from '../../kernel/metrics.ts'
import { SecretKeys } from '../../kernel/secrets/secret-keys.ts'
import { createServer } from '../../server.ts'

/** A server of its own, which says where it listens; and once so many bytes of an upload are written. */
const config = loadConfig(environment())
const keys = new SecretKeys(config)
const { db, own: pool } = connectDatabase(config.databaseUrl!, { name: 'test', writes: 2, reads: 2, keys })
const blobs = openBlobs(config)
const { append, keep } = blobs.drafts
const dies = environment().TEST_DIES
const app: App = {
  config,
  db,
  pool,
  clock: systemClock,
  log: pino({ level: 'silent' }),
  metrics: createMetrics(),
  mailer: null,
  blobs: {
    ...blobs,
    drafts: {
      ...blobs.drafts,
      // Between the rename and what the database learns of it.
      keep: async (...given) => {
        await keep(...given)
        if (dies === 'kept') process.kill(process.pid, 'SIGKILL')
      },
      append: async (...given) => {
        const done = await append(...given)
        if (dies === 'written') process.kill(process.pid, 'SIGKILL')
        return done
      },
    },
  },
}
const server = await createServer(app, { ready: { parts: () => ({}) } })
process.send?.(await server.listen({ host: '127.0.0.1', port: 0 }))
