// A fleet of connected agents on the whole product: the console's calls while they report every 30 s, and while all of them come back at once
// after the broker was killed, each beside the calls at rest in the same run. BENCH_DEVICES (500): at size it is 5,000 for the return, 10,000 for
// the reports. All must be back, none twice, every report stored.
import { setTimeout as pause } from 'node:timers/promises'
import { openFleet } from '@masthead/testkit/fleet'
import { processesBelow } from '@masthead/testkit/process-figures'
import { freeTcp, startProduct } from '@masthead/testkit/product'
import { FleetDevice, type Counts } from './broker/fleet-device.ts'
import { openHttpLoad } from './lists/http-load.ts'

const count = Number(process.env.BENCH_DEVICES ?? 500)
const seconds = Number(process.env.BENCH_SECONDS ?? 30)
const rate = Number(process.env.BENCH_CALLS ?? 20) // of the console, per second
const every = 30_000 // ms
const patience = 180_000 // ms
const mostRatio = 3

const fleet = await openFleet(count)
const mqtt = await freeTcp()
const env = { DATABASE_URL: fleet.url, MASTHEAD_DEMO: 'off', MASTHEAD_MQTT_PORT: String(mqtt) }
const product = await startProduct(env)
const counts: Counts = { accepted: 0, refused: 0, reports: 0, stored: 0, waits: [] }
const devices: FleetDevice[] = []
try {
  const { pool, account_id } = fleet
  await pool.query(
    `insert into device (account_id, id, asset_id, kind, username_hash, password_hash, created_at)
       select account_id, 'dev_' || n, id, 'agent', sha256(convert_to('dev_' || n, 'UTF8')), sha256('bench'), now()
       from (select account_id, id, row_number() over (order by id) as n from asset where account_id = $1) a`,
    [account_id]
  )
  const { rows } = await pool.query<{ asset_id: string }>('select asset_id from device where account_id = $1 limit 200', [account_id])
  const cookie = await fleet.newCookie()
  const load = await openHttpLoad({ url: product.url, clients: 8 })
  const asset = (n: number) => rows[n % rows.length]!.asset_id
  const paths = [() => '/v1/assets?page_size=10', (n: number) => `/v1/assets/${asset(n)}`, (n: number) => `/v1/assets/${asset(n)}/device`]
  const asks = (n: number) => ({ path: paths[n % paths.length]!(n), cookie })
  const calls = (signal?: AbortSignal) => load.run({ asks, rate, seconds: signal ? patience / 1000 : seconds, ...(signal && { signal }) })

  for (let n = 1; n <= count; n++) devices.push(new FleetDevice(() => mqtt, `dev_${n}`, counts))
  for (const device of devices) device.start()
  await until(() => devices.every(({ up }) => up))
  await load.run({ asks, rate, seconds: 5 })
  const rest = await calls()

  const reporting = devices.map((device) => {
    let timer: NodeJS.Timeout | undefined
    const first = setTimeout(() => {
      device.report()
      timer = setInterval(() => device.report(), every)
    }, Math.random() * every)
    return () => (clearTimeout(first), clearInterval(timer))
  })
  const [busy] = await Promise.all([calls(), pause(Math.max(seconds * 1000, every))])
  for (const stop of reporting) stop()
  await until(() => counts.stored === counts.reports).catch(() => {})

  counts.accepted = 0
  const killed = performance.now()
  const broker = processesBelow(product.pid).find(({ runs }) => runs.includes('broker/main'))
  if (!broker) throw new Error('The product has no broker')
  process.kill(broker.pid, 'SIGKILL')
  const over = new AbortController()
  const storming = calls(over.signal)
  await until(() => devices.every(({ up }) => !up)).catch(() => {})
  await until(() => devices.every(({ up }) => up))
  const back = (performance.now() - killed) / 1000
  over.abort()
  const storm = await storming
  await pause(6000) // the broker says how many it holds
  const held = await pool.query<{ clients: number }>(
    `select coalesce(sum(clients), 0)::int as clients from broker where seen_at > now() - interval '30 s'`
  )
  const online = await pool.query<{ count: number }>('select count(*)::int as count from device where account_id = $1 and online', [
    account_id,
  ])

  const ratioOf = (of: { p50: number; p99: number }) => ({
    p50: Number((of.p50 / rest.p50).toFixed(2)),
    p99: Number((of.p99 / rest.p99).toFixed(2)),
  })
  const [ratio_reports, ratio_return] = [ratioOf(busy), ratioOf(storm)]
  const waits = counts.waits.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0)
  const whole = {
    back: devices.filter(({ up }) => up).length,
    online: online.rows[0]!.count,
    held: held.rows[0]!.clients,
    accepted: counts.accepted,
    refused: counts.refused,
  }
  const ok =
    [whole.back, whole.online, whole.held, whole.accepted].every((one) => one === count) &&
    counts.stored === counts.reports &&
    [rest, busy, storm].every(({ failed }) => failed === 0) &&
    ratio_reports.p50 <= mostRatio &&
    ratio_return.p50 <= mostRatio
  console.log(
    JSON.stringify({
      figure: 'broker-fleet',
      devices: count,
      calls: { rest, reports: busy, return: storm },
      reports: { sent: counts.reports, stored: counts.stored, ms: { p50: at(0.5), p99: at(0.99) } },
      return: { seconds: Math.round(back * 10) / 10, ...whole },
      ratio_reports,
      ratio_return,
      most_ratio: { p50: mostRatio },
      ok,
    })
  )
  process.exitCode = ok ? 0 : 1
  load.close()
} finally {
  for (const device of devices) device.end()
  await product.stop()
  await fleet.stop()
}

async function until(isSo: () => boolean): Promise<void> {
  const from = performance.now()
  while (!isSo()) {
    if (performance.now() - from > patience) throw new Error(`Waited for ${patience / 1000} s`)
    await pause(50)
  }
}
