// Accounting packets answered per second over 100,000 SIMs, each after its commit, with roll-ups running; beside a bare statement
// that writes the same rows in batches of 1,000 on the same database. Takes about a minute and a half.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { systemClock } from '@masthead/server/kernel/app'
import { loadConfig } from '@masthead/server/kernel/config'
import { openDatabase, openPool } from '@masthead/server/kernel/database'
import { startEmbeddedPostgres } from '@masthead/server/kernel/embedded-postgres'
import { createMetrics } from '@masthead/server/kernel/metrics'
import { migrate } from '@masthead/server/kernel/migrate'
import { startRollUp } from '@masthead/server/metering/index'
import { openLoad, type LoadReport } from '@masthead/simulator/load'
import { bareRate } from './metering/bare-rate.ts'
import { lostSessions } from './metering/lost-sessions.ts'
import { seedSims } from './metering/seed-sims.ts'

const sims = Number(process.env.BENCH_SIMS ?? 100_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 8)
const quiet = () => {}

const database = await startEmbeddedPostgres({
  dataDir: mkdtempSync(join(tmpdir(), 'masthead-bench-')),
  throwAway: true,
  // As in production, but for being thrown away.
  settings: {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    autovacuum: 'on',
    max_connections: 60,
    checkpoint_timeout: '10min',
  },
  log: { debug: quiet, info: quiet, warn: console.warn },
})
let meter: ChildProcess | undefined
try {
  const pool = openPool(database.url)
  await migrate(pool)
  const known = await seedSims(pool, sims)
  const child = await startMeter(database.url)
  meter = child.process
  const app = {
    config: loadConfig({ DATABASE_URL: database.url }),
    db: openDatabase(pool),
    pool,
    clock: systemClock,
    log: pino({ level: 'warn' }),
    metrics: createMetrics(),
  }
  const rollUps = startRollUp(app)
  const load = await openLoad({ target: { host: '127.0.0.1', acct_port: child.acct }, secret: 'bench', sims: known, inFlight: 512 })
  await load.run({ count: sims }) // every SIM has a session now
  const at_512 = await load.run({ seconds })
  const at_64 = await load.run({ seconds, inFlight: 64 })
  load.close()
  const lost = await lostSessions(pool, load.sessions)
  await end(child.process)
  await rollUps.stop()
  const bare = await bareRate(pool, seconds)
  const figures = ({ rate, latency, retransmits }: LoadReport) => ({ rate, ...latency, retransmits, ratio: rate / bare })
  console.log(
    JSON.stringify({
      figure: 'metering-rate',
      sims,
      at_64: figures(at_64),
      at_512: figures(at_512),
      bare_rows_per_s: Math.round(bare),
      ratio: Math.max(at_64.rate, at_512.rate) / bare,
      lost,
    })
  )
  await pool.end()
} finally {
  meter?.kill('SIGKILL')
  await database.stop()
}

/** The meter as the product starts it, on free ports. */
async function startMeter(url: string): Promise<{ process: ChildProcess; acct: number }> {
  const process_ = fork(fileURLToPath(import.meta.resolve('@masthead/server/metering/main')), {
    env: { ...process.env, DATABASE_URL: url, MASTHEAD_RADIUS_AUTH_PORT: '0', MASTHEAD_RADIUS_ACCT_PORT: '0', MASTHEAD_LOG_LEVEL: 'warn' },
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16'],
  })
  const [{ ports }] = (await once(process_, 'message')) as [{ ports: { acct: number } }]
  return { process: process_, acct: ports.acct }
}

async function end(child: ChildProcess) {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
