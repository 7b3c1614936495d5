import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { encodeReply, requestFault } from '@masthead/radius/authenticator'
import type { Attributes } from '@masthead/radius/dictionary'
import { codes, decode } from '@masthead/radius/packet'
import type { Packet } from '@masthead/radius/packet'
import { readRequest } from '@masthead/radius/records'
import type { RequestRecord } from '@masthead/radius/records'

export type Received = { packet: Packet; record: RequestRecord; port: number }
type Verdict = { code?: 2 | 3; attributes?: Attributes } | 'silence' | 'forgery'

/** A RADIUS server for tests: believes, remembers and answers everything, unless `decide` says otherwise. */
export async function openAnswerer(secretWords: string, decide: (received: Received, before: Received[]) => Verdict | void = () => {}) {
  const secret = Buffer.from(secretWords)
  const received: Received[] = []
  const faults: string[] = []
  const open = async () => {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 })
    socket.on('message', (bytes, from) => {
      const packet = decode(bytes)
      const fault = typeof packet === 'string' ? packet : requestFault(packet, secret)
      if (typeof packet === 'string' || fault) return void faults.push(fault ?? '')
      const one = { packet, record: readRequest(packet), port: from.port }
      const verdict = decide(one, received) ?? {}
      received.push(one)
      if (verdict === 'silence') return
      const { code = 2, attributes = {} } = verdict === 'forgery' ? {} : verdict
      const key = verdict === 'forgery' ? Buffer.from('another secret') : secret
      const reply = encodeReply(packet, packet.code === codes.access_request ? code : codes.accounting_response, attributes, key)
      socket.send(reply, from.port, from.address)
    })
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return socket
  }
  const [auth, acct] = [await open(), await open()]
  return {
    received,
    faults,
    secret,
    server: { host: '127.0.0.1', auth_port: auth.address().port, acct_port: acct.address().port },
    /** What was received of one sort: `start`, `interim`, `stop`, `on`, `off`, or `access`. */
    of: (sort: string) =>
      received.filter(({ packet, record }) => (packet.code === codes.access_request ? 'access' : record.status_type) === sort),
    close() {
      auth.close()
      acct.close()
    },
    [Symbol.dispose]() {
      this.close()
    },
  }
}

/** Lets the sockets work until something is so. The test's own time limit ends a vain wait. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn()
}
