import type { Problem } from '@masthead/contract/kernel/problem'

/** The codes of the distribution specification, with the status of each; the last two are of what it says nothing of. */
const statuses = {
  BLOB_UNKNOWN: 404,
  BLOB_UPLOAD_INVALID: 400,
  BLOB_UPLOAD_UNKNOWN: 404,
  DIGEST_INVALID: 400,
  MANIFEST_BLOB_UNKNOWN: 404,
  MANIFEST_INVALID: 400,
  MANIFEST_UNKNOWN: 404,
  NAME_INVALID: 400,
  NAME_UNKNOWN: 404,
  SIZE_INVALID: 400,
  UNAUTHORIZED: 401,
  DENIED: 403,
  UNSUPPORTED: 405,
  TOOMANYREQUESTS: 429,
  UNAVAILABLE: 503,
  UNKNOWN: 500,
} as const
export type Code = keyof typeof statuses

type More = { status?: number; headers?: Record<string, string>; detail?: unknown; cause?: unknown }

/** Why a request of the registry's protocol is not done: a code for programs, words for people. */
export class Refusal extends Error {
  readonly name = 'Refusal'
  readonly code: Code
  readonly status: number
  readonly headers: Record<string, string>
  readonly detail: unknown

  constructor(code: Code, words: string, { status = statuses[code], headers = {}, detail, cause }: More = {}) {
    super(words, { cause })
    this.code = code
    this.status = status
    this.headers = headers
    this.detail = detail
  }
}

const byStatus: Record<number, Code> = {
  401: 'UNAUTHORIZED',
  403: 'DENIED',
  404: 'NAME_UNKNOWN',
  405: 'UNSUPPORTED',
  413: 'SIZE_INVALID',
  429: 'TOOMANYREQUESTS',
  503: 'UNAVAILABLE',
}

/** A problem of the house as the protocol says it. */
export function asRefusal(problem: Problem): Refusal {
  // The specification has no conflicts: what is protected, or needed, is not allowed.
  const status = problem.kind.status === 409 ? 403 : problem.kind.status
  const headers: Record<string, string> = problem.retryAfter ? { 'retry-after': String(Math.ceil(problem.retryAfter)) } : {}
  return new Refusal(byStatus[status] ?? (status < 500 ? 'UNSUPPORTED' : 'UNKNOWN'), problem.detail, { status, headers, cause: problem })
}

/** As the specification has it: `{ errors: [{ code, message, detail }] }`. */
export const onTheWire = ({ code, message, detail }: Refusal) => ({ errors: [{ code, message, ...(detail !== undefined && { detail }) }] })
