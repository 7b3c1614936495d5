import type { Client } from 'aedes'
import type { WaitingBounds } from './pending-connections.ts'
import type { SignInBounds } from './sign-ins.ts'

/** Bounds of one connection. `rate`: packets a second, `burst`: so many at once. Sizes are bytes of a packet, the first one apart. */
type PacketBounds = { rate: number; burst: number; connectBytes: number; packetBytes: number }
/** `reportBytes`: of a report that is stored; a larger one is acknowledged and not stored, up to `packetBytes`. `connectWithin`: ms from the beginning of a connection to its CONNECT. `unacknowledged`: messages to a device that it may leave so. */
export type Bounds = PacketBounds & {
  reportBytes: number
  connectWithin: number
  waiting: WaitingBounds
  signIns: SignInBounds
  unacknowledged: number
}

export const usualBounds: Bounds = {
  rate: 50,
  burst: 500,
  connectBytes: 8 * 1024,
  packetBytes: 160 * 1024,
  reportBytes: 64 * 1024,
  connectWithin: 10_000,
  waiting: { ofAddress: 250, ofAll: 5000 },
  signIns: { most: 60, held: 5000 },
  unacknowledged: 1000,
}

type Parser = {
  packet: { length: number }
  _parseLength: () => boolean
  _emitError: (error: Error) => false
  prependListener: (event: 'packet', receive: () => void) => void
  on: (event: 'packet', receive: (packet: { cmd: string; messageId?: number }) => void) => void
}

export class TooMuch extends Error {
  readonly name = 'TooMuch'
  readonly why: 'rate' | 'size'
  constructor(why: 'rate' | 'size') {
    super(why === 'rate' ? 'too many packets' : 'packet too large')
    this.why = why
  }
}

/**
 * Ends a connection at the length that a packet announces, before its bytes are kept, and at the packet that is one too many. aedes has no such
 * bounds: its parser gathers up to 256 MB. What is replaced is private to mqtt-packet, which is pinned; broker-bounds.test.ts proves it. Answers with what
 * counts as a packet something that is none of MQTT.
 */
export function boundPackets(client: Client, { rate, burst, connectBytes, packetBytes }: PacketBounds): () => void {
  const parser = (client as unknown as { _parser: Parser })._parser
  const parseLength = parser._parseLength
  parser._parseLength = function () {
    if (!parseLength.call(this)) return false
    return this.packet.length <= (client.connected ? packetBytes : connectBytes) || this._emitError(new TooMuch('size'))
  }
  let [tokens, at] = [burst, performance.now()]
  const count = () => {
    if (--tokens >= 0 || client.closed) return
    const now = performance.now()
    tokens = Math.min(burst, tokens + ((now - at) / 1000) * rate)
    at = now
    if (tokens < 0) parser._emitError(new TooMuch('rate'))
  }
  parser.prependListener('packet', count)
  return count
}

/** Says the id of each message of QoS 1 that a client acknowledges: aedes says none of what it does not know. */
export function onAcknowledged(client: Client, receive: (id: number) => void): void {
  const parser = (client as unknown as { _parser: Parser })._parser
  parser.on('packet', ({ cmd, messageId }) => {
    if (cmd === 'puback' && messageId !== undefined) receive(messageId)
  })
}
