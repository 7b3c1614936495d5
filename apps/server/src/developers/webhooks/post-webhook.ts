import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { hostOf, isPublicAddress, lookupPublic, PrivateAddress } from './public-address.ts'

const answerWithin = 15_000 // ms, from the first packet to the last byte that is read
const replyBytes = 1000

export type Posted = { status: number | null; duration_ms: number; words: string | null; reply: string }
type Post = { url: string; headers: Record<string, string>; body: string; allowPrivate: boolean; signal?: AbortSignal; within?: number }

/** Posts JSON and waits for an answer, 15 s at most. Follows no redirect; a failure is an answer like any other, in words. */
export async function postWebhook({ url, headers, body, allowPrivate, signal, within = answerWithin }: Post): Promise<Posted> {
  const started = performance.now()
  const late = AbortSignal.timeout(within)
  const took = () => Math.round(performance.now() - started)
  try {
    const target = new URL(url)
    const host = hostOf(target)
    // A host that is an address itself is never looked up.
    if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddress(host)
    const { status, reply } = await exchange(target, {
      headers,
      body,
      allowPrivate,
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    return { status, duration_ms: took(), words: wordsOfStatus(status), reply }
  } catch (error) {
    if (signal?.aborted) throw error
    const words = late.aborted ? `No answer within ${within / 1000} s` : wordsOfError(error as NodeJS.ErrnoException)
    return { status: null, duration_ms: took(), words, reply: '' }
  }
}

type Exchange = { headers: Record<string, string>; body: string; allowPrivate: boolean; signal: AbortSignal }

const exchange = (target: URL, { headers, body, allowPrivate, signal }: Exchange) =>
  new Promise<{ status: number; reply: string }>((resolve, reject) => {
    const bytes = Buffer.from(body)
    const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, {
      method: 'POST',
      // A connection of its own, looked up anew: nothing kept open can be reused past the check.
      agent: false,
      ...(!allowPrivate && { lookup: lookupPublic as never }),
      signal,
      maxHeaderSize: 16_384,
      headers: {
        'content-type': 'application/json',
        'content-length': bytes.length,
        'user-agent': 'Masthead-Webhooks/1',
        accept: '*/*',
        ...headers,
      },
    })
    request.on('error', reject)
    // Node ends such an answer without an error, and a try that nothing ends would keep its place for ever.
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      resolve({ status: statusCode!, reply: '' })
    })
    request.on('response', (response) => {
      firstBytes(response).then((reply) => {
        resolve({ status: response.statusCode!, reply })
        request.destroy()
      }, reject)
    })
    request.end(bytes)
  })

/** The beginning of an answer as text; the rest is not waited for. */
async function firstBytes(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece)
    length += piece.length
    if (length >= replyBytes) break
  }
  const text = Buffer.concat(pieces).subarray(0, replyBytes).toString('utf8')
  // What a text of PostgreSQL or a screen cannot show.
  return text.replaceAll(/(?![\t\n\r])[\p{Cc}\ufffd]/gu, '')
}

function wordsOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `Answered with a redirect (${status}), which is not followed`
  return `Answered with ${status}`
}

const wordsByCode: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was cut before an answer came',
  ENOTFOUND: 'There is no host of this name',
  EAI_AGAIN: 'The name of the host could not be looked up',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network of the host cannot be reached',
  CERT_HAS_EXPIRED: 'Its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is signed by an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name',
  HPE_HEADER_OVERFLOW: 'Its answer has too large headers',
}

function wordsOfError(error: NodeJS.ErrnoException): string {
  if (error instanceof PrivateAddress) return `${error.message}, where webhooks may not go`
  const [first] = error instanceof AggregateError ? (error.errors as NodeJS.ErrnoException[]) : [error]
  return wordsByCode[first?.code ?? ''] ?? `No answer: ${(first ?? error).message}`.slice(0, 200)
}
