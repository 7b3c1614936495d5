import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Logger } from 'pino'
import type { RefusedKind } from '@masthead/contract/backoffice/refused-sender-operations'
import { encodeReply, requestFault } from '@masthead/radius/authenticator'
import { dictionary } from '@masthead/radius/dictionary'
import { codes, decode, find, type Packet } from '@masthead/radius/packet'
import { readAccounting, readRequest } from '@masthead/radius/records'
import { plainAddress, type Gateway, type Gateways, type RefusedSenders } from '../gateways/index.ts'
import type { Clock } from '../kernel/app.ts'
import type { AccessAnswer } from './access/access-rules.ts'
import type { Admission } from './access/admission.ts'
import type { DatabaseProof } from './database-proof.ts'
import type { Ingest } from './ingest/ingest.ts'
import type { MeterFigures } from './meter-figures.ts'
import { accessRequestOf, isOfSession, readingOf } from './reading.ts'

const receiveBuffer = 8 * 1024 * 1024
const hour = 3_600_000
/**
 * How long an answered packet is known again at least, in milliseconds, where not too many are (RFC 5080 §2.2.2): an On or Off must not close
 * sessions that began after it, and what does not say when it happened would look newer than what came between.
 */
const knownFor = 30_000
const mostKnown = 100_000

type Parts = {
  gateways: Gateways
  refused: RefusedSenders
  ingest: Ingest
  admission: Admission
  proof: DatabaseProof
  figures: MeterFigures
  /** With which this installation asks itself (own-status.ts), where it is known. */
  statusSecret: Buffer | null
  clock: Clock
  log: Logger
}

type Port = 'auth' | 'acct'
/** What was decided of an Access-Request, or why nothing was. */
type Answer = AccessAnswer | { accept: false; cause: 'eap'; words: string }
type Believed = { gateway: Gateway; packet: Packet }
/** A Status-Server, and the secret of who asks. */
type Status = { packet: Packet; secret: Buffer }

/** Receives packets of gateways and answers them. What it does not believe gets silence and a counter. */
export class Listener {
  #parts: Parts
  #sockets: Socket[] = []
  #pending = new Set<string>()
  /** Since `#knownSince`, and those of the time before. */
  #known = new Set<string>()
  #knownBefore = new Set<string>()
  #knownSince = 0
  #warned = new Map<string, number>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Binds both ports (0: any free one) and says which they are. With `shared`, several processes listen on the same ports. */
  async listen({ host, auth, acct, shared }: { host: string; auth: number; acct: number; shared: boolean }) {
    const bind = (kind: Port, port: number, receive: (datagram: Buffer, from: RemoteInfo, socket: Socket) => void) =>
      new Promise<number>((resolve, reject) => {
        const type = isIPv6(host) ? 'udp6' : 'udp4'
        const socket = createSocket({ type, reusePort: shared && port !== 0 }, (datagram, from) =>
          this.#alone(kind, () => {
            const status = this.#ownStatus(datagram)
            if (status) this.#hearStatus(kind, status, from, socket)
            else receive(datagram, from, socket)
          })
        )
        this.#sockets.push(socket)
        socket.once('error', reject)
        socket.bind(port, host, () => {
          socket.off('error', reject)
          socket.on('error', (error) => this.#parts.log.warn({ err: error }, 'a RADIUS socket failed'))
          growBuffer(socket)
          resolve(socket.address().port)
        })
      })
    return {
      auth: await bind('auth', auth, (datagram, from, socket) => this.#hearAccess(datagram, from, socket)),
      acct: await bind('acct', acct, (datagram, from, socket) => this.#hearAccounting(datagram, from, socket)),
    }
  }

  /** Receives nothing more; answers can still be sent. */
  deafen() {
    for (const socket of this.#sockets) socket.removeAllListeners('message')
  }

  close() {
    for (const socket of this.#sockets) socket.close()
  }

  /** A mistake of ours about one packet is no other's: it stays unanswered, and the meter goes on. */
  #alone(port: Port, work: () => void) {
    try {
      work()
    } catch (error) {
      this.#fail(port, error)
    }
  }

  #fail(port: Port, error: unknown) {
    const { figures, log } = this.#parts
    figures.dropped(port, 'mistake')
    log.error({ err: error }, 'a RADIUS packet could not be dealt with and is dropped')
  }

  #hearAccounting(datagram: Buffer, from: RemoteInfo, socket: Socket) {
    const { figures, ingest, gateways, refused, clock } = this.#parts
    const believed = this.#believe('acct', datagram, from)
    if (!believed) return
    const { gateway, packet } = believed
    if (packet.code === codes.status_server) return this.#hearStatus('acct', { packet, secret: gateway.secret }, from, socket)
    const received_at = clock.now().getTime()
    const key = `${from.port}/${packet.identifier}/${gateway.address_id}/${packet.bytes.toString('latin1', 4, 20)}`
    if (this.#pending.has(key)) return figures.effect('retransmitted') // the answer to the first is on its way
    const answer = () => this.#send('acct', socket, from, encodeReply(packet, codes.accounting_response, {}, gateway.secret))
    if (this.#isKnown(key)) {
      figures.effect('retransmitted')
      return answer()
    }
    const record = readAccounting(packet)
    if (record === 'unknown Acct-Status-Type') {
      // Of tunnels, of a vendor's own: nothing is lost, and who gets no answer sends it again for ever, or takes the server to be down.
      gateways.received(gateway, received_at)
      figures.effect('ignored')
      return answer()
    }
    if (typeof record === 'string') {
      refused.add(plainAddress(from.address), 'malformed', received_at)
      return figures.dropped('acct', record)
    }
    gateways.received(gateway, received_at)
    const reading = readingOf(record, gateway, received_at)
    const added = ingest.add(reading, (stored) => {
      this.#pending.delete(key)
      if (!stored) return
      if (!isOfSession(reading) || !reading.is_timed) this.#remember(key)
      answer()
    })
    if (added) this.#pending.add(key)
    else figures.dropped('acct', 'too much is waiting')
  }

  #hearAccess(datagram: Buffer, from: RemoteInfo, socket: Socket) {
    const { figures, admission, gateways, clock } = this.#parts
    const believed = this.#believe('auth', datagram, from)
    if (!believed) return
    const { gateway, packet } = believed
    if (packet.code === codes.status_server) return this.#hearStatus('auth', { packet, secret: gateway.secret }, from, socket)
    gateways.received(gateway, clock.now().getTime())
    const reply = (answer: Answer | null) => {
      if (!answer) return figures.dropped('auth', 'database away')
      figures.access(answer.cause)
      const [code, attributes] = answer.accept
        ? ([codes.access_accept, { session_timeout: answer.session_seconds, acct_interim_interval: answer.interim_seconds }] as const)
        : ([codes.access_reject, { reply_message: fitAttribute(answer.words) }] as const)
      this.#send('auth', socket, from, encodeReply(packet, code, attributes, gateway.secret))
    }
    if (hasEap(packet)) return reply({ accept: false, cause: 'eap', words: 'EAP is not spoken here' })
    const request = accessRequestOf(readRequest(packet), gateway.name)
    const asked = admission.ask(request, (answer) => this.#alone('auth', () => reply(answer)))
    if (!asked) figures.dropped('auth', 'too much is waiting')
  }

  /** RFC 5997: whether requests would be answered now. A proxy that fell back on another server comes back by it. */
  #hearStatus(port: Port, { packet, secret }: Status, from: RemoteInfo, socket: Socket) {
    const { figures, proof } = this.#parts
    const reply = (isGood: boolean) => {
      if (!isGood) return figures.dropped(port, 'database away')
      figures.status(port)
      const code = port === 'auth' ? codes.access_accept : codes.accounting_response
      this.#send(port, socket, from, encodeReply(packet, code, {}, secret))
    }
    proof
      .isGood()
      .then(reply)
      .catch((error: unknown) => this.#fail(port, error))
  }

  /** The Status-Server of who looks at this installation, whichever address it is from. */
  #ownStatus(datagram: Buffer): Status | null {
    const secret = this.#parts.statusSecret
    if (datagram[0] !== codes.status_server || secret === null) return null
    const packet = decode(datagram)
    return typeof packet !== 'string' && requestFault(packet, secret) === null ? { packet, secret } : null
  }

  /** One reply that cannot go out, as to port 0, must not hold up the others. */
  #send(port: Port, socket: Socket, from: RemoteInfo, reply: Buffer) {
    try {
      socket.send(reply, from.port, from.address)
    } catch {
      this.#parts.figures.dropped(port, 'no way back')
    }
  }

  /** The packet and its gateway, when it is a request of this port's kind from a gateway we know that knows its secret. */
  #believe(port: Port, datagram: Buffer, from: RemoteInfo): Believed | null {
    const { figures, gateways, refused, clock } = this.#parts
    const address = plainAddress(from.address)
    const refuse = (kind: RefusedKind, cause: string) => {
      refused.add(address, kind, clock.now().getTime())
      figures.dropped(port, cause)
      return null
    }
    const gateway = gateways.byAddress(address)
    if (!gateway) return refuse('unknown_address', 'unknown gateway')
    const packet = decode(datagram)
    if (typeof packet === 'string') return refuse('malformed', packet)
    const asks = port === 'auth' ? codes.access_request : codes.accounting_request
    if (packet.code !== asks && packet.code !== codes.status_server) return refuse('malformed', 'unexpected code')
    const fault = requestFault(packet, gateway.secret)
    if (fault === null) return { gateway, packet }
    const isForgiven = gateway.legacy && packet.code === codes.access_request && !hasEap(packet)
    if (fault === 'no Message-Authenticator' && isForgiven) {
      this.#warn(gateway)
      return { gateway, packet }
    }
    return refuse(fault === 'wrong authenticator' ? 'wrong_secret' : 'message_authenticator', fault)
  }

  /** Once an hour for each legacy address. */
  #warn(gateway: Gateway) {
    const now = this.#parts.clock.now().getTime()
    if (now - (this.#warned.get(gateway.address_id) ?? -hour) < hour) return
    this.#warned.set(gateway.address_id, now)
    this.#parts.log.warn(
      { gateway: gateway.name, address: gateway.address },
      'a legacy gateway sends Access-Requests without Message-Authenticator, which can be forged (CVE-2024-3596)'
    )
  }

  #remember(key: string) {
    this.#forgetOld()
    this.#known.add(key)
  }

  #isKnown(key: string): boolean {
    this.#forgetOld()
    return this.#known.has(key) || this.#knownBefore.has(key)
  }

  /** All of a time at once: to take the oldest one from a large map is slow, as V8 passes those that were taken before it each time. */
  #forgetOld() {
    const age = this.#parts.clock.now().getTime() - this.#knownSince
    if (age < knownFor && this.#known.size < mostKnown / 2) return
    this.#knownBefore = age < 2 * knownFor ? this.#known : new Set()
    this.#known = new Set()
    this.#knownSince += age
  }
}

/** RFC 3579 §2.2: who does not speak EAP refuses it. An Accept would say that the device proved who it is. */
const hasEap = (packet: Packet) => find(packet, dictionary.eap_message) !== null

const longestText = 253 // octets: RFC 2865 §5

/** As much of the words as an attribute holds, in whole letters. */
function fitAttribute(words: string): string {
  const fitting = [...words].slice(0, longestText)
  while (Buffer.byteLength(fitting.join('')) > longestText) fitting.pop()
  return fitting.join('')
}

/** What arrives while a batch is worked on must wait in the kernel. Systems cap it; then we have what they allow. */
function growBuffer(socket: Socket) {
  for (let size = receiveBuffer; size >= 256 * 1024; size /= 2) {
    try {
      return socket.setRecvBufferSize(size)
    } catch {
      // smaller, then
    }
  }
}
