import type { FastifyInstance } from 'fastify'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { largestPiece } from '@masthead/contract/terminal/tunnel-wire'
import { deviceOf } from '../../devices/agent/index.ts'
import type { App } from '../../kernel/app.ts'
import { takeWebSockets } from '../../kernel/http/web-sockets.ts'
import { deviceStands } from '../relay/still-allowed.ts'
import { takeNames } from '../tunnel-names/take-names.ts'
import { TunnelHub } from './tunnel-hub.ts'

/** The WebSocket of a tunnel, which its device opens, and the names of tunnels. Answers which paths are its; `takeNames` once all else listens. */
export function mountTunnels(server: FastifyInstance, app: App): { isOurs: (path: string) => boolean; takeNames: () => void } {
  const hub = new TunnelHub(app)
  const sockets = takeWebSockets(server, app, { paths: /^\/v1\/devices\/tunnel\/[\w-]+$/, largestFrame: largestPiece * 2 })
  server.addHook('preClose', () => hub.close())

  server.get(
    '/v1/devices/tunnel/:tunnel_id',
    { config: { operation: 'device_tunnel' }, exposeHeadRoute: false },
    async (request, reply) => {
      const device = await deviceOf(app, request)
      sockets.check(request)
      const { tunnel_id } = request.params as { tunnel_id: string }
      const row = await hub.take(tunnel_id, device.id)
      if (!row) throw new Problem(notFound)
      sockets.accept(request, reply, (socket) => {
        hub.join(row, socket, deviceStands(app, request)).catch((error: unknown) => {
          app.log.error({ err: error, tunnel: row.id }, 'a tunnel could not be opened')
          socket.terminate()
        })
      })
    }
  )
  return { isOurs: sockets.isOurs, takeNames: () => takeNames(server, app, hub) }
}
