import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

type Takes = {
  /** Whether a name (lower case, without its port) is theirs. */
  isTheirs: (name: string) => boolean
  request: (request: IncomingMessage, response: ServerResponse, name: string) => void
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer, name: string) => void
}

/**
 * Hands on everything that comes for names which are not the console’s own, before anything of the console sees it: none of its calls, cookies and
 * files is at such a name. Called once all else listens.
 */
export function takeHosts({ server }: FastifyInstance, { isTheirs, request: takeRequest, upgrade: takeUpgrade }: Takes): void {
  const before = (event: string, take: (request: IncomingMessage, rest: unknown[], name: string) => void) => {
    const own = server.listeners(event) as ((...all: unknown[]) => void)[]
    if (own.length === 0) return
    server.removeAllListeners(event)
    server.on(event, (request: IncomingMessage, ...rest: unknown[]) => {
      const name = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
      if (isTheirs(name)) return take(request, rest, name)
      for (const listener of own) listener.call(server, request, ...rest)
    })
  }
  before('request', (request, [response], name) => takeRequest(request, response as ServerResponse, name))
  before('upgrade', (request, [socket, head], name) => takeUpgrade(request, socket as Duplex, head as Buffer, name))
}

/** Who asks, behind so many proxies of ours. */
export function addressOf({ socket, headers }: IncomingMessage, trustProxy: number): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const way = [socket.remoteAddress ?? '', ...forwarded.map((one) => one.trim()).toReversed()].filter((one) => one !== '')
  return way[Math.min(trustProxy, way.length - 1)] ?? ''
}
