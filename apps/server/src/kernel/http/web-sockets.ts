import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { App } from '../app.ts'
import { belowBase } from './console-address.ts'

const pingEvery = 10_000 // ms

/** `largestFrame`: bytes of one frame; a connection on which a larger one comes ends. */
type Given = { paths: RegExp; largestFrame: number }

/**
 * WebSockets at addresses of their own. An upgrade is routed as any request is, so that every check of requests is made of it, too: its route checks
 * (`check`), and then accepts.
 */
export function takeWebSockets(server: FastifyInstance, app: Pick<App, 'config'>, { paths, largestFrame }: Given) {
  const upgraded = new WeakMap<IncomingMessage, { socket: Socket; head: Buffer }>()
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: largestFrame })
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
  return {
    isOurs: (path: string): boolean => paths.test(path),
    /** Throws invalid_request: it asks for no WebSocket. */
    check(request: FastifyRequest): void {
      if (!upgraded.has(request.raw)) throw new Problem(invalidRequest, 'This address takes a WebSocket')
    },
    /** Nothing may fail after this: there is nobody any more who could be answered. */
    accept(request: FastifyRequest, reply: FastifyReply, use: (socket: WebSocket) => void): void {
      const { socket, head } = upgraded.get(request.raw)!
      reply.hijack()
      sockets.handleUpgrade(request.raw, socket, head, (webSocket) => {
        webSocket.on('error', () => {})
        endSilent(webSocket)
        use(webSocket)
      })
    },
  }
}

/** Ends a connection whose other side is gone without a word: it answers no ping until the next. */
function endSilent(socket: WebSocket) {
  let answered = true
  socket.on('pong', () => (answered = true))
  const timer = setInterval(() => {
    // One that is held up is not read, so its answer is not received.
    if (!answered && !socket.isPaused) return socket.terminate()
    answered = false
    socket.ping()
  }, pingEvery)
  timer.unref()
  socket.once('close', () => clearInterval(timer))
}
