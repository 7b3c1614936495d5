import { createSocket } from 'node:dgram'
import type { RemoteInfo, Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { encodeRequest, replyFault } from '@masthead/radius/authenticator'
import type { Attributes } from '@masthead/radius/dictionary'
import { codes, decode } from '@masthead/radius/packet'
import type { Packet } from '@masthead/radius/packet'
import type { Agenda, Appointment } from './agenda.ts'
import type { Random } from './random.ts'

// RFC 5080 §2.2.1, in milliseconds.
const firstWait = 2000
const longestWait = 16_000
const patience = 30_000

/** Identifiers are one octet, so a source port has room for 256 requests to each port of the server. */
const mostLanes = 16

type Kind = 'auth' | 'acct'
type Pending = {
  bytes: Buffer
  since: number
  wait: number
  sends: number
  timer: Appointment | null
  settle: (reply: Packet | null) => void
}
type Lane = { socket: Socket; slots: Record<Kind, (Pending | undefined)[]>; next: number; used: Record<Kind, number> }
type Waiting = { kind: Kind; attributes: Attributes; settle: (reply: Packet | null) => void }

export type ExchangeCounts = { requests: number; retransmits: number; answered: number; given_up: number; refused_replies: number }

export type Exchange = {
  /** Sends a request until it is answered. Null when nobody answered for 30 s, or the exchange was closed. */
  request(kind: Kind, attributes: Attributes): Promise<Packet | null>
  counts: Readonly<ExchangeCounts>
  inFlight(): number
  isOpen(): boolean
  close(): void
}

export type ExchangeOptions = {
  address: string
  server: { host: string; auth_port: number; acct_port: number }
  secret: Buffer
  agenda: Agenda
  random: Random
}

/** One gateway's requests to the server. Rejects when its address cannot be bound. */
export async function openExchange({ address, server, secret, agenda, random }: ExchangeOptions): Promise<Exchange> {
  const type = isIPv6(address) ? 'udp6' : 'udp4'
  const { address: host } = await lookup(server.host, type === 'udp6' ? 6 : 4)
  const ports = { auth: server.auth_port, acct: server.acct_port }
  const counts: ExchangeCounts = { requests: 0, retransmits: 0, answered: 0, given_up: 0, refused_replies: 0 }
  const lanes: Lane[] = []
  const waiting: Waiting[] = []
  let closed = false

  function openLane(): Lane {
    const socket = createSocket(type)
    const lane: Lane = { socket, slots: { auth: [], acct: [] }, next: 0, used: { auth: 0, acct: 0 } }
    socket.on('message', (bytes, from) => receive(lane, bytes, from))
    socket.bind(0, address)
    lanes.push(lane)
    return lane
  }

  function receive(lane: Lane, bytes: Buffer, from: RemoteInfo) {
    const kind: Kind = from.port === ports.auth ? 'auth' : 'acct'
    const reply = from.port === ports[kind] && from.address === host ? decode(bytes) : 'from a stranger'
    const pending = typeof reply === 'string' ? undefined : lane.slots[kind][reply.identifier]
    if (typeof reply === 'string' || !pending || !answers[kind](reply) || replyFault(reply, pending.bytes.subarray(4, 20), secret)) {
      counts.refused_replies++ // among them the second answer to a request sent twice
      return
    }
    counts.answered++
    settle(lane, kind, reply.identifier, reply)
  }

  function settle(lane: Lane, kind: Kind, identifier: number, reply: Packet | null) {
    const pending = lane.slots[kind][identifier]!
    lane.slots[kind][identifier] = undefined
    lane.used[kind]--
    pending.timer?.cancel()
    pending.settle(reply)
    const next = closed ? undefined : waiting.find((one) => one.kind === kind)
    if (!next) return
    waiting.splice(waiting.indexOf(next), 1)
    begin(lane, next)
  }

  function begin(lane: Lane, { kind, attributes, settle: done }: Waiting) {
    while (lane.slots[kind][lane.next]) lane.next = (lane.next + 1) % 256
    const identifier = lane.next
    lane.next = (lane.next + 1) % 256
    const code = kind === 'auth' ? codes.access_request : codes.accounting_request
    const bytes = encodeRequest({ code, identifier, attributes, message_authenticator: kind === 'auth' }, secret)
    const pending: Pending = { bytes, since: agenda.now(), wait: 0, sends: 0, timer: null, settle: done }
    lane.slots[kind][identifier] = pending
    lane.used[kind]++
    counts.requests++
    send(lane, kind, identifier)
  }

  /** Sends what is pending, the same octets each time, and looks after it again later. */
  function send(lane: Lane, kind: Kind, identifier: number) {
    const pending = lane.slots[kind][identifier]!
    if (agenda.now() - pending.since >= patience) {
      counts.given_up++
      settle(lane, kind, identifier, null)
      return
    }
    if (pending.sends++ > 0) counts.retransmits++
    lane.socket.send(pending.bytes, ports[kind], host, ignoreError)
    const base = pending.wait === 0 ? firstWait : Math.min(pending.wait * 2, longestWait)
    pending.wait = base * random.between(0.9, 1.1)
    const wait = Math.min(pending.wait, pending.since + patience - agenda.now())
    pending.timer = agenda.in(wait, () => send(lane, kind, identifier))
  }

  const { socket: first } = openLane()
  await once(first, 'listening')
  first.on('error', ignoreError)

  return {
    counts,
    request(kind, attributes) {
      if (closed) return Promise.resolve(null)
      return new Promise((resolve) => {
        const request = { kind, attributes, settle: resolve }
        let lane = lanes.find(({ used }) => used[kind] < 256)
        if (!lane && lanes.length < mostLanes) {
          lane = openLane()
          lane.socket.on('error', ignoreError)
        }
        if (lane) begin(lane, request)
        else waiting.push(request)
      })
    },
    inFlight: () => lanes.reduce((sum, { used }) => sum + used.auth + used.acct, waiting.length),
    isOpen: () => !closed,
    close() {
      if (closed) return
      closed = true
      for (const { settle: done } of waiting.splice(0)) done(null)
      for (const lane of lanes) {
        for (const kind of ['auth', 'acct'] as const) {
          lane.slots[kind].forEach((pending, identifier) => pending && settle(lane, kind, identifier, null))
        }
        lane.socket.close()
      }
    },
  }
}

const answers: Record<Kind, (reply: Packet) => boolean> = {
  auth: ({ code }) => code === codes.access_accept || code === codes.access_reject,
  acct: ({ code }) => code === codes.accounting_response,
}

// A datagram that cannot be sent is one that was lost: it will be sent again.
const ignoreError = () => {}
