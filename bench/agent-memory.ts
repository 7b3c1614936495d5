// What the edge agent takes of a device's memory: the built agent as its unit starts it, connected to a broker and reporting, without a container
// engine, after BENCH_SECONDS (60).
import { Aedes } from 'aedes'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentTopics } from '@masthead/contract/devices/agent/messages'

const seconds = Number(process.env.BENCH_SECONDS ?? 60)
const root = join(import.meta.dirname, '..')
const built = join(root, 'apps/console/dist/agent/masthead-agent.mjs')
if (!existsSync(built)) throw new Error('The agent is not built: npm exec -c "node tools/ensure-console.mjs"')
const unit = readFileSync(join(root, 'deploy/agent/install.sh'), 'utf8')
const options = /^ExecStart="\$node" (.*) "\$dir/m.exec(unit)![1]!.split(' ')

const folder = mkdtempSync(join(tmpdir(), 'agent-'))
const broker = await Aedes.createBroker()
const topics = agentTopics('dev_bench')
let reports = 0
broker.on('publish', ({ topic, payload }) => {
  if (topic !== topics.hive) return
  reports++
  const { mid } = JSON.parse(String(payload)) as { mid: string }
  const ack = { cmd: 'publish' as const, topic: topics.directives, payload: JSON.stringify({ command: 'ack', data: mid }) }
  broker.publish({ ...ack, qos: 1, retain: false, dup: false }, () => {})
})
const mqtt = createServer((socket) => broker.handle(socket)).listen(0, '127.0.0.1')
const http = createHttpServer((_asked, answer) => answer.end(JSON.stringify({ revision: 1, containers: [] }))).listen(0, '127.0.0.1')
await Promise.all([once(mqtt, 'listening'), once(http, 'listening')])
const portOf = (server: { address: () => unknown }) => (server.address() as AddressInfo).port
writeFileSync(
  join(folder, 'identity.json'),
  JSON.stringify({
    server: `http://127.0.0.1:${portOf(http)}`,
    device_id: 'dev_bench',
    token: 'bench',
    url: `mqtt://127.0.0.1:${portOf(mqtt)}`,
  })
)
const agent = spawn(process.execPath, [...options, built, 'run', '--dir', folder, '--engine', join(folder, 'none')], { stdio: 'ignore' })
await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
const mb = (file: string, name: string) =>
  Math.round(
    (Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(readFileSync(`/proc/${agent.pid}/${file}`, 'utf8').replaceAll('\t', ' '))![1]) /
      1000) *
      10
  ) / 10
console.log(
  JSON.stringify({
    bench: 'agent-memory',
    rss_mb: mb('status', 'VmRSS'),
    pss_mb: mb('smaps_rollup', 'Pss'),
    seconds,
    reports,
    target_mb: 80,
  })
)
agent.kill()
await once(agent, 'exit')
http.closeAllConnections()
http.close()
await new Promise<void>((resolve) => broker.close(() => resolve()))
mqtt.close()
rmSync(folder, { recursive: true })
