import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Problem } from '@masthead/contract/kernel/problem'
import type { App } from '../kernel/app.ts'
import { asProblem } from '../kernel/http/as-problem.ts'
import { belowBase } from '../kernel/http/console-address.ts'
import { addressOf } from '../kernel/http/other-hosts.ts'
import { checkHost, type OtherNames } from '../kernel/http/own-host.ts'

/** What the broker has to know of a request that becomes a WebSocket. `head`: what came behind it, base64. `ip`: whose it is, where a proxy of ours says so. */
export type Upgrade = { upgrade: { headers: IncomingMessage['headers']; head: string; ip?: string } }

/** Hands a socket to the broker's process; false: there is none here that is up. */
export type GiveSocket = (message: Upgrade, socket: Socket) => boolean

type Others = {
  /** Paths whose upgrades somebody else takes. */
  isPath: (path: string) => boolean
  /** Names of ours beside the configured one. */
  isName: OtherNames | undefined
}

const refuse = (socket: Socket, status: number) =>
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)

/** MQTT over WebSocket at `/mqtt` of the console's address: the connection goes on in the broker's process, and nothing of it passes here. */
export function mountUpgrade(server: FastifyInstance, app: App, give: GiveSocket | undefined, { isPath, isName }: Others) {
  server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const path = belowBase(request.url ?? '/', app.config.basePath).split('?')[0]!
    if (isPath(path)) return
    socket.on('error', () => {})
    const status = whyNot(() => checkHost(request, app.config, isName)) ?? (path === '/mqtt' ? null : 404)
    if (status !== null) return void refuse(socket, status)
    const ip = addressOf(request, app.config.trustProxy)
    const message = { upgrade: { headers: request.headers, head: head.toString('base64'), ip } }
    if (!give?.(message, socket)) refuse(socket, 503)
  })
}

/** No hook of requests sees an upgrade. */
function whyNot(check: () => void): number | null {
  try {
    check()
    return null
  } catch (error) {
    return asProblem(error as Problem).kind.status
  }
}
