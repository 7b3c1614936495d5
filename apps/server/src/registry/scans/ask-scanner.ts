import type { Scanner } from '../../kernel/scanner-settings.ts'
import { objectOf } from '../attached/read-signed.ts'
import { textOf } from './plain-values.ts'
import { ScanFailed } from './scan-failed.ts'

const answerWithin = 20_000 // ms
const mebibyte = 1024 * 1024

export type Asking = { signal?: AbortSignal | undefined; within?: number | undefined }
type Asked = {
  method?: 'GET' | 'POST'
  accept: string
  /** With its type. */
  body?: { type: string; value: object }
  /** MiB. */
  most: number
}
type Answered = { status: number; type: string; headers: Headers; text: string }

/** A type of the interface without what does not tell it from another: `Application/x; version=1.0`, `application/x;version=1.0`. */
export const plainType = (type: string): string => type.toLowerCase().replaceAll(/[\s"]/g, '')

/** Asks the scanner at a path below `/api/v1`. Follows no redirect: by one it says that it is not done. Throws ScanFailed. */
export async function askScanner(
  { url, authorization }: Scanner,
  path: string,
  { method = 'GET', accept, body, most }: Asked,
  { signal, within = answerWithin }: Asking
): Promise<Answered> {
  const late = AbortSignal.timeout(within)
  try {
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late]) : late,
      headers: { accept, 'user-agent': 'Masthead', ...(authorization && { authorization }), ...(body && { 'content-type': body.type }) },
      ...(body && { body: JSON.stringify(body.value) }),
    })
    const { status, headers } = answer
    return { status, headers, type: plainType(headers.get('content-type') ?? ''), text: await readAll(answer, most) }
  } catch (error) {
    if (error instanceof ScanFailed || signal?.aborted) throw error
    throw new ScanFailed('away', late.aborted ? `The scanner did not answer within ${within / 1000} s` : wordsOf(error as Error), error)
  }
}

async function readAll(answer: Response, most: number): Promise<string> {
  if (!answer.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > most * mebibyte) throw new ScanFailed('for_good', `The scanner’s answer is larger than ${most} MiB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const codes: Record<string, string> = {
  ECONNREFUSED: 'The scanner refuses the connection',
  ECONNRESET: 'The scanner cut the connection before its answer was whole',
  ENOTFOUND: 'There is no host of the scanner’s name',
  EAI_AGAIN: 'The name of the scanner’s host could not be looked up',
  EHOSTUNREACH: 'The scanner’s host cannot be reached',
  ENETUNREACH: 'The network of the scanner’s host cannot be reached',
  CERT_HAS_EXPIRED: 'The scanner’s certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The scanner’s certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The scanner’s certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The scanner’s certificate is signed by an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The scanner’s certificate is for another name',
  UND_ERR_SOCKET: 'The scanner cut the connection before its answer was whole',
}

function wordsOf(error: Error): string {
  const cause = (error.cause ?? error) as NodeJS.ErrnoException
  const [first] = cause instanceof AggregateError ? (cause.errors as NodeJS.ErrnoException[]) : [cause]
  return codes[first?.code ?? ''] ?? `The scanner gave no answer: ${(first ?? error).message}`.slice(0, 200)
}

/** JSON of an object. Throws ScanFailed. */
export function parseObject(text: string, what: string, kind: ScanFailed['kind'] = 'for_good'): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // said below
  }
  throw new ScanFailed(kind, `${what} of the scanner is no JSON object`)
}

/** What an answer that was not hoped for says. */
export function failureOf({ status, text }: Answered, what: string): ScanFailed {
  let said = ''
  try {
    said = textOf(objectOf(objectOf(JSON.parse(text)).error).message, 200)
  } catch {
    // It has no words.
  }
  const words = `${what} (${status}${said ? `: ${said}` : ''})`
  if (status === 401 || status === 403) return new ScanFailed('failed', `The scanner does not accept SCANNER_AUTHORIZATION (${status})`)
  if (status === 429 || (status >= 502 && status <= 504)) return new ScanFailed('away', words)
  return new ScanFailed([400, 422, 501].includes(status) ? 'for_good' : 'failed', words)
}
