import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { whyNoConnection } from './trust.ts'

type Asked = {
  method?: string
  headers?: Record<string, string>
  body?: string
  waits: number
  most?: number
  onPart?: (received: number, total: number | null) => void
}
/** Bytes of an answer, unless said. */
const mostBytes = 5_000_000

/**
 * Asks the server by HTTP; answers what it answered, if that is well, and fails with its words otherwise. Not by `fetch`: that needs WebAssembly, which a
 * Node.js that saves memory does not have. An answer that leads elsewhere is not followed: the device's key is for the server alone.
 */
export function ask(url: string, { method = 'GET', headers = {}, body, waits, most = mostBytes, onPart }: Asked): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const request = (url.startsWith('https:') ? requestHttps : requestHttp)(
    url,
    { method, headers, agent: false, signal: AbortSignal.timeout(waits) },
    (answer) => {
      const pieces: Buffer[] = []
      let size = 0
      answer.on('data', (piece: Buffer) => {
        size += piece.length
        if (size > most) request.destroy(new Error(`What the server sent is larger than ${most} bytes`))
        else pieces.push(piece)
        onPart?.(size, Number(answer.headers['content-length']) || null)
      })
      answer.on('end', () =>
        Math.floor(answer.statusCode! / 100) === 2 ? resolve(Buffer.concat(pieces)) : reject(new Error(wordsOf(answer, pieces)))
      )
      answer.on('error', reject)
    }
  )
  request.on('error', (error) => reject(new Error(whyNoConnection(error))))
  request.end(body)
  return promise
}

function wordsOf({ statusCode, headers }: IncomingMessage, pieces: Buffer[]): string {
  if (headers.location) return `The server answered ${statusCode}: it is at ${headers.location}`
  try {
    const said = JSON.parse(Buffer.concat(pieces).toString()) as { message?: string }
    if (said.message) return said.message
  } catch {
    // It said nothing that we understand.
  }
  return `The server answered ${statusCode}`
}
