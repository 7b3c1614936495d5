import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { openListedMeter } from './lists/open-listed-meter.ts'
const all = await openListedMeter(1_000_000, { meterInFlight: 512, clients: 32 })
const { list, fleet, meter } = all
const secs = Number(process.env.S ?? 30)
try {
  await list.run({ seconds: 5, rate: 200 })
  await fleet.pool.query('vacuum analyze')
  await fleet.pool.query('checkpoint')
  await pause(3000)
  const over = new AbortController()
  const counting = process.env.BUSY ? meter.run({ seconds: 3600, rate: Number(process.env.BUSY), signal: over.signal }) : null
  const perf = spawn(
    'perf',
    ['record', '-a', '-F', '499', '-k', 'CLOCK_MONOTONIC', '-e', 'cpu-clock', '-o', '/tmp/perf.data', '--', 'sleep', String(secs)],
    { stdio: 'ignore' }
  )
  await pause(500)
  for (let i = 0; i < (secs - 2) * 4; i++) {
    const t = Number(process.hrtime.bigint()) / 1e9
    const r = await list.run({ seconds: 0.25, rate: 200 })
    console.log('T', t.toFixed(3), r.p50, r.max)
  }
  await new Promise((r) => perf.once('exit', r))
  over.abort()
  console.log('meter', (await counting)?.latency, (await counting)?.rate)
} finally {
  await all.stop()
}
