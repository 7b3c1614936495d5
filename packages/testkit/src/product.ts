import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { testSecretKey } from './secret-key.ts'

export type RunningProduct = {
  url: string
  /** Where its figures are. */
  metricsUrl: string
  authPort: number
  acctPort: number
  mqttPort: number
  pid: number
  output: () => string
  stop: () => Promise<number | null>
}

/** The default of MASTHEAD_TUNNEL_PORTS: no other listener of the product may be there. */
const isForTunnels = (port: number) => port >= 40_100 && port <= 40_199

/** A port of this machine that nobody listens on, and that is none for tunnels. */
export const freeTcp = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(isForTunnels(port) ? freeTcp() : port))
    })
  })

const freeUdp = () =>
  new Promise<number>((resolve) => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1', () => {
      const { port } = socket.address()
      socket.close(() => resolve(port))
    })
  })

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The script "start" of a checkout without npm, which costs about half a second: with the options of Node that it has. */
function withoutNpm(checkout: string): readonly [string, ...string[]] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const options = / node (--.*) apps\/server\/src\/main\.ts$/.exec(scripts.start)![1]!.split(' ')
  return [process.execPath, ...options, 'apps/server/src/main.ts']
}

/**
 * Starts the whole product as `npm start` does, on free ports and data of its own unless `env` says otherwise, and waits until it is ready. `checkout`:
 * that of another release.
 */
export async function startProduct(
  env: Record<string, string> = {},
  { checkout = root, command = withoutNpm(checkout) }: { checkout?: string; command?: readonly [string, ...string[]] } = {}
): Promise<RunningProduct> {
  const [file, ...args] = command
  const dataDir = env.MASTHEAD_DATA_DIR ?? mkdtempSync(join(tmpdir(), 'masthead-'))
  const http = Number(env.MASTHEAD_HTTP_PORT ?? (await freeTcp()))
  const metrics = Number(env.MASTHEAD_METRICS_PORT ?? (await freeTcp()))
  const authPort = Number(env.MASTHEAD_RADIUS_AUTH_PORT ?? (await freeUdp()))
  const acctPort = Number(env.MASTHEAD_RADIUS_ACCT_PORT ?? (await freeUdp()))
  const mqttPort = Number(env.MASTHEAD_MQTT_PORT ?? (await freeTcp()))
  const child = spawn(file, args, {
    cwd: checkout,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
      MASTHEAD_DATA_DIR: dataDir,
      MASTHEAD_HTTP_PORT: String(http),
      MASTHEAD_METRICS_PORT: String(metrics),
      MASTHEAD_RADIUS_AUTH_PORT: String(authPort),
      MASTHEAD_RADIUS_ACCT_PORT: String(acctPort),
      MASTHEAD_MQTT_PORT: String(mqttPort),
      MASTHEAD_MQTTS_PORT: String(env.MASTHEAD_MQTTS_PORT ?? (await freeTcp())),
      MASTHEAD_LOG_LEVEL: 'warn',
      MASTHEAD_RADIUS_SECRET: 'testing123',
      MASTHEAD_SECRET_KEY: testSecretKey,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const url = `http://127.0.0.1:${http}`
  const deadline = Date.now() + 180_000
  for (;;) {
    const ready = await fetch(`${url}/readyz`).then(
      (reply) => reply.ok,
      () => false
    )
    if (ready) break
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`The product did not start:\n${output}`)
    }
    await pause(25)
  }
  return {
    url,
    metricsUrl: `http://127.0.0.1:${metrics}/metrics`,
    authPort,
    acctPort,
    mqttPort,
    pid: child.pid!,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM')
      const code = await ended
      if (!env.MASTHEAD_DATA_DIR) rmSync(dataDir, { recursive: true, force: true })
      return code
    },
  }
}
