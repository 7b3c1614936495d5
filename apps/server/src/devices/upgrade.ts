import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { App } from '../kernel/app.ts'
import { belowBase } from '../kernel/http/console-address.ts'
import { addressOf } from '../kernel/http/other-hosts.ts'

/** What the broker has to know of a request that becomes a WebSocket. `head`: what came behind it, base64. `ip`: whose it is, where a proxy of ours says so. */
export type Upgrade = { upgrade: { headers: IncomingMessage['headers']; head: string; ip?: string } }

/** Hands a socket to the broker's process; false: there is none here that is up. */
export type GiveSocket = (message: Upgrade, socket: Socket) => boolean

const refuse = (socket: Socket, status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)

/** MQTT over WebSocket at `/mqtt` of the console's address: the connection goes on in the broker's process, and nothing of it passes here. `isOther`: somebody else takes it. */
export function mountUpgrade(server: FastifyInstance, app: App, give: GiveSocket | undefined, isOther: (path: string) => boolean) {
  server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const path = belowBase(request.url ?? '/', app.config.basePath).split('?')[0]!
    if (path !== '/mqtt') return isOther(path) ? undefined : refuse(socket, '404 Not Found')
    socket.on('error', () => {})
    const ip = addressOf(request, app.config.trustProxy)
    const message = { upgrade: { headers: request.headers, head: head.toString('base64'), ip } }
    if (!give?.(message, socket)) refuse(socket, '503 Service Unavailable')
    return undefined
  })
}
