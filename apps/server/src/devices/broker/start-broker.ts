import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/app.ts'
import type { Config } from '../../kernel/config.ts'
import { connectDatabase } from '../../kernel/database/open-database.ts'
import { SecretKeys } from '../../kernel/secrets/secret-keys.ts'
import { ensureVitalsPartitions } from '../vitals/vitals-partitions.ts'
import { BrokerFigures } from './broker-figures.ts'
import { enterBroker, leaveBroker, renewBroker } from './broker-row.ts'
import { Broker } from './broker.ts'
import { changedAt, readCertificate } from './certificate-files.ts'
import { noteConfig, noteUpdate } from './config-progress.ts'
import { inOrder } from './connections.ts'
import { Logins } from './logins.ts'
import { noteSignal } from './note-signal.ts'
import { Notices } from './notices.ts'
import { Outbox } from './outbox.ts'
import { usualBounds, type Bounds } from './packet-bounds.ts'
import type { Certificate } from './own-certificate.ts'
import { openWebSockets } from './websockets.ts'
import { ReportWriter } from './report-writer.ts'

const renewEvery = 5000 // ms
const certificateEvery = 60_000 // ms
/** A notice that a device was cut may be lost with a connection that died without a word. */
const lapsedEvery = 60_000 // ms
const backlog = 4096 // connections that come in a storm wait in the kernel

export type RunningBroker = {
  ports: { mqtt: number; mqtts: number }
  figures: BrokerFigures
  upgrade: ReturnType<typeof openWebSockets>
  stop: () => Promise<void>
}
type Start = { config: Config; databaseUrl: string; log: Logger; clock: Clock; bounds?: Bounds; name?: string }

/** Starts a broker: devices in, their reports stored, directives out. Rejects when the database is away or the port is taken. */
export async function startBroker({ config, databaseUrl, log, clock, bounds = usualBounds, ...given }: Start): Promise<RunningBroker> {
  const { db, pools } = connectDatabase(databaseUrl, { name: 'masthead broker', writes: 3, reads: 2, keys: new SecretKeys(config) })
  const servers: Server[] = []
  const ends: (() => unknown)[] = [() => Promise.all(pools.map((pool) => pool.end()))]
  let stopping: Promise<void> | undefined
  /** Connections that came before all else was ready, which Node.js announces once: nobody would ever serve them. */
  let early: Socket[] | undefined = []
  const stop = async () => {
    for (const server of servers) server.close()
    for (const socket of early ?? []) socket.destroy()
    for (const end of ends.toReversed()) await end()
  }
  const take = (socket: Socket) => {
    if (!early) broker.take(socket, { socket })
    else if (early.length < bounds.waiting.ofAll) early.push(socket.on('error', () => {}))
    else socket.destroy()
  }
  let broker: Broker
  try {
    const server = createServer(take)
    const port = await listen(server, { host: config.host, port: config.ports.mqtt })
    servers.push(server)
    let certificate = readCertificate(config, clock.now().getTime())
    const own = () => (config.tls ? null : certificate.cert)
    // What a device shows of itself is compared with what is known of it once it says who it is.
    const asks = { requestCert: true, rejectUnauthorized: false }
    // Twice as long as for all else: over a slow radio link it takes some round trips. So long the agent waits for a connection.
    const secure = createTlsServer({ ...certificate, ...asks, handshakeTimeout: 2 * bounds.connectWithin, noDelay: true })
    // Of a handshake that takes too long Node.js says so, and leaves the connection open.
    secure.on('tlsClientError', (_error, socket) => void socket.destroy())
    secure.prependListener('connection', (socket: Socket) => {
      if (!early) broker.enter(socket)
    })
    secure.on('secureConnection', take)
    const securePort = await listen(secure, { host: config.host, port: config.ports.mqtts })
    servers.push(secure)
    await ensureVitalsPartitions(db, clock.now())
    const name = given.name ?? `${hostname()}:${port}`
    const figures = new BrokerFigures(name)
    const writer = new ReportWriter({ db, broker: name, clock, log, stored: figures.stored, refused: () => figures.refused('report') })
    const note = inOrder((from) => {
      figures.refused('rate')
      from.client.close()
    })
    broker = await Broker.open(
      { clock, logins: new Logins(db), writer, figures, bounds, log, name },
      {
        config: (from, said) =>
          note(from, async () => {
            await noteConfig(db, clock, from, said)
            if (said.status === 'received') broker.send(from, 'ack', { command: 'ack', data: said.id }, 1)
          }),
        update: (from, status) => note(from, () => noteUpdate(db, clock, from, status)),
        // The one who waits for it says that nothing came.
        signal: (from, said) => note(from, () => noteSignal(db, from, said)),
      }
    )
    figures.clients = () => broker.connections.size
    figures.waiting = () => writer.size
    ends.push(() => writer.stop())
    await enterBroker(db, clock, name, own())
    const outbox = new Outbox({ db, broker, name, clock, log })
    broker.onSubscribed = (connection) => outbox.subscribed(connection)
    const sweep = () => outbox.sweep().catch(() => {})
    const closeLapsed = () => void broker.closeLapsed().catch((error: unknown) => log.warn({ err: error }, 'who was cut is not known'))
    const missed = () => {
      void sweep()
      closeLapsed()
    }
    const notices = new Notices(databaseUrl, {
      due: (id) => outbox.deliver(id),
      cut: (id) => broker.close(id),
      moved: (id, to) => broker.moved(id, to),
      missed,
    })
    await notices.start()
    const started_at = clock.now()
    const renewing = setInterval(() => {
      void renewBroker(db, clock, { name, clients: broker.connections.size, counters: figures.counters(), certificate: own(), started_at })
        .then((was) => was || broker.bornAgain())
        .catch(() => {})
      void sweep()
    }, renewEvery)
    const lapsing = setInterval(closeLapsed, lapsedEvery)
    // Whoever is connected says farewell to it; what that changes is stored before the row goes.
    ends.splice(1, 1, async () => {
      clearInterval(renewing)
      clearInterval(lapsing)
      await notices.stop()
      await broker.stop()
      await writer.stop()
      await leaveBroker(db, clock, name).catch(() => {})
    })
    const waited = early
    early = undefined
    for (const socket of waited) if (!socket.destroyed) take(socket)
    const stopLooking = keepCertificate(secure, { config, clock, log, took: (given) => (certificate = given) })
    ends.push(stopLooking)
    return { ports: { mqtt: port, mqtts: securePort }, figures, upgrade: openWebSockets(broker), stop: () => (stopping ??= stop()) }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Uses a certificate that took the place of the one before, and makes our own anew before it ends. */
function keepCertificate(
  server: TlsServer,
  { config, clock, log, took }: Pick<Start, 'config' | 'clock' | 'log'> & { took: (certificate: Certificate) => void }
): () => void {
  let seen = changedAt(config)
  const timer = setInterval(() => {
    try {
      const changed = changedAt(config)
      if (config.tls && changed === seen) return
      const certificate = readCertificate(config, clock.now().getTime())
      server.setSecureContext(certificate)
      took(certificate)
      seen = changed
    } catch (error) {
      log.error({ err: error }, 'the certificate for devices stays the one before')
    }
  }, certificateEvery)
  return () => clearInterval(timer)
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog }, () => resolve((server.address() as AddressInfo).port))
  })
}
