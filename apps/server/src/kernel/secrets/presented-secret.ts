import { hash } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { Operation } from '@masthead/contract/kernel/operation'

export const sessionCookie = 'masthead_session'
/** What a sign-in that needs a second factor goes on with. */
export const stepCookie = 'masthead_step'

/** Only the hash of a secret is kept. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'buffer')

/** What a call that spends a secret came with; empty: nothing. */
export function presentedSecret({ cookies, body }: FastifyRequest, { spends }: Operation): string {
  if (spends === 'step') return cookies[stepCookie] ?? ''
  if (spends === 'session') return cookies[sessionCookie] ?? ''
  const { passkey } = (body ?? {}) as { passkey?: unknown }
  return typeof passkey === 'string' ? passkey : ''
}
