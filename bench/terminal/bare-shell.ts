import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { startShell, type Shell } from '@masthead/agent/terminal/shell'
import type { Way } from '../devices/window.ts'

/** A shell behind two WebSockets that hand on what comes, held up by their buffers alone. */
export async function openBare() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(server, 'listening')
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ends: WebSocket[] = []
  server.on('connection', (socket) => {
    ends.push(socket)
    if (ends.length < 2) return
    const [device, browser] = ends as [WebSocket, WebSocket]
    device.on('message', (data) => browser.send(data as Buffer))
    browser.on('message', (data) => device.send(data as Buffer))
  })
  const device = new WebSocket(url, { perMessageDeflate: false })
  await once(device, 'open')
  // What it shows first comes before it is here.
  let shell: Shell | undefined
  shell = await startShell(
    { cols: 80, rows: 24 },
    {
      onBytes: (bytes) => {
        if (device.bufferedAmount > 256 * 1024) shell?.pause()
        device.send(bytes, () => device.bufferedAmount < 64 * 1024 && shell?.resume())
      },
      onExit: () => {},
    }
  )
  device.on('message', (data) => shell?.write(data as Buffer, () => {}))
  const browser = new WebSocket(url, { perMessageDeflate: false })
  await once(browser, 'open')
  return {
    way: {
      type: (text: string) => browser.send(Buffer.from(text)),
      onBytes: (hear) => void browser.on('message', (data: Buffer) => hear(data)),
    } satisfies Way,
    stop: () => {
      shell?.end()
      for (const socket of [device, browser]) socket.terminate()
      server.close()
    },
  }
}
