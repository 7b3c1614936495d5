import { Aedes, type AuthenticateError, type Client } from 'aedes'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { UpdateStatus } from '@masthead/contract/devices/maintenance'
import type { Clock } from '../../kernel/app.ts'
import { plainAddress } from '../../gateways/index.ts'
import type { BrokerFigures } from './broker-figures.ts'
import { Connections, subscriptionTo, type Connection } from './connections.ts'
import { PendingConnections } from './pending-connections.ts'
import type { Logins } from './logins.ts'
import { readLife, readMessage, readTooLarge, type Message, type Refused } from './message.ts'
import { boundPackets, onAcknowledged, TooMuch, type Bounds } from './packet-bounds.ts'
import { peerCertificate } from './peer-certificate.ts'
import type { ReportWriter } from './report-writer.ts'
import { boundSessions, type Sessions } from './session-bounds.ts'
import { SignIns } from './sign-ins.ts'
import { clientIdOf, topicsOf } from './topics.ts'

/** MQTT 3.1.1 §3.2.2.3. */
const returnCodes = { identifier: 2, unavailable: 3, credentials: 4 } as const
const drainWithin = 30_000 // ms that a device may leave unread what was sent to it
const seenEvery = 60_000 // ms
const mostRefusals = 20
const mostInflight = 20 // messages of QoS 2 that a device has not released
const refusalNotedEvery = 60_000 // ms, of one connection
/** A keep-alive of the network, in ms, for devices that ask for none of MQTT. */
const probeAfter = 60_000

type Parts = { clock: Clock; logins: Logins; writer: ReportWriter; figures: BrokerFigures; bounds: Bounds; log: Logger; name: string }
/** `topic`: that of directives unless said. `acknowledged`: the device has it; never called when its connection ends before that. */
type Send = { topic?: string; acknowledged?: () => void }
type Receivers = {
  config: (from: Connection, said: Message & { kind: 'config' }) => void
  update: (from: Connection, status: UpdateStatus) => void
  signal: (from: Connection, said: Buffer) => void
}

/** Speaks MQTT 3.1.1 with devices. What one may is decided when it connects; no message asks the database (docs/decisions/0035). */
export class Broker {
  readonly connections = new Connections()
  #parts: Parts
  #aedes: Aedes
  #receivers: Receivers
  #pending: PendingConnections
  #signIns: SignIns
  /** A device has subscribed to something. */
  onSubscribed: (connection: Connection) => void = () => {}

  private constructor(parts: Parts, receivers: Receivers) {
    this.#parts = parts
    this.#receivers = receivers
    this.#pending = new PendingConnections(parts.bounds.waiting)
    this.#signIns = new SignIns(parts.bounds.signIns, parts.log)
    this.#aedes = new Aedes({
      id: parts.name,
      connectTimeout: parts.bounds.connectWithin,
      drainTimeout: drainWithin,
      maxClientsIdLength: 256,
      maxInflightInbound: mostInflight,
      authenticate: (client, username, password, done) => void this.#authenticate(client, username, password).then(...answering(done)),
      authorizePublish: (client, packet, done) => done(this.#publish(client, packet)),
      authorizeSubscribe: (client, subscription, done) => done(null, this.#maySubscribe(client, subscription.topic) ? subscription : null),
    })
    // A birth and a death count when they come. Kept ones would be walked through at each subscription.
    this.#aedes.on('subscribe', (_subscriptions, client) => this.#subscribed(client))
    this.#aedes.on('clientReady', (client) => {
      parts.figures.connected()
      const socket = sockets.get(client)
      if (socket) this.#pending.left(socket)
      this.#takeOver(client)
      // A session that was kept has its subscriptions, and its device need not say them anew.
      this.#subscribed(client)
    })
    this.#aedes.on('ack', (packet, client) => {
      // Of what it never sent aedes has none, nor of what it sent in a clean session.
      const found = packet as unknown as { brokerCounter?: number } | undefined
      if (found?.brokerCounter !== undefined) this.connections.of(client)?.unacknowledged.ofNumber(found.brokerCounter)
    })
    this.#aedes.on('ping', (_packet, client) => this.#seen(client))
    this.#aedes.on('clientDisconnect', (client) => this.#ended(client))
    for (const event of ['clientError', 'connectionError'] as const) this.#aedes.on(event, (_client, error) => this.#failed(error))
    ;(this.#aedes as unknown as NodeJS.EventEmitter).on('error', (error: Error) => parts.log.error({ err: error }, 'the broker failed'))
  }

  static async open(parts: Parts, receivers: Receivers): Promise<Broker> {
    const broker = new Broker(parts, receivers)
    await broker.#aedes.listen()
    // Made there.
    boundSessions((broker.#aedes as unknown as { persistence: Sessions }).persistence, {
      maySubscribe: ({ id }, topic) => topicsOf(id.slice(clientIdOf('').length)).subscribes.has(topic),
      sent: parts.bounds.unacknowledged,
      received: mostInflight,
    })
    return broker
  }

  /** A socket that came in, before TLS and all it says; false: too many have not signed in, and it is closed. `ip`: that of the device, where a proxy said so. */
  enter(socket: Socket, ip = socket.remoteAddress): boolean {
    const entered = this.#pending.enter(socket, ip)
    if (!entered) this.#parts.figures.refused('waiting')
    return entered
  }

  /** A connection that came in, by whatever port. Answers with what counts one more packet of it; undefined: it is not taken. */
  take(stream: Duplex, { socket, ip = socket.remoteAddress }: { socket: Socket; ip?: string | undefined }): (() => void) | undefined {
    if (!this.enter(socket, ip)) return undefined
    socket.setNoDelay(true).setKeepAlive(true, probeAfter)
    const client = this.#aedes.handle(stream)
    addresses.set(client, ip ? plainAddress(ip) : null)
    sockets.set(client, socket)
    streams.set(client, stream)
    onAcknowledged(client, (id) => this.connections.of(client)?.unacknowledged.ofId(id))
    return boundPackets(client, this.#parts.bounds)
  }

  /**
   * Publishes something to a device on a topic of its own; false: its connection has ended, or it is not subscribed to that, and nothing was published. QoS 1 is published again, in
   * the same session, until it is acknowledged. Whoever subscribed with QoS 0 gets it once at most and acknowledges nothing: it counts as acknowledged once it is sent.
   */
  send(to: Connection, kind: string, payload: unknown, asked: 0 | 1, { topic = to.topics.directives, acknowledged }: Send = {}): boolean {
    const subscription = subscriptionTo(to, topic)
    if (to.client.closed || !subscription) return false
    const qos = subscription.qos === 0 ? 0 : asked
    if (qos === 1 && to.unacknowledged.size >= this.#parts.bounds.unacknowledged) {
      this.#parts.figures.refused('unacknowledged')
      to.client.close()
      return false
    }
    this.#parts.figures.sent(kind)
    const brokerCounter = ++(this.#aedes as unknown as { counter: number }).counter
    if (qos === 1) to.unacknowledged.add(brokerCounter, acknowledged)
    const packet = {
      cmd: 'publish',
      brokerCounter,
      topic,
      payload: Buffer.from(JSON.stringify(payload)),
      qos,
      retain: false,
      dup: false,
    }
    to.client.publish(packet as never, () => qos < asked && !to.client.closed && acknowledged?.())
    return true
  }

  /** A device was cut, or has another secret. */
  close(device_id: string): void {
    this.#parts.logins.cut(device_id)
    for (const each of this.connections.ofDevice(device_id)) each.client.close()
  }

  /** It was born at another broker: the connection that is here is of before, unless it was born later. */
  moved(device_id: string, { broker, ts }: { broker: string; ts: number }): void {
    const here = this.connections.byDevice(device_id)
    if (broker !== this.#parts.name && here?.life && here.life.ts <= ts) here.client.close()
  }

  /** Ends the connections whose login is not good any more: it may have been cut while nobody listened. */
  async closeLapsed(): Promise<void> {
    for (const device_id of await this.#parts.logins.lapsed(this.connections.all())) this.close(device_id)
  }

  /** Says once more of everybody who is connected that they were born. */
  bornAgain(): void {
    for (const each of this.connections.all())
      if (each.life && !each.client.closed) this.#parts.writer.birth(each, { ...each.life, fresh: false }, { sure: false, ip: each.ip }) // it may be elsewhere by now
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#aedes.close(resolve))
  }

  async #authenticate(client: Client, username: string | undefined, password: Buffer | undefined): Promise<number> {
    const { figures, logins, clock, bounds } = this.#parts
    if (!username || client.id !== clientIdOf(username)) return (figures.refused('credentials'), returnCodes.identifier)
    if (this.#signIns.isOver(username)) {
      figures.refused('sign_ins')
      await delay(bounds.signIns.held, undefined, { ref: false })
      return returnCodes.unavailable
    }
    const certificate = streams.get(client) && peerCertificate(streams.get(client)!, clock.now())
    const login = await logins.find(username, { password, certificate }).catch(() => null)
    if (login === null) return (figures.refused('unavailable'), returnCodes.unavailable)
    if (!login) return (figures.refused('credentials'), returnCodes.credentials)
    if (client.closed) return returnCodes.unavailable
    this.#signIns.count(username, login.device_id)
    const will = (client as unknown as { _will: { payload: Buffer } | null })._will
    this.connections.add(client, login, username, { ip: addresses.get(client) ?? null, will: will ? readLife(will.payload) : undefined })
    return 0
  }

  /** Undefined: it is taken. An error ends the connection. Of a will, the connection has ended. */
  #publish(client: Client | null, packet: { topic: string; payload: string | Buffer; retain?: boolean }): Error | undefined {
    const from = this.connections.of(client)
    const subject = from?.topics.publishes.get(packet.topic)
    if (!from || !subject) {
      this.#parts.figures.refused('topic')
      return new Error('not a topic of this device')
    }
    packet.retain = false
    const payload = Buffer.from(packet.payload as Buffer)
    if (subject === 'hive') this.#receive(from, payload)
    else if (subject === 'signaling') this.#receivers.signal(from, payload)
    else this.#live(from, subject, payload)
    return undefined
  }

  #live(from: Connection, subject: 'birth' | 'death', payload: Buffer) {
    const { figures, writer } = this.#parts
    const life = readLife(payload)
    figures.message(life ? subject : 'unreadable')
    if (!life) return
    if (subject === 'death') return writer.death(from, life)
    from.life = life
    writer.birth(from, life, { sure: from.will?.seq === life.seq && from.will.ts === life.ts, ip: from.ip })
  }

  #receive(from: Connection, payload: Buffer) {
    const { figures, writer, bounds } = this.#parts
    const message = payload.length > bounds.reportBytes ? readTooLarge(payload, bounds.reportBytes) : readMessage(payload, from.kind)
    figures.message(message?.kind ?? 'unreadable')
    if (message?.kind === 'refused') return this.#refuse(from, message)
    if (message?.kind === 'report')
      writer.report(from, { ...message, bytes: payload.length }, () => this.send(from, 'ack', { command: 'ack', data: message.mid }, 0))
    else if (message?.kind === 'config') this.#receivers.config(from, message)
    else if (message?.kind === 'update') this.#receivers.update(from, message.status)
  }

  /** What can never be stored is acknowledged all the same: a device sends it until then, and some send nothing else meanwhile. */
  #refuse(from: Connection, { section, mid, why }: Refused) {
    const { figures, log } = this.#parts
    figures.refused('report')
    const now = performance.now()
    if (now - from.refusal_noted_at >= refusalNotedEvery) {
      from.refusal_noted_at = now
      log.warn({ device_id: from.device_id, section, why }, 'a report of a device is not stored, and never will be')
    }
    this.send(from, 'ack', { command: 'ack', data: mid }, 0)
  }

  /** aedes ends the one that it knows by the client id: none of before may go on beside the new one. One that is not let in yet takes its place in its turn. */
  #takeOver(client: Client) {
    const to = this.connections.of(client)
    for (const other of to ? this.connections.before(to) : []) other.client.close()
  }

  #maySubscribe(client: Client, topic: string): boolean {
    const to = this.connections.of(client)
    if (to?.topics.subscribes.has(topic)) return true
    this.#parts.figures.refused('topic')
    if (to && ++to.refused > mostRefusals) client.close()
    return false
  }

  #subscribed(client: Client) {
    const to = this.connections.of(client)
    if (to) this.onSubscribed(to)
  }

  #seen(client: Client) {
    const from = this.connections.of(client)
    const now = performance.now()
    if (!from || now - from.seen_at < seenEvery) return
    from.seen_at = now
    this.#parts.writer.seen(from)
  }

  /** A connection that ends without its will has died all the same. */
  #ended(client: Client) {
    const from = this.connections.of(client)
    if (from?.life) this.#parts.writer.death(from, from.life)
    // aedes asks for the right to publish the will after this.
    setImmediate(() => this.connections.remove(client))
  }

  #failed(error: Error) {
    if (error instanceof TooMuch) this.#parts.figures.refused(error.why)
    else if (!/timeout|did not arrive|closed|ECONNRESET|EPIPE|premature/i.test(error.message) && !('errorCode' in error))
      this.#parts.figures.refused('malformed')
  }
}

const addresses = new WeakMap<Client, string | null>()
const sockets = new WeakMap<Client, Socket>()
const streams = new WeakMap<Client, Duplex>()

type Done = (error: AuthenticateError | null, success: boolean | null) => void
const answering = (done: Done): [(code: number) => void, (error: Error) => void] => [
  (code) => (code === 0 ? done(null, true) : done(Object.assign(new Error('refused'), { returnCode: code }) as AuthenticateError, null)),
  (error) => done(Object.assign(error, { returnCode: returnCodes.unavailable }) as AuthenticateError, null),
]
