import { connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'

/** CONNECT of MQTT 5, which is refused by its version (MQTT 3.1.1 §3.1.2.2): whoever asks so does not sign in, and counts as no sign-in that failed. */
const connectOfFive = Buffer.from('100d00044d5154540502003c000000', 'hex')
const connack = 0x20
const patience = 4000 // ms

/** Whether a broker speaks MQTT at a port, with TLS or without, and the time of the certificate that it shows there, in ms since 1970. */
export type BrokerAnswer = { why: string } | { certificate: { from: number; to: number } | null }

/** Asks the broker at a port. `why`: words that follow the port. Never rejects. */
export function askBroker({ host, port, tls }: { host: string; port: number; tls: boolean }): Promise<BrokerAnswer> {
  const { promise, resolve } = Promise.withResolvers<BrokerAnswer>()
  // Whose it is, agents and devices decide: each knows other authorities.
  const socket: Socket = tls ? connectTls({ host, port, rejectUnauthorized: false }) : connect({ host, port })
  socket.setTimeout(patience, () => resolve({ why: `no answer in ${patience / 1000} s` }))
  socket.once('error', ({ message }) => resolve({ why: /ECONNREFUSED/.test(message) ? 'nothing listens' : message }))
  socket.once('close', () => resolve({ why: 'the connection was closed without an answer' }))
  socket.once(tls ? 'secureConnect' : 'connect', () => socket.write(connectOfFive))
  socket.once('data', (said: Buffer) =>
    resolve(said[0] === connack ? { certificate: tls ? timeOf(socket as TLSSocket) : null } : { why: 'what answers is another program' })
  )
  return promise.finally(() => socket.destroy())
}

function timeOf(socket: TLSSocket) {
  const { valid_from, valid_to } = socket.getPeerCertificate()
  return { from: Date.parse(valid_from), to: Date.parse(valid_to) }
}
