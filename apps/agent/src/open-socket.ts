import { WebSocket } from 'ws'
import { deviceKeyHeader } from '@masthead/contract/devices/agent/device-operations'
import type { Login } from './link.ts'

/** `host`: the name that the server is asked by, where it is not that of its address. */
type Server = Login & { server: string; host?: string | undefined }

/** The server pings each 10 seconds. */
const silentFor = 25_000 // ms

/** A connection of the device to the server, below `/v1/devices/`. One on which nothing is received ends. `maxPayload`: bytes of a frame. */
export function openSocket({ server, host, device_id, token }: Server, path: string, maxPayload: number): WebSocket {
  const socket = new WebSocket(`${server.replace(/^http/, 'ws').replace(/\/$/, '')}/v1/devices/${path}`, {
    headers: { [deviceKeyHeader]: `${device_id}:${token}`, ...(host && { host }) },
    maxPayload,
    perMessageDeflate: false,
    handshakeTimeout: 10_000,
  })
  const wait = () => setTimeout(() => socket.terminate(), silentFor)
  let silent = wait()
  socket.on('ping', () => {
    clearTimeout(silent)
    silent = wait()
  })
  socket.on('close', () => clearTimeout(silent))
  return socket
}
