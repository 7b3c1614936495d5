/** One way a call can fail: a code for programs, words for people. Never 422 (spec §7), and 401 only for a missing session. */
export type ProblemKind = {
  readonly code: string
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 421 | 429 | 500 | 503
  readonly title: string
  /** Of calls for devices: the name by which programs for these devices know it (devices/error-names.ts). It is on the wire beside the code. */
  readonly error?: string
}

/** Declares a problem; operations list the ones they can answer with. */
export const problem = <const Kind extends ProblemKind>(kind: Kind): Kind => kind

export const invalidRequest = problem({
  code: 'invalid_request',
  status: 400,
  title: 'The request is not valid',
})
export const unauthenticated = problem({
  code: 'unauthenticated',
  status: 401,
  title: 'Sign in to continue',
})
export const forbidden = problem({
  code: 'forbidden',
  status: 403,
  title: 'You do not have permission to do this',
})
export const sessionNeeded = problem({
  code: 'session_needed',
  status: 403,
  title: 'An API key cannot do this: sign in to the console',
})
export const crossSite = problem({
  code: 'cross_site',
  status: 403,
  title: 'This request came from another site',
})
export const backofficeTokenNeeded = problem({
  code: 'backoffice_token_needed',
  status: 403,
  title: 'Confirm your staff access to continue',
})
export const viewOnly = problem({
  code: 'view_only',
  status: 403,
  title: 'You are looking at the account of a customer: nothing can be changed from here',
})
export const secondFactorDemanded = problem({
  code: 'second_factor_demanded',
  status: 403,
  title: 'This account requires a second factor. Set one up on the profile of your own account',
})
/** Of each call that changes something of an account which its owner has closed. */
export const accountClosed = problem({
  code: 'account_closed',
  status: 409,
  title: 'The account is closed. Its owner can reopen it on their profile',
})
export const notFound = problem({ code: 'not_found', status: 404, title: 'Not found' })
export const methodNotAllowed = problem({ code: 'method_not_allowed', status: 405, title: 'This address requires another method' })
/** Of the connection, not of a call: no operation declares it. */
export const tooSlow = problem({ code: 'too_slow', status: 408, title: 'The request came too slowly' })
/** Of the connection, too. */
export const hostUnknown = problem({ code: 'host_unknown', status: 421, title: 'Masthead does not answer at this address' })
export const idempotencyMismatch = problem({
  code: 'idempotency_key_reused',
  status: 409,
  title: 'This Idempotency-Key was used for another request',
})
export const tooLarge = problem({
  code: 'too_large',
  status: 413,
  title: 'The request is too large',
})
export const tooManyRequests = problem({
  code: 'too_many_requests',
  status: 429,
  title: 'Too many requests, try again in a moment',
})
export const internal = problem({
  code: 'internal',
  status: 500,
  title: 'Something went wrong on our side',
})
export const unavailable = problem({
  code: 'unavailable',
  status: 503,
  title: 'The service is not available right now, try again in a moment',
})

/** What an operation throws when it cannot do what was asked. */
export class Problem extends Error {
  readonly name = 'Problem'
  readonly kind: ProblemKind
  /** Words for this very case; the kind's title when there are none. */
  readonly detail: string
  /** Wrong fields of the body or query, in words, by dotted path. */
  readonly fields: Record<string, string> | undefined
  /** Seconds until a new try makes sense (429, 503). */
  readonly retryAfter: number | undefined

  constructor(kind: ProblemKind, detail?: string, more: { fields?: Record<string, string>; retryAfter?: number; cause?: unknown } = {}) {
    super(detail ?? kind.title, { cause: more.cause })
    this.kind = kind
    this.detail = detail ?? kind.title
    this.fields = more.fields
    this.retryAfter = more.retryAfter
  }
}
