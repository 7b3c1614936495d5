import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { createWebSocketStream, WebSocketServer } from 'ws'
import type { Upgrade } from '../upgrade.ts'
import type { Broker } from './broker.ts'

const largestFrame = 256 * 1024 // bytes; a packet has bounds of its own

/** Finishes the handshake of sockets that came to the console's port, and speaks MQTT over them (OASIS MQTT 3.1.1 §6). */
export function openWebSockets(broker: Broker): (message: Upgrade, socket: Socket) => void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: largestFrame,
    handleProtocols: (offered) => (offered.has('mqtt') ? 'mqtt' : false),
  })
  return ({ upgrade: { headers, head, ip } }, socket) => {
    const request = { method: 'GET', url: '/mqtt', headers } as IncomingMessage
    server.handleUpgrade(request, socket, Buffer.from(head, 'base64'), (webSocket) => {
      const stream = createWebSocketStream(webSocket)
      stream.on('error', () => {})
      const count = broker.take(stream, { socket, ip })
      if (!count) return
      // They bring nothing to MQTT, and cost as much as a packet.
      webSocket.on('ping', count).on('pong', count)
      webSocket.on('message', (data: Buffer) => data.length === 0 && count())
    })
  }
}
