import { isNothing, isWrite, pathOf, sentTypes, type Input, type Operation, type Reply } from '@masthead/contract/kernel/operation'
import { isStaffPermission } from '@masthead/contract/kernel/permission'
import { forgetEarly, takeEarly } from './early.ts'
import { basePath } from './settings.ts'

/** Why a call failed: what the server said, or that it said nothing. `fields` are wrong fields in words, by dotted path. */
export type Failure = {
  status: number
  code: string
  title: string
  detail: string
  fields?: Record<string, string>
  request_id?: string
}
export type Result<T> = { ok: true; data: T } | { ok: false; failure: Failure }

/** The single API root, from the build configuration (spec §7); else ours, below the console's path. */
export const apiRoot = (import.meta.env.VITE_API_ROOT as string | undefined) || `${basePath}/v1`

// spec §7: a failed request with no response becomes status 500 with this text.
export const noResponse: Failure = {
  status: 500,
  code: 'INTERNAL_SERVER_ERROR',
  title: 'The server did not answer',
  detail: 'The server did not answer. Check your connection and try again.',
}

const laterWords: Record<number, string> = {
  429: 'Too many requests in a short time. Wait a moment, then try again.',
  502: 'The server cannot be reached at the moment. Try again in a minute.',
  503: 'The server is busy or starting again. Try again in a minute.',
  504: 'The server took too long to answer. Try again in a minute.',
}

// What stands between, a proxy or the sign-in of a network, answers in pages of its own.
const unreadable: Failure = {
  ...noResponse,
  title: 'The response could not be read',
  detail: 'The response could not be read. Reload the page, or try again later.',
}

/** What the shell does when an answer ends the session, and how calls learn of the backoffice. Set once by the shell. */
export const surroundings = {
  signedOut: () => {},
  backofficeRefused: () => {},
  backofficeToken: (): string | null => null,
  onBackofficeRoute: () => false,
  /** Takes the next write in place of the server: "copy as curl". */
  instead: null as ((op: Operation, input: unknown) => void) | null,
}

/** What a write that was taken so answers: nothing failed, and nothing was done. */
export const notSent: Failure = { status: 0, code: 'not_sent', title: 'Not sent', detail: 'Copied as curl. Nothing was changed.' }

const isBackofficeCall = (op: Pick<Operation, 'access' | 'path'>) =>
  isStaffPermission(op.access) || op.path.startsWith('/backoffice/') || surroundings.onBackofficeRoute()

/** `randomUUID` is there only over HTTPS or on this machine; a console in a house's own network may be neither. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** When a write of this tab was last done, in milliseconds: what one did oneself is shown at once. */
export const lastWrite = { at: 0 }

/** Writes that nobody knows the outcome of, by what was asked, with their keys: asked again soon they are the same writes. */
const unanswered = new Map<string, { key: string; until: number }>()
const soon = 120_000 // ms; later it may be meant anew

function keyOf(asked: string): string {
  const now = Date.now()
  for (const [known, { until }] of unanswered) if (until < now) unanswered.delete(known)
  return unanswered.get(asked)?.key ?? newKey()
}

type Loose = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }

/** The address of a call with its query, lists as repeated parameters: for links and downloads. */
export function urlOf<Op extends Operation>(op: Op, input: Input<Op>): string {
  const { params, query = {} } = input as Loose
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') search.append(key, String(one))
  return `${apiRoot}${pathOf(op, params)}${search.size ? `?${search}` : ''}`
}

/** Why an answer that is none failed. */
export async function failureOf(response: Response): Promise<Failure> {
  const said = ((await response.json().catch(() => null)) ?? {}) as Partial<Failure>
  const words = said.detail ?? said.title ?? laterWords[response.status] ?? (response.statusText || noResponse.title)
  return { code: 'unknown', title: words, ...said, status: response.status, detail: words }
}

/** What a failed answer does beside being returned (spec §7): 401, 422 or UNAUTHORIZED signs out, 403 in the backoffice leaves it. */
function followUp(op: Operation, response: Response) {
  if (response.status === 401 || response.status === 422 || response.statusText.toUpperCase() === 'UNAUTHORIZED') surroundings.signedOut()
  else if (response.status === 403 && isBackofficeCall(op)) surroundings.backofficeRefused()
}

/**
 * Calls an operation. Never throws: a failed call is an answer like any other. `key` makes a repeated write the same write; without one a write
 * whose answer was lost is known again by what it asks for.
 */
export async function call<Op extends Operation>(
  op: Op,
  input: Input<Op>,
  { signal, key }: { signal?: AbortSignal; key?: string } = {}
): Promise<Result<Reply<Op>>> {
  const { body } = input as Loose
  const { instead } = surroundings
  if (instead && isWrite(op)) {
    surroundings.instead = null
    instead(op, input)
    return { ok: false, failure: notSent }
  }
  const headers = new Headers({ accept: 'application/json' })
  if (body !== undefined) headers.set('Content-Type', sentTypes[op.takes])
  const token = isBackofficeCall(op) ? surroundings.backofficeToken() : null
  if (token) headers.set('X-Backoffice-Token', token)
  if (!isWrite(op)) return send(op, input, headers, signal)
  forgetEarly()
  // A file says nothing of what is in it.
  const asked = op.takes !== 'json' ? newKey() : JSON.stringify([op.name, input])
  const repeat = key ?? keyOf(asked)
  headers.set('Idempotency-Key', repeat)
  let result = await send(op, input, headers, signal)
  // Half a minute later nobody could ask with what was spent.
  if (op.spends && !result.ok && result.failure === noResponse) result = await send(op, input, headers, signal)
  if (result.ok) lastWrite.at = Date.now()
  if (!result.ok && result.failure.status >= 500) unanswered.set(asked, { key: repeat, until: Date.now() + soon })
  else unanswered.delete(asked)
  return result
}

async function send<Op extends Operation>(op: Op, input: Input<Op>, headers: Headers, signal?: AbortSignal): Promise<Result<Reply<Op>>> {
  const { body } = input as Loose
  try {
    const url = urlOf(op, input)
    const early = isWrite(op) ? undefined : takeEarly(url)
    const response = await (early ??
      fetch(url, {
        method: op.method,
        credentials: 'include',
        headers,
        ...(signal && { signal }),
        ...(body !== undefined && { body: op.takes !== 'json' ? (body as BodyInit) : JSON.stringify(body) }),
      }))
    if (!response.ok) {
      followUp(op, response)
      return { ok: false, failure: await failureOf(response) }
    }
    const text = await response.text()
    // Only a write may have nothing to say.
    if (text === '' && isWrite(op) && isNothing(op.reply)) return { ok: true, data: undefined as Reply<Op> }
    return { ok: true, data: JSON.parse(text) as Reply<Op> }
  } catch (error) {
    return { ok: false, failure: error instanceof SyntaxError ? unreadable : noResponse }
  }
}
