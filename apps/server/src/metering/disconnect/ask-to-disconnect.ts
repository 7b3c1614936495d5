import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv4, isIPv6 } from 'node:net'
import { encodeRequest, replyFault } from '@masthead/radius/authenticator'
import { type Attributes, dictionary } from '@masthead/radius/dictionary'
import { type Packet, codes, decode, find } from '@masthead/radius/packet'
import { errorCauses, wordFor } from '@masthead/radius/words'
import type { App } from '../../kernel/app.ts'
import { perApp } from '../../kernel/per-app.ts'

/** Milliseconds to wait for an answer after each send of the same request. */
export const usualWaits: readonly number[] = [1000, 1500, 2000]

/** For so many milliseconds after an address left all sends of a request unanswered, others are sent there once and waited for as briefly. */
const silentFor = 30_000
const waitsOfSilent: readonly number[] = [300]
const silentSince = perApp(() => new Map<string, number>())

/** Asks, and remembers for a while that nothing answers there: of thousands of sessions each would keep its place for seconds. */
export async function askToDisconnect(app: App, ask: Ask): Promise<DisconnectAnswer> {
  const silent = silentSince(app)
  const { address, port } = ask.gateway
  const key = `${address} ${port}`
  const isSilent = Math.abs(app.clock.now().getTime() - (silent.get(key) ?? -Infinity)) < silentFor
  const answer = await sendByName(isSilent ? { ...ask, waits: waitsOfSilent } : ask)
  if (answer.answer !== 'timeout') silent.delete(key)
  else if (!isSilent) silent.set(key, app.clock.now().getTime())
  return answer
}

export type DisconnectAnswer = { answer: 'ack' | 'nak' | 'gone' | 'timeout'; words: string; sends: number }

export type Ask = {
  gateway: { address: string; port: number; secret: string }
  /** `nas` and `heard_from` as `data_session` keeps them. */
  session: { acct_session_id: string; nas: string; heard_from: string | null; imsi: string | null }
  at: Date
  waits?: readonly number[]
}

/**
 * How to call the gateway, first as is likelier: every name that a request says must be one of its own (RFC 5176 §3). A session's key does not say
 * whether its name of the gateway is a NAS-Identifier, a NAS-IP-Address, a NAS-IPv6-Address or, where the gateway said none of these, its source address.
 */
function namesOf({ nas, heard_from }: Ask['session']): readonly Attributes[] {
  const other: Attributes = nas === heard_from ? {} : { nas_identifier: nas }
  if (isIPv4(nas)) return [{ nas_ip: nas }, other]
  if (!isIPv6(nas)) return [other]
  return nas === heard_from ? [other, { nas_ipv6: nas }] : [{ nas_ipv6: nas }, other]
}

const otherName = 403

/** Asks by another name where the gateway says that the first is not its own. */
async function sendByName(ask: Ask): Promise<DisconnectAnswer> {
  const [name, other] = namesOf(ask.session)
  const { cause, ...answer } = await sendTo(ask, name!)
  if (cause !== otherName || !other) return answer
  const { cause: _, ...second } = await sendTo(ask, other)
  return { ...second, sends: answer.sends + second.sends }
}

/** Asks a gateway to end a session (RFC 5176 Disconnect-Request). Resolves with its answer, or `timeout`. Rejects where nothing can be signed. */
async function sendTo(
  { gateway, session, at, waits = usualWaits }: Ask,
  name: Attributes
): Promise<DisconnectAnswer & { cause: number | null }> {
  const secret = Buffer.from(gateway.secret)
  const { acct_session_id, imsi } = session
  const request = encodeRequest(
    {
      code: codes.disconnect_request,
      identifier: randomInt(256),
      attributes: {
        ...name,
        acct_session_id,
        ...(imsi && { imsi }),
        event_timestamp: Math.floor(at.getTime() / 1000),
      },
    },
    secret
  )
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(gateway.address) ? 'udp6' : 'udp4')
    let sends = 0
    let timer: NodeJS.Timeout | undefined
    const end: End = (answer, words, cause = null) => {
      clearTimeout(timer)
      socket.close()
      resolve({ answer, words, sends, cause })
    }
    const send = () => {
      const wait = waits[sends]
      if (wait === undefined) return end('timeout', `No answer from ${gateway.address}:${gateway.port}`)
      sends++
      socket.send(request, gateway.port, gateway.address, () => {}) // what cannot be sent is like what was lost
      timer = setTimeout(send, wait)
    }
    socket.on('error', () => {})
    socket.on('message', (datagram) => {
      const reply = decode(datagram)
      if (typeof reply === 'string' || reply.identifier !== request[1] || replyFault(reply, request.subarray(4, 20), secret)) return
      if (reply.code === codes.disconnect_ack) end('ack', 'Confirmed by the gateway')
      else if (reply.code === codes.disconnect_nak) refused(reply, end)
    })
    send()
  })
}

type End = (answer: DisconnectAnswer['answer'], words: string, cause?: number | null) => void

function refused(reply: Packet, end: End) {
  const cause = find(reply, dictionary.error_cause)
  if (cause === 503) end('gone', 'The gateway no longer knows the session')
  else end('nak', cause === null ? 'Refused without a reason' : `${sentence(wordFor(errorCauses, cause, 'error cause'))} (${cause})`, cause)
}

const sentence = (words: string) => words[0]!.toUpperCase() + words.slice(1).replace(/ \(\d+\)$/, '')
