import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import {
  crossSite,
  internal,
  invalidRequest,
  notFound,
  Problem,
  tooLarge,
  unavailable,
  type ProblemKind,
} from '@masthead/contract/kernel/problem'
import { mountConsole } from './console-files.ts'
import { mountHealth, type Readiness } from './health.ts'
import type { App } from './kernel/app.ts'
import { LiveHub, listen, mountLive } from './kernel/live.ts'
import { mount, type Authenticate } from './kernel/routes.ts'
import { authenticate as authenticateRequest } from './auth/index.ts'
import { routes } from './routes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: string
    write?: boolean
  }
}

/** The HTTP server: API, health, console. `app` is all it may reach. */
export async function createServer(
  app: App,
  { authenticate = authenticateRequest, ready }: { authenticate?: Authenticate; ready: Readiness }
) {
  const server: FastifyInstance = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    disableRequestLogging: true,
    genReqId: () => `req_${randomUUID().replaceAll('-', '').slice(0, 20)}`,
    requestIdHeader: false,
    trustProxy: app.config.trustProxy,
    bodyLimit: 1024 * 1024,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
  })
  await server.register(cookie)
  await server.register(helmet, securityHeaders(app))
  server.addContentTypeParser(['text/csv', 'application/octet-stream'], (_request, payload, done) => done(null, payload))
  server.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
    refuseCrossSite(request)
  })
  server.addHook('onResponse', async (request, reply) => {
    const { operation } = request.routeOptions.config
    if (!operation) return
    app.metrics.requests.observe({ operation, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    app.log.info(
      { request_id: request.id, operation, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ip: request.ip },
      'answered'
    )
  })
  server.setErrorHandler<FastifyError | Problem>((error, request, reply) => {
    const problem = asProblem(error)
    if (problem.kind.status >= 500) app.log.error({ err: error, request_id: request.id }, 'a request failed')
    if (problem.retryAfter) void reply.header('retry-after', String(Math.ceil(problem.retryAfter)))
    return reply.code(problem.kind.status).type('application/problem+json').send(onTheWire(problem, request.id))
  })
  mount(server, app, routes, authenticate)
  const hub = new LiveHub(app.metrics.liveConnections)
  mountLive(server, app, hub, authenticate)
  const stopListening = listen(app, hub)
  server.addHook('preClose', async () => {
    hub.close()
    await stopListening()
  })
  mountHealth(server, app, ready)
  await mountConsole(server, app.config.consoleDir)
  return server
}

const onTheWire = ({ kind: { code, title }, detail, fields }: Problem, request_id: string) => ({
  code,
  title,
  detail,
  message: detail,
  fields,
  request_id,
})

// Connection refused, connection lost, too many connections, shutting down, starting up, disk full.
const away = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '08000',
  '08003',
  '08006',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '53100',
  '53200',
])
const byStatus: Record<number, ProblemKind> = { 400: invalidRequest, 404: notFound, 413: tooLarge, 415: invalidRequest }

/** Whatever was thrown, as a problem: ours, Fastify's about the request, the database being away, or a mistake of ours. */
function asProblem(error: FastifyError | Problem): Problem {
  if (error instanceof Problem) return error
  const code = String((error as { code?: unknown }).code ?? '')
  if (away.has(code) || /Connection terminated|timeout exceeded when trying to connect/.test(error.message))
    return new Problem(unavailable, undefined, { retryAfter: 2, cause: error })
  const kind = code.startsWith('FST_') ? byStatus[error.statusCode ?? 0] : undefined
  return kind ? new Problem(kind, error.message, { cause: error }) : new Problem(internal, undefined, { cause: error })
}

/** Another site's page must not write with our visitor's cookie. Programs send neither header. */
function refuseCrossSite(request: FastifyRequest) {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Problem(crossSite)
  const { origin } = request.headers
  if (site === undefined && origin !== undefined && URL.parse(origin)?.host !== request.headers.host) throw new Problem(crossSite)
}

const securityHeaders = ({ config }: App) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  strictTransportSecurity: config.publicUrl?.startsWith('https:') ? { maxAge: 31_536_000 } : (false as const),
  crossOriginEmbedderPolicy: false,
  referrerPolicy: { policy: 'same-origin' as const },
})
