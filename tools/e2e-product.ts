import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestCluster } from './test-cluster.ts'

const root = join(import.meta.dirname, '..')

/**
 * For Playwright: the product as `npm start` runs it, demo and simulated network included, on free ports and a cluster of its own;
 * beside it a second API that serves the console built for history routing. Tests find them by MASTHEAD_E2E_*.
 */
export default async function startProduct() {
  const cluster = await startTestCluster()
  const [http, history, auth, acct] = [await freeTcpPort(), await freeTcpPort(), await freeUdpPort(), await freeUdpPort()]
  const shared = { DATABASE_URL: cluster.url, MASTHEAD_HOST: '127.0.0.1', MASTHEAD_LOG_LEVEL: 'warn' }
  const started: ChildProcess[] = []
  const stop = async () => {
    await Promise.all(started.map(end))
    await cluster.stop()
  }
  try {
    started.push(
      runMain({
        ...shared,
        MASTHEAD_HTTP_PORT: String(http),
        MASTHEAD_RADIUS_AUTH_PORT: String(auth),
        MASTHEAD_RADIUS_ACCT_PORT: String(acct),
        MASTHEAD_RADIUS_SECRET: 'testing123',
        MASTHEAD_DEMO: 'on',
      })
    )
    await ready(started[0]!, http)
    started.push(
      runMain({
        ...shared,
        MASTHEAD_HTTP_PORT: String(history),
        MASTHEAD_ROLES: 'api',
        MASTHEAD_DEMO: 'off',
        MASTHEAD_CONSOLE_DIR: join(root, 'apps/console/dist-history'),
      })
    )
    await ready(started[1]!, history)
  } catch (error) {
    await stop()
    throw error
  }
  process.env.MASTHEAD_E2E_URL = `http://127.0.0.1:${http}`
  process.env.MASTHEAD_E2E_HISTORY_URL = `http://127.0.0.1:${history}`
  process.env.MASTHEAD_E2E_RADIUS_AUTH_PORT = String(auth)
  process.env.MASTHEAD_E2E_RADIUS_ACCT_PORT = String(acct)
  process.env.MASTHEAD_E2E_DATABASE_URL = cluster.url
  return stop
}

function runMain(env: Record<string, string>) {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'apps/server/src/main.ts'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function ready(product: ChildProcess, port: number) {
  for (;;) {
    if (product.exitCode !== null || product.signalCode !== null)
      throw new Error('The product ended before it was ready; its reason is above')
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await pause(100)
  }
}

async function end(product: ChildProcess) {
  if (product.exitCode !== null || product.signalCode !== null) return
  product.kill('SIGTERM')
  await once(product, 'exit')
}

async function freeTcpPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function freeUdpPort() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}
