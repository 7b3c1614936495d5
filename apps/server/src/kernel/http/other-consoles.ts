import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

type Named = Pick<Config, 'consoleOrigins'>

/** What a console of ours sends beside what every page may (Fetch standard, "CORS-safelisted"), and what it reads of an answer. */
const sent = 'content-type, idempotency-key, x-backoffice-token'
const read = 'x-request-id, retry-after, content-disposition'

/** Whether a request comes from a console that is served elsewhere, from an origin that was named. */
export const fromOtherConsole = ({ consoleOrigins }: Named, { headers }: FastifyRequest) => consoleOrigins.includes(headers.origin ?? '')

/**
 * Lets consoles on other origins read our answers (CORS), with cookies; no other page can. Answers what the browser asks before a call, and
 * says so: nothing else is to be done then.
 */
export function admitOtherConsoles(config: Named, request: FastifyRequest, reply: FastifyReply): boolean {
  if (config.consoleOrigins.length === 0) return false
  // Also where it is another's: an answer kept on the way must not serve both.
  void reply.header('vary', 'Origin')
  if (!fromOtherConsole(config, request)) return false
  void reply.headers({
    'access-control-allow-origin': request.headers.origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': read,
  })
  const wanted = request.headers['access-control-request-method']
  if (request.method !== 'OPTIONS' || wanted === undefined) return false
  void reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': sent,
      'access-control-max-age': '7200',
    })
    .send()
  return true
}
