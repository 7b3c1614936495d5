import { createServer, type AddressInfo, type Socket } from 'node:net'

/** A service of the device that a tunnel leads to: it sends back what it receives, and keeps its own end open until it has sent all of it. */
export async function openEcho() {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    open,
    [Symbol.dispose]() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
