// Our broker beside plain aedes, in one run: messages of QoS 1 that are answered per second, connections per second, memory of an idle connection, of which
// BENCH_DEVICES are open (2,000; the figure that is wanted is of 10,000).
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { RawDevice } from './broker/raw-device.ts'

const idle = Number(process.env.BENCH_DEVICES ?? 2000)
const speaking = Math.min(200, idle)
const most = 64 * 1024 // bytes of an idle connection
const messages = 400 // of each: within what a device may send at once

const database = await openProductionDatabase()
await database.pool.query(
  `insert into account (id, team_name) values ('acc_bench', 'Bench');
   insert into asset (account_id, id, type, serial, name) select 'acc_bench', 'ast_' || n, 'alpon_x4', 'B' || n, 'B' || n from generate_series(1, ${idle}) n;
   insert into device (account_id, id, asset_id, kind, username_hash, password_hash, created_at)
     select 'acc_bench', 'dev_' || n, 'ast_' || n, 'agent', sha256(convert_to('dev_' || n, 'UTF8')), sha256('bench'), now() from generate_series(1, ${idle}) n`
)

const rss = ({ pid }: ChildProcess) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])

async function measure(module: string, env: Record<string, string> = {}) {
  const child = fork(module, { env: { ...process.env, ...env }, execArgv: ['--disable-warning=ExperimentalWarning', '--v8-pool-size=0'] })
  const [{ ports }] = (await once(child, 'message')) as [{ ports: { mqtt: number } }]
  const devices: RawDevice[] = []
  // The code is warm before anything is measured.
  for (let i = 1; i <= 50; i++) (await RawDevice.connect(ports.mqtt, `dev_${i}`, 'bench')).close()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const before = rss(child)
  let next = 1
  const connecting = async () => {
    for (let n = next++; n <= idle; n = next++) devices[n] = await RawDevice.connect(ports.mqtt, `dev_${n}`, 'bench')
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: 100 }, connecting))
  const connects = idle / ((performance.now() - from) / 1000)
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const bytes = ((rss(child) - before) * 1024) / idle
  const publish = async (count: number) => {
    const begun = performance.now()
    await Promise.all(Array.from({ length: speaking }, (_, i) => devices[i + 1]!.publish(`device/dev_${i + 1}/hive`, count)))
    return (speaking * count) / ((performance.now() - begun) / 1000)
  }
  await publish(20)
  const publishes = await publish(messages)
  for (const device of devices) device?.close()
  child.disconnect()
  await once(child, 'exit')
  return { publishes, connects, bytes }
}

try {
  const plain = await measure(fileURLToPath(new URL('broker/plain-aedes.ts', import.meta.url)))
  const ours = await measure(fileURLToPath(import.meta.resolve('@masthead/server/devices/broker/main')), {
    DATABASE_URL: database.url,
    MASTHEAD_MQTT_PORT: '0',
    MASTHEAD_MQTTS_PORT: '0',
    MASTHEAD_LOG_LEVEL: 'warn',
  })
  const ratio = { publishes: ours.publishes / plain.publishes, connects: ours.connects / plain.connects }
  const ok = ratio.publishes >= 0.5 && ratio.connects >= 0.7 && ours.bytes <= most
  console.log(
    JSON.stringify({
      figure: 'broker',
      devices: idle,
      ours,
      plain,
      ratio,
      least_ratio: { publishes: 0.5, connects: 0.7 },
      most_bytes: most,
      ok,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  await database.stop()
}
