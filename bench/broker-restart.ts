// BENCH_DEVICES devices (5,000) whose broker is killed (kill -9): all are back, each by one connection, and what the console asks meanwhile takes no more than
// three times as long as at rest.
import { setTimeout as pause } from 'node:timers/promises'
import { childOf } from '@masthead/testkit/process-figures'
import { startProduct, type RunningProduct } from '@masthead/testkit/product'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { onlineOf, putAgents, runDevices } from './broker/connected-devices.ts'
import { putAccount } from './devices/put-account.ts'
import { until } from './devices/until.ts'
import { openHttpLoad } from './lists/http-load.ts'

const count = Number(process.env.BENCH_DEVICES ?? 5000)
const seconds = Number(process.env.BENCH_SECONDS ?? 20)
const rate = 40 // calls a second, as of twenty people who look at lists and assets
const most = 3 // times the p99 at rest
const backWithin = 300_000 // ms

const database = await openProductionDatabase({ warn: () => {} })
const { pool } = database
const devices = runDevices()
let product: RunningProduct | undefined
try {
  const { account_id, cookie, assets } = await putAccount(pool, { name: 'bench', assets: count })
  const ids = await putAgents(pool, account_id)
  product = await startProduct({ DATABASE_URL: database.url, MASTHEAD_DEMO: 'off', MASTHEAD_LOG_LEVEL: 'silent' })
  const { pid, url, mqttPort, metricsUrl } = product
  const began = performance.now()
  await devices.ask({ do: 'connect', port: mqttPort, ids })
  await until('The devices that come', backWithin, async () => (await onlineOf(pool, account_id)) === count)
  const first_s = (performance.now() - began) / 1000

  const calls = await openHttpLoad({ url, clients: 16 })
  const asks = (n: number) => ({ cookie, path: n % 2 === 0 ? '/v1/assets?page_size=50' : `/v1/assets/${assets[n % count]}` })
  await calls.run({ seconds: 5, rate, asks })
  const rest = await calls.run({ seconds, rate, asks })

  const over = new AbortController()
  const asking = calls.run({ seconds: 3600, rate, asks, signal: over.signal })
  const from = performance.now()
  process.kill(childOf(pid, 'devices/broker/main.ts')!, 'SIGKILL')
  await until('The broker that ended', 30_000, async () => (await onlineOf(pool, account_id)) < count)
  await until('The devices that come back', backWithin, async () => (await onlineOf(pool, account_id)) === count)
  const back_s = (performance.now() - from) / 1000
  over.abort()
  const busy = await asking
  calls.close()

  // Whoever came in twice is counted twice by the broker that began anew.
  await pause(3000)
  const figures = await (await fetch(metricsUrl)).text()
  const figure = (name: string) =>
    [...figures.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)`, 'gm'))].reduce((sum, [, value]) => sum + Number(value), 0)
  const [connected, signed_in] = [figure('masthead_broker_clients'), figure('masthead_broker_connections_total')]
  const ratio = { p50: busy.p50 / rest.p50, p99: busy.p99 / rest.p99 }
  const ok = connected === count && signed_in === count && busy.failed === 0 && ratio.p99 <= most
  console.log(
    JSON.stringify({ figure: 'broker-restart', devices: count, first_s, back_s, connected, signed_in, rest, busy, ratio, most, ok })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  devices.stop()
  await product?.stop()
  await database.stop()
}
