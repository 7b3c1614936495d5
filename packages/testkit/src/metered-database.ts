import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { pino } from 'pino'
import { systemClock } from '@masthead/server/kernel/app'
import { loadConfig } from '@masthead/server/kernel/config'
import { openDatabase } from '@masthead/server/kernel/database/open-database'
import { createMetrics } from '@masthead/server/kernel/metrics'
import { openBlobs } from '@masthead/server/kernel/blobs/open-blobs'
import { followRules } from '@masthead/server/notifications/rules/follow-rules'
import { startRollUp } from '@masthead/server/usage/index'
import { meterNodeArgs } from '@masthead/server/metering/index'
import { Ingest } from '@masthead/server/metering/ingest/ingest'
import { MeterFigures } from '@masthead/server/metering/meter-figures'
import { openProductionDatabase } from './production-database.ts'

export type { Reading } from '@masthead/server/metering/reading'

export type MeteredDatabase = {
  url: string
  pool: pg.Pool
  acctPort: number
  meterPid: number
  /** What the meter counts, as Prometheus text. */
  figures: () => Promise<string>
  /** Ends the meter as its parent would, and the roll-ups. */
  stopMeter: () => Promise<void>
  stop: () => Promise<void>
}

/** PostgreSQL with production's settings, a meter in a process of its own, roll-ups; nothing else. For figures. */
export async function openMeteredDatabase({
  prepare,
  nodeArgs = [],
}: {
  prepare: (pool: pg.Pool) => Promise<void>
  /** For the meter's process, such as `--cpu-prof`. */
  nodeArgs?: readonly string[]
}): Promise<MeteredDatabase> {
  const database = await openProductionDatabase()
  const { pool } = database
  let meter: ChildProcess | undefined
  try {
    await prepare(pool)
    meter = fork(fileURLToPath(import.meta.resolve('@masthead/server/metering/main')), {
      env: {
        ...process.env,
        DATABASE_URL: database.url,
        MASTHEAD_RADIUS_AUTH_PORT: '0',
        MASTHEAD_RADIUS_ACCT_PORT: '0',
        MASTHEAD_LOG_LEVEL: 'warn',
      },
      execArgv: ['--disable-warning=ExperimentalWarning', '--v8-pool-size=0', ...meterNodeArgs, ...nodeArgs],
    })
    const [{ ports }] = (await once(meter, 'message')) as [{ ports: { acct: number } }]
    const rollUps = startRollUp(appOn(database))
    const running = meter
    return {
      url: database.url,
      pool,
      acctPort: ports.acct,
      meterPid: running.pid!,
      figures: async () => {
        const told = once(running, 'message')
        running.send({ ask: 'metrics' })
        const [{ metrics }] = (await told) as [{ metrics: string }]
        return metrics
      },
      stopMeter: async () => {
        const gone = once(running, 'exit')
        running.kill('SIGTERM')
        await gone
        await rollUps.stop()
      },
      stop: async () => {
        running.kill('SIGKILL')
        await rollUps.stop()
        await database.stop()
      },
    }
  } catch (error) {
    meter?.kill('SIGKILL')
    await database.stop()
    throw error
  }
}

function appOn({ url, pool }: Pick<MeteredDatabase, 'url' | 'pool'>) {
  const config = loadConfig({ DATABASE_URL: url })
  const [log, metrics, blobs] = [pino({ level: 'warn' }), createMetrics(), openBlobs(config)]
  return { config, db: openDatabase(pool), pool, clock: systemClock, log, metrics, mailer: null, blobs }
}

/** Checks all alert rules once, as the worker does each minute. */
export const followRulesOn = (database: MeteredDatabase) => followRules(appOn(database))

/** The ingest alone, in this process, for feeds that do not come by UDP. */
export const openIngest = (databaseUrl: string) =>
  new Ingest({
    databaseUrl,
    log: pino({ level: 'warn' }),
    clock: systemClock,
    figures: new MeterFigures('bench'),
    fastestLink: 2e9,
    committed: () => {},
  })
