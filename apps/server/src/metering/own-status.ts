import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { encodeRequest, replyFault } from '@masthead/radius/authenticator'
import { codes, decode } from '@masthead/radius/packet'
import type { WriteDb } from '../kernel/app.ts'
import { decryptSigningKey, getSigningKey } from '../kernel/secrets/signing-key.ts'
import type { Keyed } from '../kernel/secrets/secret-keys.ts'

/** The secret with which an installation asks its own meters whether they answer: no gateway has it, and no address has to be one. */
export const ownStatusKey = 'meter_status'
export const getOwnStatusSecret = (db: WriteDb): Promise<Buffer> => getSigningKey(db, ownStatusKey)
export const readOwnStatusSecret = (keys: Keyed, kept: Buffer): Buffer =>
  Buffer.from(decryptSigningKey(keys, ownStatusKey, kept), 'base64url')

const tries = 3
const patience = 1000 // ms, of each

/** Why there is no answer to a Status-Server (RFC 5997), in words that follow the port; null when there is one. */
export function whyNoStatus({ host, port, secret }: { host: string; port: number; secret: Buffer }): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const request = encodeRequest({ code: codes.status_server, identifier: 0, attributes: { nas_identifier: 'masthead doctor' } }, secret)
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  socket.on('error', ({ message }) => resolve(/ECONNREFUSED/.test(message) ? 'nothing listens' : message))
  socket.on('message', (datagram) => {
    const reply = decode(datagram)
    if (typeof reply !== 'string' && !replyFault(reply, request.subarray(4, 20), secret, codes.status_server)) resolve(null)
  })
  let left = tries
  const ask = () => (left-- > 0 ? socket.send(request) : resolve(`no answer in ${(tries * patience) / 1000} s`))
  let timer: NodeJS.Timeout | undefined
  socket.connect(port, host, (error?: Error) => {
    if (error) resolve(error.message)
    else {
      ask()
      timer = setInterval(ask, patience)
    }
  })
  return promise.finally(() => {
    clearInterval(timer)
    socket.close()
  })
}
