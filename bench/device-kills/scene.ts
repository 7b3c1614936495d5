import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Random } from '@masthead/simulator/random'
import type { AgentProcess } from '../devices/agent-process.ts'
import type { Call } from '../devices/client.ts'
import type { putFleet } from '../devices/fleet-calls.ts'

/** What clients work on while things are killed, and what is counted of it. */
export type Scene = {
  call: Call
  url: string
  cookie: string
  agents: readonly AgentProcess[]
  fleet: Awaited<ReturnType<typeof putFleet>>
  random: Random
  /** A word that is in what each shell runs, and nowhere else. */
  marker: string
  /** A port of the device that answers with what it is sent. */
  port: number
  goes: () => boolean
  /** What took longer than its own time limit, in words. */
  hung: string[]
  counts: { sessions: number; shells: number; echoes: number; tunnels: number; pieces: number }
}

/** A service of the device, and how many connections to it are open. */
export async function startService() {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.pipe(socket)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    open: () => open.size,
    stop: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
