import cookie from '@fastify/cookie'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import helmet from 'helmet'
import { randomUUID } from 'node:crypto'
import { asReceived } from '@masthead/contract/event-reading'
import type { Problem } from '@masthead/contract/kernel/problem'
import { mountConsole } from './console-files.ts'
import { consoleSettings } from './console-settings.ts'
import { describeApi } from './describe-api.ts'
import { mountFigures, mountHealth, type Readiness } from './health/health.ts'
import type { App } from './kernel/app.ts'
import { asProblem, onTheWire } from './kernel/http/as-problem.ts'
import { belowBase, screenPath } from './kernel/http/console-address.ts'
import { refuseCrossSite } from './kernel/http/cross-site.ts'
import { admitOtherConsoles } from './kernel/http/other-consoles.ts'
import { LiveHub, listen, mountLive } from './kernel/live/live.ts'
import { checkHost, type OtherNames } from './kernel/http/own-host.ts'
import { keepAddresses } from './kernel/http/other-methods.ts'
import { mount, type Authenticate } from './kernel/http/routes.ts'
import { readBodies, refuseCompressed } from './kernel/http/read-body.ts'
import { logAnswer, noteFailure } from './kernel/http/request-log.ts'
import { boundBody, boundConnections, headerBounds } from './kernel/http/slow-requests.ts'
import { seesNamedAssets } from './assets/index.ts'
import { answerAgain, authenticate as authenticateSession, bringRotated, mountIdentity, securityOf } from './auth/index.ts'
import { mountTerminals, mountTunnels } from './terminal/index.ts'
import { mountUpgrade, type GiveSocket } from './devices/index.ts'
import { mountAgentNodes } from './devices/agent-node/index.ts'
import { authenticateAny, sayCallLimit } from './developers/index.ts'
import { mountProviderHook } from './billing/cards/index.ts'
import { mountRegistry } from './registry/index.ts'
import { mountDeploy } from './core/index.ts'
import { routes } from './routes.ts'
import { securityHeaders } from './security-headers.ts'
import { keepTunnelHash } from './kernel/secrets/tunnel-command.ts'

/** ms: an upload, for as long as it keeps coming; one that hardly does is ended long before (slow-requests.ts). */
const longestRequest = 86_400_000

/** The HTTP server: API, health, console. `app` is all it may reach. `isOther`: names it answers to beside the configured one. */
export async function createServer(
  app: App,
  {
    authenticate = authenticateAny(authenticateSession),
    ready,
    isOther,
    give,
  }: { authenticate?: Authenticate; ready: Readiness; isOther?: OtherNames; give?: GiveSocket }
) {
  const server: FastifyInstance = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    rewriteUrl: ({ url = '/' }) => belowBase(url, app.config.basePath),
    genReqId: () => `req_${randomUUID().replaceAll('-', '').slice(0, 20)}`,
    requestIdHeader: false,
    trustProxy: (_address: string, hop: number) => hop < app.config.trustProxy,
    bodyLimit: 1024 * 1024,
    // A live stream has a heartbeat well within this; whoever else is silent so long is gone.
    connectionTimeout: 120_000,
    requestTimeout: longestRequest,
    http: { requestTimeout: longestRequest, ...headerBounds(app.config.requests) },
    frameworkErrors: (error, request, reply) => void answerFailure(app, error, request, reply),
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
  })
  if (app.config.trustProxy === 0) boundConnections(server.server, app.config.requests.connectionsPerAddress)
  const refuseOtherMethods = keepAddresses(server)
  await server.register(cookie)
  // Made once: each answer gets the headers that were decided here.
  const secure = helmet(securityHeaders(app.config))
  server.addHook('onRequest', (request, reply, done) => secure(request.raw, reply.raw, () => done()))
  readBodies(server)
  server.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
    if (request.url.startsWith('/v1/')) void reply.header('cache-control', 'no-store')
    boundBody(request, reply, app.config.requests, (problem) => void answerFailure(app, problem, request, reply))
    checkHost(request.raw, app.config, isOther)
    if (admitOtherConsoles(app.config, request, reply)) return reply
    refuseCrossSite(request, app.config)
    refuseCompressed(request)
  })
  server.addHook('onResponse', async (request, reply) => logAnswer(app, request, reply, securityOf))
  server.setErrorHandler<FastifyError | Problem>((error, request, reply) => answerFailure(app, error, request, reply))
  sayCallLimit(server)
  bringRotated(server, app)
  mount(server, app, routes, { authenticate, answerAgain, sees: seesNamedAssets })
  mountIdentity(server, app)
  mountProviderHook(server, app)
  mountRegistry(server, app)
  mountDeploy(server, app)
  const hub = new LiveHub({ gauge: app.metrics.liveConnections, clock: app.clock, asReceived })
  mountLive(server, app, hub, authenticate)
  const stopListening = listen(app, hub)
  server.addHook('preClose', async () => {
    hub.close()
    await stopListening()
  })
  const description = describeApi(app.config.basePath)
  server.get('/v1/openapi.json', async () => description)
  server.get('/v1/docs', (_request, reply) => reply.redirect(screenPath(app.config, '/docs')))
  const [isTerminal, tunnelled] = [mountTerminals(server, app, authenticate), mountTunnels(server, app)]
  mountUpgrade(server, app, give, { isPath: (path) => isTerminal(path) || tunnelled.isOurs(path), isName: isOther })
  tunnelled.takeNames()
  mountAgentNodes(server, app)
  mountHealth(server, app, ready)
  mountFigures(server, app, ready)
  const tunnels = keepTunnelHash(app.db)
  server.addHook('onReady', tunnels.ask)
  await mountConsole(server, app.config.consoleDir, () => consoleSettings(app.config, tunnels.known()))
  refuseOtherMethods()
  return server
}

/** The one place where failures become answers. */
function answerFailure(app: App, error: FastifyError | Problem, request: FastifyRequest, reply: FastifyReply) {
  const problem = asProblem(error)
  noteFailure(request, problem.kind.code)
  const { operation } = request.routeOptions.config
  if (problem.kind.status >= 500) app.log.error({ err: error, request_id: request.id, operation }, 'a request failed')
  if (problem.retryAfter) void reply.header('retry-after', String(Math.ceil(problem.retryAfter)))
  return reply
    .code(problem.kind.status)
    .headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
    .type('application/problem+json')
    .send(onTheWire(problem, request.id))
}
