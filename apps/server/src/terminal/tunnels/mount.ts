import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import { invalidRequest, notFound, Problem } from '@masthead/contract/kernel/problem'
import { largestPiece } from '@masthead/contract/terminal/tunnel-wire'
import { deviceOf } from '../../devices/agent/index.ts'
import type { App } from '../../kernel/app.ts'
import { belowBase } from '../../kernel/http/console-address.ts'
import { TunnelHub } from './tunnel-hub.ts'

const paths = /^\/v1\/devices\/tunnel\/[\w-]+$/
const pingEvery = 10_000 // ms

/** The WebSocket of a tunnel, which its device opens. Answers which paths are its. */
export function mountTunnels(server: FastifyInstance, app: App): (path: string) => boolean {
  const hub = new TunnelHub(app)
  const upgraded = new WeakMap<IncomingMessage, { socket: Socket; head: Buffer }>()
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: largestPiece * 2 })
  // An upgrade goes the way of any request, so that all that is asked of those is asked of it.
  server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!paths.test(belowBase(request.url ?? '/', app.config.basePath).split('?')[0]!)) return
    socket.on('error', () => {})
    upgraded.set(request, { socket, head })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    server.routing(request, response)
  })
  server.addHook('preClose', () => hub.close())

  server.get(
    '/v1/devices/tunnel/:tunnel_id',
    { config: { operation: 'device_tunnel' }, exposeHeadRoute: false },
    async (request, reply) => {
      const device = await deviceOf(app, request)
      const upgrade = upgraded.get(request.raw)
      if (!upgrade) throw new Problem(invalidRequest, 'This address takes a WebSocket')
      const { tunnel_id } = request.params as { tunnel_id: string }
      const row = await hub.take(tunnel_id, device.id)
      if (!row) throw new Problem(notFound)
      reply.hijack()
      sockets.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (webSocket) => {
        endSilent(webSocket)
        hub.join(row, webSocket).catch((error: unknown) => {
          app.log.error({ err: error, tunnel: row.id }, 'a tunnel could not be opened')
          webSocket.terminate()
        })
      })
    }
  )
  return (path) => paths.test(path)
}

/** Ends a connection whose other side is gone without a word: it answers no ping until the next. */
function endSilent(socket: WebSocket) {
  let answered = true
  socket.on('pong', () => (answered = true))
  const timer = setInterval(() => {
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  }, pingEvery)
  timer.unref()
  socket.once('close', () => clearInterval(timer))
}
