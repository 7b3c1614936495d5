import { createSocket } from 'node:dgram'
import { createServer, type AddressInfo } from 'node:net'
import type { Config } from './kernel/config.ts'

/** Why the product cannot start, in a sentence for the person who started it. */
export class StartError extends Error {
  readonly name = 'StartError'
}

/** The port that could be bound (a free one for 0), or why not. */
type Probe = { port: number } | { code: string }

const failed = (resolve: (probe: Probe) => void) => (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? 'unknown' })

function probeTcp(host: string, wanted: number): Promise<Probe> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', failed(resolve))
    server.listen({ host, port: wanted, exclusive: true }, () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve({ port }))
    })
  })
}

function probeUdp(host: string, wanted: number): Promise<Probe> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    socket.once('error', failed(resolve))
    socket.bind({ address: host, port: wanted, exclusive: true }, () => {
      const { port } = socket.address()
      socket.close(() => resolve({ port }))
    })
  })
}

/** Of an address of MASTHEAD_HOST that is none here: whatever the port. */
const wordsOfHost: Record<string, string> = {
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'nobody knows that name',
  EAI_AGAIN: 'the name cannot be looked up now',
}

const words: Record<string, string> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be used by this user',
}

const probes = {
  http: { role: 'api', variable: 'MASTHEAD_HTTP_PORT', probe: probeTcp },
  radiusAuth: { role: 'meter', variable: 'MASTHEAD_RADIUS_AUTH_PORT', probe: probeUdp },
  radiusAcct: { role: 'meter', variable: 'MASTHEAD_RADIUS_ACCT_PORT', probe: probeUdp },
  mqtt: { role: 'broker', variable: 'MASTHEAD_MQTT_PORT', probe: probeTcp },
  mqtts: { role: 'broker', variable: 'MASTHEAD_MQTTS_PORT', probe: probeTcp },
} as const

/**
 * The ports to use: those of the configuration, and a free one for each 0, so that every process of ours knows the same. Says which one is
 * taken before anything is started, with the variable that changes it.
 */
export async function choosePorts({ host, ports, roles }: Config): Promise<Config['ports']> {
  const chosen = { ...ports }
  const sentences: string[] = []
  for (const name of ['http', 'radiusAuth', 'radiusAcct', 'mqtt', 'mqtts'] as const) {
    const { role, variable, probe } = probes[name]
    if (!roles.includes(role)) continue
    const found = await probe(host, ports[name])
    if ('port' in found) chosen[name] = found.port
    else if (wordsOfHost[found.code]) throw new StartError(`MASTHEAD_HOST is ${host}, but ${wordsOfHost[found.code]}.`)
    else sentences.push(`Port ${ports[name]} ${words[found.code] ?? `cannot be used (${found.code})`}. Set ${variable} to another port.`)
  }
  if (sentences.length) throw new StartError(sentences.join('\n'))
  return chosen
}

/** The port of the demo's card sandbox: where only the usual one is taken, say by another demo of this machine, a free one. */
export async function chooseCardSandboxPort({ port, chosen }: NonNullable<Config['cardSandbox']>): Promise<number> {
  const found = await probeTcp('127.0.0.1', port)
  if ('port' in found) return found.port
  if (chosen)
    throw new StartError(
      `Port ${port} ${words[found.code] ?? `cannot be used (${found.code})`}. Set MASTHEAD_CARD_SANDBOX_PORT to another port.`
    )
  const free = await probeTcp('127.0.0.1', 0)
  if ('port' in free) return free.port
  throw new StartError('No port is free for the card sandbox. Set MASTHEAD_CARD_SANDBOX_PORT to another port.')
}

/**
 * The port for figures. Nobody has to look at them: where it is only the usual one that is taken, say by another Masthead of this machine, the
 * start goes on without them, and `why` is logged.
 */
export async function chooseMetricsPort({
  metrics: { host, port, chosen },
}: Pick<Config, 'metrics'>): Promise<{ port: number } | { why: string }> {
  const found = await probeTcp(host, port)
  if ('port' in found) return found
  if (wordsOfHost[found.code]) throw new StartError(`MASTHEAD_METRICS_HOST is ${host}, but ${wordsOfHost[found.code]}.`)
  const why = `Port ${port} ${words[found.code] ?? `cannot be used (${found.code})`}`
  if (chosen) throw new StartError(`${why}. Set MASTHEAD_METRICS_PORT to another port.`)
  return { why: `${why}, so this process shows no metrics. Set MASTHEAD_METRICS_PORT to another port` }
}
