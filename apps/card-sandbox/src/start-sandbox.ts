import fastify, { type FastifyRequest } from 'fastify'
import { browserRoutes } from './browser-routes.ts'
import { customerRoutes } from './customer-routes.ts'
import { disputeRoutes } from './dispute-routes.ts'
import { Events, type Webhook } from './events.ts'
import { Intents } from './intents.ts'
import { intentRoutes } from './intent-routes.ts'
import { readForm } from './parameters.ts'
import { checkoutRoutes } from './checkout-routes.ts'
import { refundRoutes } from './refund-routes.ts'
import { Refusal } from './refusal.ts'
import type { Parts } from './parts.ts'
import { rememberAnswers } from './remember-answers.ts'
import { Store } from './store.ts'

export type Sandbox = { url: string; close: () => Promise<void> }
type Start = {
  host?: string
  port: number
  /** Where objects are kept; null: in memory alone. */
  file?: string | null
  secretKey: string
  publishableKey: string
  webhook?: Webhook | null
  now?: () => Date
}

/** Starts a server that speaks those parts of Stripe's API that Masthead uses, with test cards. Rejects when the port is taken. */
export async function startSandbox({
  host = '127.0.0.1',
  port,
  file = null,
  secretKey,
  publishableKey,
  webhook = null,
  now = () => new Date(),
}: Start): Promise<Sandbox> {
  const server = fastify({ bodyLimit: 100_000, forceCloseConnections: true })
  let url = ''
  const origin = () => url
  const store = new Store(file)
  const events = new Events({ store, webhook, now })
  const intents = new Intents({ store, events, now, origin })
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, readForm(String(body)))
  )
  server.setErrorHandler((error, _, reply) => {
    if (error instanceof Refusal) return reply.code(error.status).send({ error: error.error })
    const status = (error as { statusCode?: number }).statusCode ?? 500
    return reply.code(status).send({ error: { type: 'api_error', message: (error as Error).message } })
  })
  server.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .send({ error: { type: 'invalid_request_error', message: `Unrecognized request URL (${request.method}: ${request.url})` } })
  )
  // The console's pages ask for their intents themselves, from another origin.
  server.addHook('onRequest', async (request, reply) => {
    if (!ofBrowsers.test(request.url)) return
    reply.header('access-control-allow-origin', '*')
    if (request.method !== 'OPTIONS') return
    const allowed = { 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': 'authorization, content-type' }
    return reply.code(204).headers(allowed).send()
  })
  server.addHook('onRequest', async (request) => needKey(request, { secretKey, publishableKey }))
  rememberAnswers(server, store, now)
  const parts: Parts = { server, store, events, intents, now, origin }
  customerRoutes(parts)
  intentRoutes(parts)
  refundRoutes(parts)
  disputeRoutes(parts)
  checkoutRoutes(parts, publishableKey)
  browserRoutes(parts)
  await server.listen({ host, port })
  const address = server.server.address() as { port: number }
  url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${address.port}`
  return {
    url,
    close: async () => {
      events.close()
      await server.close()
    },
  }
}

const ofBrowsers = /^\/v1\/(setup|payment)_intents\/[^/?]+(\/confirm)?(\?|$)/

/** Calls of servers have the secret key; those of browsers the publishable one, and the secret of the intent that they are about. */
function needKey(request: FastifyRequest, keys: { secretKey: string; publishableKey: string }) {
  if (!request.url.startsWith('/v1/')) return
  const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (key === keys.secretKey) return
  const isOfBrowser = key === keys.publishableKey && ofBrowsers.test(request.url)
  if (!isOfBrowser) throw new Refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
}
