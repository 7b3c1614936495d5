import { startSettling } from './billing/settling/index.ts'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { startChaining } from './activities/index.ts'
import { Begun } from './begun.ts'
import { startCardSandbox, withCardSandbox } from './card-sandbox.ts'
import { startChild, type Child } from './children.ts'
import { prepareDemo } from './demo/index.ts'
import { pushDemoImages } from './demo/images/images.ts'
import { startDemoReceiver } from './demo/webhook-receiver.ts'
import { greet } from './greet.ts'
import { addFigures } from './health/figures.ts'
import { wordsOfPart, type Part, type Readiness } from './health/health.ts'
import { openChildProbe } from './health/child-probe.ts'
import { systemClock, type App } from './kernel/app.ts'
import type { Config } from './kernel/config.ts'
import { connectDatabase } from './kernel/database/open-database.ts'
import { whyNotPooled } from './kernel/database/pooler.ts'
import { Restarts } from './kernel/restarts.ts'
import { whyNoCertificate } from './devices/index.ts'
import { whyNoConsole } from './kernel/built-dirs.ts'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { lackOfSpace } from './embedded-postgres/disk-space.ts'
import { connectionsFor } from './embedded-postgres/settings.ts'
import { openBlobs } from './kernel/blobs/open-blobs.ts'
import { makeDirs } from './kernel/make-dirs.ts'
import { openMailer } from './kernel/mail/mailer.ts'
import { createMetrics } from './kernel/metrics.ts'
import { migrate } from './kernel/database/migrations/migrate.ts'
import { wordsOfAway } from './kernel/database/database-away.ts'
import { whyNotMade, wordsOfRefusedWrites } from './kernel/database/refused-writes.ts'
import { MigrationStopped } from './kernel/database/migrations/run-migration.ts'
import { prepareSecretKeys, SecretKeys } from './kernel/secrets/secret-keys.ts'
import { unlessAborted } from './kernel/shutdown.ts'
import { addLocalGateway, joinFigures, meterNodeArgs, prepareMetering } from './metering/index.ts'
import { loadNetworks } from './networks/index.ts'
import { createMetricsServer } from './health/metrics-server.ts'
import { chooseMetricsPort, choosePorts, StartError } from './ports.ts'
import { reencryptSecrets } from './reencrypt-secrets.ts'
import { createServer } from './server.ts'
import { startScans } from './registry/index.ts'
import { startReports } from './reports/index.ts'
import { startTasks } from './tasks.ts'
import { startMovingCopies } from './assets/index.ts'
import { startJudging, startRollUp } from './usage/index.ts'
import { startWebhookSender } from './developers/webhooks/index.ts'

export type Product = { greeting: string; stop: () => Promise<void> }

/**
 * Starts every role of this process's configuration; `stop` ends all of it (docs/operations.md, Stopping). An aborted `signal` cuts the start short,
 * wherever it is: also one that waits for a database that went away, or for a meter that cannot reach it, ends what it has begun.
 */
export async function startProduct({ config, log, signal }: { config: Config; log: Logger; signal: AbortSignal }): Promise<Product> {
  const begun = new Begun(log)
  const stop = () => begun.end()
  try {
    return { greeting: await unlessAborted(signal, start({ config, log, signal }, begun)), stop }
  } catch (error) {
    await stop()
    if (signal.aborted) return { greeting: '', stop }
    const words = wordsOfRefusedWrites(error, config) ?? (error instanceof StartError ? undefined : wordsOfAway(error, config))
    throw words ? new StartError(words) : error
  }
}

type Start = { config: Config; log: Logger; signal: AbortSignal }

/** Answers the greeting. */
async function start({ config: given, log, signal }: Start, begun: Begun): Promise<string> {
  const config = await withCardSandbox({ ...given, ports: await choosePorts(given) })
  // What somebody chose and what cannot be is said before there is anything to end again.
  await chooseMetricsPort(given)
  needFiles(config)
  makeDataDir(config.dataDir)
  const embedded = config.databaseUrl === undefined ? await startDatabase({ config, log, signal }, begun) : null
  const databaseUrl = embedded?.url ?? config.databaseUrl!
  const { directUrl } = config
  const keys = new SecretKeys(config)
  const { db, own: pool, pools } = connectDatabase(databaseUrl, { name: 'masthead', writes: 9, reads: 12, keys, directUrl })
  begun.pools({ name: 'database connections', end: () => Promise.all(pools.map((each) => each.end())) })
  const app: App = {
    config,
    db,
    pool,
    clock: systemClock,
    log,
    metrics: createMetrics(),
    mailer: openMailer(config),
    blobs: openBlobs(config),
  }
  begun.pools({ name: 'mail', end: async () => app.mailer?.close() })
  const prepare = async () => {
    const why = await whyNotPooled(config)
    if (why) throw new StartError(why)
    await migrate(pool, { log })
  }
  await prepare().catch((error: unknown) => {
    if (error instanceof StartError) throw error
    if (error instanceof MigrationStopped) throw new StartError(error.message)
    throw config.databaseUrl ? new StartError(`The database at DATABASE_URL cannot be used: ${wordsOf(error)}`, { cause: error }) : error
  })
  await prepareSecretKeys(app.db, config).catch((error: Error) => {
    throw new StartError(error.message, { cause: error })
  })
  await reencryptSecrets(app.db, { clearOnly: true })
  await Promise.all([loadNetworks(app.db), prepareMetering(app), addLocalGateway(app)])
  const demo = config.demo ? await prepareDemo(app) : null
  signal.throwIfAborted()
  await startParts(app, { databaseUrl, embedded, planFile: demo?.planFile ?? null, devicesFile: demo?.devicesFile ?? null, begun, signal })
  return greet(app)
}

/** Throws where a role of this process would only find later that files of its settings cannot be used. */
function needFiles(config: Config) {
  const whys = [
    config.roles.includes('api') ? whyNoConsole(config) : null,
    config.roles.includes('broker') ? whyNoCertificate(config, systemClock.now().getTime()) : null,
  ].filter((why) => why !== null)
  if (whys.length > 0) throw new StartError(whys.map((why) => `${why}.`).join('\n'))
}

function makeDataDir(dir: string) {
  try {
    makeDirs(dir)
  } catch (error) {
    const why = whyNotMade(dir, error as Error)
    throw new StartError(`${dir} cannot be made: ${why.message}. Set MASTHEAD_DATA_DIR to a directory of your own.`, { cause: why })
  }
}

/** Where the embedded database is. */
export const databaseDir = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'postgres')

async function startDatabase({ config, log, signal }: Start, begun: Begun) {
  const lack = lackOfSpace(config.dataDir)
  if (lack && 'refused' in lack) throw new StartError(lack.refused)
  if (lack) log.warn(lack.warning)
  const restarts = new Restarts()
  const starting = startEmbeddedPostgres({
    dataDir: databaseDir(config),
    signal,
    settings: { max_connections: connectionsFor(config) },
    onRestart: () => {
      restarts.ended()
      restarts.started()
    },
    log: { debug: (words) => log.debug(words), info: (words) => log.info(words), warn: (words) => log.warn(words) },
  })
  // One that is just starting ends itself with the signal.
  begun.database(async () => {
    const database = await starting.catch(() => null)
    await database?.stop()
  })
  const database = await starting.catch((error: Error) => {
    throw new StartError(error.message, { cause: error })
  })
  // Whether it answers is seen by asking it.
  return { url: database.url, isUp: () => true, tooOften: () => restarts.tooOften() }
}

type Around = {
  databaseUrl: string
  embedded: Part | null
  planFile: string | null
  devicesFile: string | null
  begun: Begun
  signal: AbortSignal
}

async function startParts(app: App, { databaseUrl, embedded, planFile, devicesFile, begun, signal }: Around) {
  const { config, log } = app
  const has = (role: Config['roles'][number]) => config.roles.includes(role)
  const env = {
    // A meter keeps statements and settings in its few sessions.
    DATABASE_URL: config.directUrl ?? databaseUrl,
    DATABASE_DIRECT_URL: '',
    MASTHEAD_DEMO: 'off',
    MASTHEAD_RADIUS_AUTH_PORT: String(config.ports.radiusAuth),
    MASTHEAD_RADIUS_ACCT_PORT: String(config.ports.radiusAcct),
    MASTHEAD_MQTT_PORT: String(config.ports.mqtt),
    MASTHEAD_MQTTS_PORT: String(config.ports.mqtts),
  }
  const meters: Child[] = has('meter')
    ? Array.from({ length: config.meterProcesses }, (_, i) =>
        startChild({ name: `meter ${i + 1}`, module: './metering/main.ts', env, log, nodeArgs: meterNodeArgs })
      )
    : []
  const broker = has('broker') ? startChild({ name: 'broker', module: './devices/broker/main.ts', env, log }) : undefined
  let jobs: Part | undefined
  let network: Child | undefined
  let devices: Child | undefined
  const stopMeters = async () => {
    await network?.stop() // it says farewell to them
    await Promise.all(meters.map((meter) => meter.stop()))
  }
  const stopBroker = async () => {
    await devices?.stop()
    await broker?.stop()
  }
  begun.parts({ name: 'meters', end: stopMeters }, { name: 'broker', end: stopBroker })
  if (has('worker')) {
    const runner = await startTasks(app)
    const rollUp = startRollUp(app)
    const settling = startSettling(app)
    const judging = startJudging(app)
    const copying = startMovingCopies(app)
    const chaining = startChaining(app)
    const reports = startReports(app)
    // Before anything is sent to it.
    const receiver = planFile ? await startDemoReceiver(app) : null
    const scans = startScans(app)
    const webhooks = startWebhookSender(app, { ownReceiver: receiver?.url })
    jobs = runner
    begun.parts(
      { name: 'jobs', end: () => runner.stop() },
      { name: 'roll-ups', end: () => rollUp.stop() },
      { name: 'settling charges', end: () => settling.stop() },
      { name: 'judging hours', end: () => judging.stop() },
      { name: 'copies of what moves', end: () => copying.stop() },
      { name: 'reports', end: () => reports.stop() },
      { name: 'activities', end: () => chaining.stop() },
      { name: 'webhooks', end: () => webhooks.stop() },
      { name: 'scans', end: () => scans.stop() },
      { name: 'demo receiver', end: async () => receiver?.stop() }
    )
  }
  const meterProbes = meters.map((meter) => openChildProbe('The meter', meter, 'why_no_commit'))
  const whyNoBroker = broker && openChildProbe('The broker', broker, 'why_idle')
  const ready: Readiness = {
    parts: async () => {
      const [ofBroker, ...ofMeters] = await Promise.all([whyNoBroker?.(), ...meterProbes.map((why) => why())])
      return {
        ...(embedded && { embedded_database: wordsOfPart('The embedded database', embedded) }),
        ...(has('meter') && { meter: ofMeters.find((words) => words !== null) ?? null }),
        ...(ofBroker !== undefined && { broker: ofBroker }),
        ...(jobs && { jobs: wordsOfPart('The worker', jobs) }),
        // Nothing waits for it.
        ...(network && { simulated_network: wordsOfPart('The simulated network', { ...network, isUp: () => true }) }),
      }
    },
    // Families of a meter that is not here would be headings of nothing.
    metrics: async () => {
      const [ofBroker = '', ...ofMeters] = await Promise.all([broker?.ask('metrics'), ...meters.map((meter) => meter.ask('metrics'))])
      return (has('meter') ? joinFigures(ofMeters.filter((text) => text !== undefined)) : '') + ofBroker
    },
  }
  await startMetrics(app, ready, begun)
  if (has('api')) {
    addFigures(app)
    const cards = startCardSandbox(config, log)
    begun.parts({ name: 'card sandbox', end: async () => cards?.stop() })
    const server = await createServer(app, { ready, ...(broker && { give: broker.give }) })
    begun.parts({ name: 'server', end: () => server.close() })
    const address = await server.listen({ host: config.host, port: config.ports.http })
    if (planFile)
      await pushDemoImages(app, address.replace('0.0.0.0', '127.0.0.1')).catch((error: unknown) =>
        log.warn({ err: error }, 'the images of the demo could not be pushed')
      )
  }
  await Promise.all([...meters, ...(broker ? [broker] : [])].map((each) => each.ready))
  signal.throwIfAborted()
  if (devicesFile && config.demoNetwork && broker)
    devices = startChild({ name: 'simulated devices', module: '../../simulator/src/devices/main.ts', args: [devicesFile], log })
  if (planFile && config.demoNetwork && has('meter')) {
    network = startChild({
      name: 'simulated network',
      module: '../../simulator/src/main.ts',
      args: [planFile],
      log,
      nodeArgs: ['--max-semi-space-size=2'],
    })
  }
}

async function startMetrics(app: App, ready: Readiness, begun: Begun) {
  const { host } = app.config.metrics
  const chosen = await chooseMetricsPort(app.config)
  if ('why' in chosen) return app.log.warn(chosen.why)
  const server = await createMetricsServer(app, ready)
  begun.parts({ name: 'metrics', end: () => server.close() })
  await server.listen({ host, port: chosen.port })
}

const wordsOf = (error: unknown): string => {
  const { message, cause } = error as Error & { cause?: Error }
  return cause ? `${message}: ${cause.message}` : message
}
