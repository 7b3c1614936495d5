import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import {
  crossSite,
  forbidden,
  invalidRequest,
  notFound,
  Problem,
  sessionNeeded,
  unauthenticated,
  viewOnly,
} from '@masthead/contract/kernel/problem'
import { getAssetId } from '../../assets/index.ts'
import { deviceOf } from '../../devices/agent/index.ts'
import { actorMay, type Actor, type App } from '../../kernel/app.ts'
import { belowBase } from '../../kernel/http/console-address.ts'
import { isOwnOrigin } from '../../kernel/http/cross-site.ts'
import type { Authenticate } from '../../kernel/http/routes.ts'
import { findSupporter, supportStands } from '../support/supporter.ts'
import { getTerminal } from '../terminal-queries.ts'
import { joinAgent } from './agent-end.ts'
import { TerminalHub } from './hub.ts'
import type { Relay } from './relay.ts'
import { joinWindow, largestFrame } from './window-end.ts'

const upgraded = new WeakMap<IncomingMessage, { socket: Socket; head: Buffer }>()
const paths = /^\/v1\/(terminal-sessions\/[\w-]+\/socket|devices\/terminal\/[\w-]+)$/

/** The two WebSockets of a terminal: that of the window, and that of the device. Both are asked who they are as every call is. Answers which paths are theirs. */
export function mountTerminals(server: FastifyInstance, app: App, authenticate: Authenticate): (path: string) => boolean {
  const hub = new TerminalHub(app)
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: largestFrame })
  // An upgrade goes the way of any request, so that all that is asked of those is asked of it.
  server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const path = belowBase(request.url ?? '/', app.config.basePath).split('?')[0]!
    if (!paths.test(path)) return
    socket.on('error', () => {})
    upgraded.set(request, { socket, head })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    server.routing(request, response)
  })
  server.addHook('preClose', () => hub.close())

  function accept(request: FastifyRequest, use: (socket: WebSocket) => void) {
    const { socket, head } = upgraded.get(request.raw)!
    sockets.handleUpgrade(request.raw, socket, head, (webSocket) => {
      endSilent(webSocket)
      use(webSocket)
    })
  }

  server.get(
    '/v1/terminal-sessions/:terminal_id/socket',
    { config: { operation: 'terminal' }, exposeHeadRoute: false },
    async (request, reply) => {
      const actor = await authenticate(app, request)
      if (!actor) throw new Problem(unauthenticated)
      const { terminal_id } = request.params as { terminal_id: string }
      checkKind(actor)
      const support = await findSupporter(app, actor, terminal_id)
      if (!support) checkMay(actor)
      if (!isOwnOrigin(request.headers, app.config)) throw new Problem(crossSite)
      const { asset_id } = await getTerminal(app.db, support ?? actor, terminal_id)
      if (!upgraded.has(request.raw)) throw new Problem(invalidRequest, 'This address takes a WebSocket')
      const relay = await goingOn(hub, terminal_id)
      const { client = '', from } = request.query as { client?: string; from?: string }
      const allowed = unlessRefused(async () => {
        const now = await authenticate(app, request)
        if (now?.person_id !== actor.person_id || now.account_id !== actor.account_id) throw new Problem(unauthenticated)
        checkKind(now)
        if (support) {
          if (!(await supportStands(app, now, terminal_id))) throw new Problem(forbidden)
          return
        }
        checkMay(now)
        await getAssetId(app.db, now, asset_id)
      })
      reply.hijack()
      // Of this person: who else knows the id of a window, as all who watch do, takes neither its place nor its keyboard.
      const window = `${actor.person_id}:${client.slice(0, 60) || request.id}`
      accept(request, (socket) => joinWindow(relay, { socket, actor: support ?? actor, client: window, from: readPlace(from), allowed }))
    }
  )

  server.get(
    '/v1/devices/terminal/:terminal_id',
    { config: { operation: 'device_terminal' }, exposeHeadRoute: false },
    async (request, reply) => {
      const device = await deviceOf(app, request)
      if (!upgraded.has(request.raw)) throw new Problem(invalidRequest, 'This address takes a WebSocket')
      const { terminal_id } = request.params as { terminal_id: string }
      const asked = await app.db
        .selectFrom('terminal_session')
        .select('id')
        .where('account_id', '=', device.account_id)
        .where('device_id', '=', device.id)
        .where('id', '=', terminal_id)
        .executeTakeFirst()
      if (!asked) throw new Problem(notFound)
      const relay = await goingOn(hub, terminal_id)
      reply.hijack()
      // Other credentials that the device was given meanwhile end what came with these.
      const allowed = unlessRefused(() => deviceOf(app, request))
      accept(request, (socket) => joinAgent(relay, socket, allowed))
    }
  )
  return (path) => paths.test(path)
}

const pingEvery = 10_000 // ms

/** Ends a connection whose other side is gone without a word: it answers no ping until the next. */
function endSilent(socket: WebSocket) {
  let answered = true
  socket.on('pong', () => (answered = true))
  const timer = setInterval(() => {
    // One that is held up is not read, so its answer is not heard.
    if (!answered && !socket.isPaused) return socket.terminate()
    answered = false
    socket.ping()
  }, pingEvery)
  timer.unref()
  socket.once('close', () => clearInterval(timer))
}

async function goingOn(hub: TerminalHub, id: string): Promise<Relay> {
  const relay = await hub.relayOf(id)
  if (!relay) throw new Problem(notFound, 'This terminal session is over')
  return relay
}

function checkKind({ kind }: Actor): void {
  if (kind === 'api_key') throw new Problem(sessionNeeded)
  if (kind === 'staff') throw new Problem(viewOnly)
}

function checkMay(actor: Actor): void {
  if (!actorMay(actor, 'terminal.open') || actor.lacks_factor) throw new Problem(forbidden)
}

/** Where it cannot be asked nothing was taken away. */
const unlessRefused = (ask: () => Promise<unknown>) => (): Promise<boolean> =>
  ask().then(
    () => true,
    (error: unknown) => !(error instanceof Problem)
  )

const readPlace = (text: string | undefined) => (text && /^\d{1,15}$/.test(text) ? Number(text) : undefined)
