import { createSocket } from 'node:dgram'
import type { RemoteInfo, Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { encodeReply, requestFault } from '@masthead/radius/authenticator'
import { dictionary } from '@masthead/radius/dictionary'
import { codes, decode, find } from '@masthead/radius/packet'
import type { Packet } from '@masthead/radius/packet'
import { readRequest } from '@masthead/radius/records'
import type { Session } from './session.ts'

/** What to answer, and what to do once that is sent. */
export type Decision = { ack: boolean; error_cause?: number; act?: () => void }

/** What to do about a Disconnect- or CoA-Request (RFC 5176 §3): all the keys it gives must fit exactly one session. */
export const decideWith =
  (gateway: { name: string; address: string }, sessions: ReadonlyMap<string, Session>) =>
  (packet: Packet): Decision => {
    const asked = readRequest(packet)
    if ((asked.nas_identifier ?? gateway.name) !== gateway.name || (asked.nas_ip ?? gateway.address) !== gateway.address) {
      return { ack: false, error_cause: 403 }
    }
    const { session_id, imsi, framed_ip, called_station_id: apn } = asked
    if (session_id === null && imsi === null && framed_ip === null) return { ack: false, error_cause: 402 }
    const fits = ({ id, device, framed_ip: ip }: Session) =>
      (session_id ?? id) === id && (imsi ?? device.imsi) === device.imsi && (framed_ip ?? ip) === ip && (apn ?? device.apn) === device.apn
    const candidates = session_id === null ? [...sessions.values()] : [sessions.get(session_id)]
    const [session, another] = candidates.filter((candidate) => candidate !== undefined && fits(candidate))
    if (!session) return { ack: false, error_cause: 503 }
    if (another) return { ack: false, error_cause: 508 }
    if (packet.code === codes.disconnect_request) return { ack: true, act: session.cut }
    const interim_interval = find(packet, dictionary.acct_interim_interval)
    if (interim_interval === null) return { ack: false, error_cause: 401 }
    return { ack: true, act: () => void (session.interim_interval = interim_interval) }
  }

const rememberedReplies = 256

/** Answers dynamic authorisation requests. One sent twice gets the same answer twice, and is done once. */
export async function listenForCuts(address: string, port: number, secret: Buffer, decide: (packet: Packet) => Decision): Promise<Socket> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  const replies = new Map<string, Buffer>()
  socket.on('message', (bytes, from: RemoteInfo) => {
    const packet = decode(bytes)
    if (typeof packet === 'string' || (packet.code !== codes.disconnect_request && packet.code !== codes.coa_request)) return
    if (requestFault(packet, secret)) return
    const key = `${from.address} ${from.port} ${packet.identifier} ${packet.authenticator.toString('hex')}`
    const before = replies.get(key)
    if (before) return socket.send(before, from.port, from.address)
    const { ack, error_cause, act } = decide(packet)
    const [yes, no] = packet.code === codes.coa_request ? [codes.coa_ack, codes.coa_nak] : [codes.disconnect_ack, codes.disconnect_nak]
    const reply = encodeReply(packet, ack ? yes : no, error_cause === undefined ? {} : { error_cause }, secret)
    replies.set(key, reply)
    if (replies.size > rememberedReplies) replies.delete(replies.keys().next().value!)
    socket.send(reply, from.port, from.address)
    act?.()
  })
  socket.bind(port, address)
  await once(socket, 'listening')
  socket.on('error', () => {})
  return socket
}
