import type { Login } from '../link.ts'
import { openTunnel, type Dial } from './tunnel.ts'

type Given = { login: Login & { server: string }; say: (words: string) => void; dial?: Dial }
type To = { tunnel: string; port: number; address: string | null }

/** So many at once: more than the server opens. */
const most = 20

/** The tunnels that lead to this device. */
export function keepTunnels({ login, say, dial }: Given) {
  const open = new Map<string, ReturnType<typeof openTunnel>>()
  return {
    open({ tunnel, port, address }: To): void {
      if (open.has(tunnel) || open.size >= most) return
      say(`The server asked for a tunnel to ${address ?? 'this device'}, port ${port}`)
      open.set(tunnel, openTunnel({ login, tunnel, port, address, say, dial, onEnd: () => void open.delete(tunnel) }))
    },
    breakOff: () => {
      for (const tunnel of open.values()) tunnel.breakOff()
    },
    size: () => open.size,
    connections: () => [...open.values()].reduce((sum, tunnel) => sum + tunnel.connections(), 0),
    stop(): void {
      for (const tunnel of open.values()) tunnel.end()
    },
  }
}
