// BENCH_DEVICES devices (10,000) that report what they measure every 30 s. How long it takes from a report to an open screen (p99: 2 s), and what the meter counts
// beside them of what it counts alone (0.8), in turns of one run.
import { setTimeout as pause } from 'node:timers/promises'
import { openLoad } from '@masthead/simulator/load'
import { startProduct, type RunningProduct } from '@masthead/testkit/product'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { onlineOf, putAgents, runDevices } from './broker/connected-devices.ts'
import { openDeviceScreen } from './broker/device-screen.ts'
import { putAccount } from './devices/put-account.ts'
import { until } from './devices/until.ts'
import { seedSims } from './metering/seed-sims.ts'

const count = Number(process.env.BENCH_DEVICES ?? 10_000)
const sims = Number(process.env.BENCH_SIMS ?? 20_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 20)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const samples = Number(process.env.BENCH_SAMPLES ?? 100)
const every = 30_000 // ms
const limits = { screen_p99_ms: 2000, metering: 0.8 }

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const database = await openProductionDatabase({ warn: () => {} })
const { pool } = database
const devices = runDevices()
let product: RunningProduct | undefined
try {
  const known = await seedSims(pool, sims)
  const { account_id, cookie, assets } = await putAccount(pool, { name: 'bench', assets: count })
  const ids = await putAgents(pool, account_id)
  product = await startProduct({
    DATABASE_URL: database.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_LOG_LEVEL: 'silent',
    MASTHEAD_RADIUS_SECRET: 'bench',
  })
  const { url, acctPort, mqttPort } = product
  await devices.ask({ do: 'connect', port: mqttPort, ids })
  await until('The devices that come', 300_000, async () => (await onlineOf(pool, account_id)) === count)

  // Ids of devices stand in the order of those of their assets.
  const [shown] = assets.toSorted()
  const screen = await openDeviceScreen({ url, cookie, asset: shown! })
  await devices.ask({ do: 'report', every })
  await pause(every)
  const taken: number[] = []
  for (let nth = 0; nth < samples; nth++) {
    await pause(Math.random() * 300)
    const at = new Date().toISOString()
    const from = performance.now()
    await Promise.all([screen.shows(at), devices.ask({ do: 'say', nth: 0, vitals: screen.vitalsAt(at) })])
    taken.push(performance.now() - from)
  }
  taken.sort((a, b) => a - b)
  const [p50_ms, p99_ms] = [0.5, 0.99].map((share) => Math.round(taken[Math.floor(samples * share)]!)) as [number, number]
  screen.close()

  const meter = await openLoad({ target: { host: '127.0.0.1', acct_port: acctPort }, secret: 'bench', sims: known, inFlight: 512 })
  const turns: { alone: number; beside: number; reports: number; given_up: number }[] = []
  try {
    await meter.run({ count: sims }) // each has a session: what is measured is what goes on
    for (let round = 0; round < rounds; round++) {
      await devices.ask({ do: 'report', every: null })
      await pool.query('checkpoint')
      const alone = await meter.run({ seconds })
      const { reports: before } = await devices.ask({ do: 'report', every })
      const beside = await meter.run({ seconds })
      const { reports } = await devices.ask({ do: 'report', every })
      turns.push({
        alone: alone.rate,
        beside: beside.rate,
        reports: (reports - before) / beside.seconds,
        given_up: alone.given_up + beside.given_up,
      })
    }
  } finally {
    meter.close()
  }
  const ratio = { screen: p99_ms / limits.screen_p99_ms, metering: median(turns.map(({ alone, beside }) => beside / alone)) }
  const ok = ratio.screen <= 1 && ratio.metering >= limits.metering && turns.every(({ given_up }) => given_up === 0)
  console.log(
    JSON.stringify({
      figure: 'device-reports',
      devices: count,
      every_s: every / 1000,
      screen: { p50_ms, p99_ms, samples },
      turns,
      ratio,
      limits,
      ok,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  devices.stop()
  await product?.stop()
  await database.stop()
}
