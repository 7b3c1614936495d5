import { hash } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { Operation } from '@masthead/contract/kernel/operation'

export const sessionCookie = 'masthead_session'
/** What a cookie's name begins with under TLS: a browser takes it from this host alone, over TLS, for every path (RFC 6265bis §4.1.3.2). */
export const hostPrefix = '__Host-'
/** What a sign-in that needs a second factor goes on with. */
export const stepCookie = 'masthead_step'

/** What a browser brought under a name; the one without the prefix, which releases before set under TLS too, holds for one more release. */
export const cookieOf = ({ cookies }: Pick<FastifyRequest, 'cookies'>, name: string): string | undefined =>
  cookies[hostPrefix + name] ?? cookies[name]

/** Only the hash of a secret is kept. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'buffer')

/** What a call that spends a secret came with; empty: nothing. */
export function presentedSecret(request: FastifyRequest, { spends }: Operation): string {
  if (spends === 'step') return cookieOf(request, stepCookie) ?? ''
  if (spends === 'session') return cookieOf(request, sessionCookie) ?? ''
  const { passkey } = (request.body ?? {}) as { passkey?: unknown }
  return typeof passkey === 'string' ? passkey : ''
}
