import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, App } from '../app.ts'

/** Whom the line of a request names. Ids alone: no address, no name, nothing of what was sent. */
type Asked = { person?: string; account?: string; key?: string; acts_as?: 'staff'; code?: string; signed_in?: boolean }

const asked = new WeakMap<FastifyRequest, Asked>()

const note = (request: FastifyRequest, said: Asked) => void asked.set(request, { ...asked.get(request), ...said })

/** Says who asked, also where they are refused right after. */
export const noteAsker = (
  request: FastifyRequest,
  { person_id, account_id, key, kind }: Pick<Actor, 'person_id' | 'account_id'> & Partial<Pick<Actor, 'key' | 'kind'>>
): void =>
  note(request, {
    ...(person_id && { person: person_id }),
    ...(account_id && { account: account_id }),
    ...(key && { key: key.id }),
    ...(kind === 'staff' && { acts_as: kind }),
  })

/** Whom a sign-in was for, right or wrong; nobody where the e-mail is nobody's. What was typed stays out of the log: it may be a password in the wrong field. */
export const noteSignIn = (request: FastifyRequest, person_id: string | undefined, signed_in = false): void =>
  note(request, { ...(person_id !== undefined && { person: person_id }), signed_in })

/** Says why it failed. */
export const noteFailure = (request: FastifyRequest, code: string): void => note(request, { code })

/** What a call was, for whoever looks after security. `signed_in`: false where it was tried. */
export type Outcome = { operation: string; status: number; code?: string; signed_in?: boolean }

/**
 * One line for each call: what was asked, by whom, from where, and how it ended. A sign-in by way of the provider is one, too. `meaning`: what it was to
 * security, and whether somebody should see it; undefined for the ordinary.
 */
export function logAnswer(
  { log, metrics }: App,
  request: FastifyRequest,
  reply: FastifyReply,
  meaning: (outcome: Outcome) => { security: string; unusual: boolean } | undefined
): void {
  const { signed_in, code, ...who } = asked.get(request) ?? {}
  const operation = request.routeOptions.config.operation ?? (signed_in === undefined && code === undefined ? undefined : 'none')
  if (!operation) return
  const { statusCode: status, elapsedTime } = reply
  if (operation !== 'none') metrics.requests.observe({ operation, status: String(status) }, elapsedTime / 1000)
  const meant = meaning({ operation, status, ...(code !== undefined && { code }), ...(signed_in !== undefined && { signed_in }) })
  const line = { request_id: request.id, operation, status, ms: Math.round(elapsedTime), ip: request.ip, ...who, ...(code && { code }) }
  log[meant?.unusual ? 'warn' : 'info']({ ...line, ...(meant && { security: meant.security }) }, 'answered')
}
