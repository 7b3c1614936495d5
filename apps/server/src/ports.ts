import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { Config } from './kernel/config.ts'

/** Why the product cannot start, in a sentence for the person who started it. */
export class StartError extends Error {
  readonly name = 'StartError'
}

function probeTcp(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

function probeUdp(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    socket.bind({ address: host, port, exclusive: true }, () => socket.close(() => resolve(null)))
  })
}

const words: Record<string, string> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'cannot be bound: this machine does not have the address of MASTHEAD_HOST',
}

/** Says which port is taken before anything is started, with the variable that changes it. */
export async function checkPorts({ host, ports, roles }: Config): Promise<void> {
  const wanted = [
    ...(roles.includes('api') ? [{ variable: 'MASTHEAD_HTTP_PORT', port: ports.http, probe: probeTcp }] : []),
    ...(roles.includes('meter')
      ? [
          { variable: 'MASTHEAD_RADIUS_AUTH_PORT', port: ports.radiusAuth, probe: probeUdp },
          { variable: 'MASTHEAD_RADIUS_ACCT_PORT', port: ports.radiusAcct, probe: probeUdp },
        ]
      : []),
  ]
  const found = await Promise.all(wanted.map(async ({ variable, port, probe }) => ({ variable, port, code: await probe(host, port) })))
  const taken = found.filter(({ code }) => code !== null)
  if (taken.length === 0) return
  const sentences = taken.map(
    ({ variable, port, code }) => `Port ${port} ${words[code!] ?? `cannot be used (${code})`}. Set ${variable} to another port.`
  )
  throw new StartError(sentences.join('\n'))
}
