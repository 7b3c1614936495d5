import Fastify, { type FastifyError } from 'fastify'
import type { Problem } from '@masthead/contract/kernel/problem'
import { mountOwnFigures, type Readiness } from './health.ts'
import type { App } from '../kernel/app.ts'
import { asProblem, onTheWire } from '../kernel/http/as-problem.ts'
import { checkHost } from '../kernel/http/own-host.ts'

/** Figures and health of this process at an address of their own, which every role has. */
export async function createMetricsServer(app: App, ready: Readiness) {
  const { token } = app.config.metrics
  const server = Fastify({ forceCloseConnections: true, connectionTimeout: 30_000, requestTimeout: 30_000, bodyLimit: 1024 })
  // Without a token a page elsewhere must not have its own name lead here. By name Prometheus asks with a token.
  server.addHook('onRequest', async ({ raw }) => {
    if (token === undefined) checkHost(raw, { publicUrl: undefined, trustProxy: 0 })
  })
  server.setErrorHandler<FastifyError | Problem>((error, request, reply) => {
    const problem = asProblem(error)
    if (problem.kind.status >= 500) app.log.error({ err: error }, 'figures could not be read')
    return reply.code(problem.kind.status).type('application/problem+json').send(onTheWire(problem, request.id))
  })
  mountOwnFigures(server, app, ready)
  return server
}
