// aedes with nothing of ours, as a process of its own: what bench/broker.ts stands our broker beside.
import { createServer, type AddressInfo } from 'node:net'
import { Aedes } from 'aedes'

const aedes = new Aedes()
await aedes.listen()
const server = createServer((socket) => {
  socket.setNoDelay(true)
  aedes.handle(socket)
})
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () =>
  process.send?.({ ready: true, ports: { mqtt: (server.address() as AddressInfo).port } })
)
process.on('disconnect', () => process.exit(0))
