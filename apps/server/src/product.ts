import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { startSealing } from './activities/index.ts'
import { startChild, type Child } from './children.ts'
import { databaseProcesses, makeOthersGiveWay, shareOfWaiting } from './give-way.ts'
import { prepareDemo } from './demo/index.ts'
import { startDemoReceiver } from './demo/webhook-receiver.ts'
import { greet } from './greet.ts'
import { wordsOfPart, type Part } from './health.ts'
import { systemClock, type App } from './kernel/app.ts'
import type { Config } from './kernel/config.ts'
import { openDatabase } from './kernel/database/database.ts'
import { Falls } from './kernel/falls.ts'
import { openPool } from './kernel/database/pool.ts'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { connectionsFor } from './embedded-postgres/settings.ts'
import { startJobs } from './kernel/jobs/jobs.ts'
import { openMailer } from './kernel/mail/mailer.ts'
import { createMetrics } from './kernel/metrics.ts'
import { migrate } from './kernel/database/migrate.ts'
import { prepareSecretKeys } from './kernel/secrets/secret-keys.ts'
import { addLocalGateway, joinFigures, meterName, meterNodeArgs, prepareMetering } from './metering/index.ts'
import { loadNetworks } from './networks/index.ts'
import { choosePorts, StartError } from './ports.ts'
import { resealSecrets } from './reseal-secrets.ts'
import { createServer } from './server.ts'
import { tasks } from './tasks.ts'
import { startRollUp } from './usage/index.ts'
import { startWebhookSender } from './developers/webhooks/index.ts'

const rollUpName = 'masthead roll-up'

export type Product = { greeting: string; stop: () => Promise<void> }

/** Starts every role of this process's configuration; `stop` ends all of it in the opposite order. An aborted `signal` cuts the start short. */
export async function startProduct({ config: given, log, signal }: { config: Config; log: Logger; signal: AbortSignal }): Promise<Product> {
  const undo: (() => Promise<unknown>)[] = []
  let stopping: Promise<void> | undefined
  const stop = () =>
    (stopping ??= (async () => {
      for (const step of undo.reverse()) await step().catch((error: unknown) => log.error({ err: error }, 'stopping a part failed'))
    })())
  try {
    const config = { ...given, ports: await choosePorts(given) }
    makeDataDir(config.dataDir)
    const embedded = config.databaseUrl === undefined ? await startDatabase(config, log, undo) : null
    const databaseUrl = embedded?.url ?? config.databaseUrl!
    const pool = openPool(databaseUrl, { max: 12 })
    undo.push(() => pool.end())
    const app: App = { config, db: openDatabase(pool), pool, clock: systemClock, log, metrics: createMetrics(), mailer: openMailer(config) }
    undo.push(async () => app.mailer?.close())
    await migrate(pool).catch((error: unknown) => {
      throw config.databaseUrl ? new StartError(`The database at DATABASE_URL cannot be used: ${wordsOf(error)}`) : error
    })
    await prepareSecretKeys(app.db, config).catch((error: Error) => {
      throw new StartError(error.message)
    })
    await resealSecrets(app.db, { clearOnly: true })
    await Promise.all([loadNetworks(app.db), prepareMetering(app), addLocalGateway(app)])
    const demo = config.demo ? await prepareDemo(app) : null
    if (!signal.aborted) await startParts(app, { databaseUrl, embedded, planFile: demo?.planFile ?? null, undo })
    return { greeting: await greet(app), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function makeDataDir(dir: string) {
  try {
    mkdirSync(dir, { recursive: true })
  } catch (error) {
    throw new StartError(`${dir} cannot be made: ${(error as Error).message}. Set MASTHEAD_DATA_DIR to a directory of your own.`)
  }
}

/** Where the embedded database is. */
export const databaseDir = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'postgres')

async function startDatabase(config: Config, log: Logger, undo: (() => Promise<unknown>)[]) {
  const falls = new Falls()
  const database = await startEmbeddedPostgres({
    dataDir: databaseDir(config),
    settings: { max_connections: connectionsFor(config) },
    onRestart: () => {
      falls.fell()
      falls.rose()
    },
    log: { debug: (words) => log.debug(words), info: (words) => log.info(words), warn: (words) => log.warn(words) },
  }).catch((error: Error) => {
    throw new StartError(error.message)
  })
  undo.push(() => database.stop())
  // Whether it answers is seen by asking it.
  return { url: database.url, isUp: () => true, tooOften: () => falls.tooOften() }
}

type Around = { databaseUrl: string; embedded: Part | null; planFile: string | null; undo: (() => Promise<unknown>)[] }

async function startParts(app: App, { databaseUrl, embedded, planFile, undo }: Around) {
  const { config, log } = app
  const has = (role: Config['roles'][number]) => config.roles.includes(role)
  const env = {
    DATABASE_URL: databaseUrl,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_RADIUS_AUTH_PORT: String(config.ports.radiusAuth),
    MASTHEAD_RADIUS_ACCT_PORT: String(config.ports.radiusAcct),
  }
  let pressed = false
  const heard = (message: { pressed?: boolean }) => (pressed ||= message.pressed === true)
  const meters: Child[] = has('meter')
    ? Array.from({ length: config.meterProcesses }, (_, i) =>
        startChild({ name: `meter ${i + 1}`, module: './metering/main.ts', env, log, nodeArgs: meterNodeArgs, heard })
      )
    : []
  for (const meter of meters) undo.push(() => meter.stop())
  let jobs: Part | undefined
  let network: Child | undefined
  if (has('worker')) {
    const runner = await startJobs(app, tasks)
    // A connection of its own, which may step back like the meter's.
    const rollUpPool = openPool(databaseUrl, { max: 1, name: rollUpName })
    const rollUp = startRollUp({ ...app, db: openDatabase(rollUpPool) })
    const sealing = startSealing(app)
    // Before anything is sent to it.
    const receiver = planFile ? await startDemoReceiver(app) : null
    const webhooks = startWebhookSender(app)
    jobs = runner
    undo.push(
      () => runner.stop(),
      () => rollUpPool.end(),
      () => rollUp.stop(),
      () => sealing.stop(),
      () => webhooks.stop(),
      async () => receiver?.stop()
    )
  }
  if (has('api')) {
    const server = await createServer(app, {
      ready: {
        parts: () => ({
          ...(embedded && { embedded_database: wordsOfPart('The embedded database', embedded) }),
          ...(has('meter') && { meter: meters.map((meter) => wordsOfPart('The meter', meter)).find((words) => words !== null) ?? null }),
          ...(jobs && { jobs: wordsOfPart('The worker', jobs) }),
          // Nothing waits for it.
          ...(network && { simulated_network: wordsOfPart('The simulated network', { ...network, isUp: () => true }) }),
        }),
        metrics: async () =>
          joinFigures((await Promise.all(meters.map((meter) => meter.ask('metrics')))).filter((text) => text !== undefined)),
      },
    })
    const way = makeOthersGiveWay({
      others: async () => [
        ...meters.map((meter) => meter.pid()).filter((pid) => pid !== undefined),
        ...(await databaseProcesses(app.db, [meterName, rollUpName]).catch(() => [])),
      ],
      share: shareOfWaiting(server.server),
      pressed: () => {
        const was = pressed
        pressed = false
        return was
      },
    })
    undo.push(async () => way.stop())
    undo.push(() => server.close())
    await server.listen({ host: config.host, port: config.ports.http })
  }
  await Promise.all(meters.map((meter) => meter.ready))
  if (planFile && config.demoNetwork && has('meter')) {
    network = startChild({
      name: 'simulated network',
      module: '../../simulator/src/main.ts',
      args: [planFile],
      log,
      nodeArgs: ['--max-semi-space-size=2'],
    })
    const { stop } = network
    undo.push(stop)
  }
}

const wordsOf = (error: unknown): string => {
  const { message, cause } = error as Error & { cause?: Error }
  return cause ? `${message}: ${cause.message}` : message
}
