// A hundred kill -9 of agents, of the server with all its children, and of the broker, while clients type in terminals, send through tunnels and roll
// versions out. Nothing hangs for longer than its own time limit, after each ten kills the work goes on, and then nothing is left open: no session, no
// recording, no tunnel, no rollout, on the devices no shell and no connection of a tunnel. Prints the seed; MASTHEAD_SEED repeats a run.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { awayFor } from '@masthead/contract/terminal/session'
import { seededRandom } from '@masthead/simulator/random'
import { childOf } from '@masthead/testkit/process-figures'
import { freeTcp, type RunningProduct, startProduct } from '@masthead/testkit/product'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { workInRollouts } from '../device-kills/rollout-work.ts'
import { startService, type Scene } from '../device-kills/scene.ts'
import { workInTerminals } from '../device-kills/terminal-work.ts'
import { workInTunnels } from '../device-kills/tunnel-work.ts'
import { type AgentProcess, startAgentProcess } from '../devices/agent-process.ts'
import { client } from '../devices/client.ts'
import { putFleet } from '../devices/fleet-calls.ts'
import { isOnline } from '../devices/own-agent.ts'
import { putAccount } from '../devices/put-account.ts'
import { until } from '../devices/until.ts'

const kills = Number(process.env.BENCH_KILLS ?? 100)
const aRound = 10
const seed = Number(process.env.MASTHEAD_SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
const devices = 3
const [clients, tunnels] = [4, 3]
/** What a server that was killed held is ended by the job of the next minute, once it is held no more: 30 s a session, 60 s a connection. */
const clearedWithin = 180_000 // ms
/** A device waits longer each time before it connects again, at most so long. */
const backWithin = 330_000 // ms
const marker = String(910_000_000 + (seed % 1_000_000))
const digest = `@sha256:${'ab'.repeat(32)}`
const images = ['acme/relay:1', 'acme/relay:2'].flatMap((image) => [image, image + digest])

/** Shells whose marked program still runs, whoever their parent is by now. */
const shellsLeft = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`sleep\0${marker}`)
    } catch {
      return false // it ended meanwhile
    }
  }).length

const begun = performance.now()
const database = await openProductionDatabase({ warn: () => {} })
const { pool } = database
const dataDir = mkdtempSync(join(tmpdir(), 'masthead-device-kills-'))
const service = await startService()
const agents: AgentProcess[] = []
let product: RunningProduct | undefined
try {
  const env: Record<string, string> = {
    DATABASE_URL: database.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_LOG_LEVEL: 'silent',
    MASTHEAD_ROLES: 'api,worker,broker',
    MASTHEAD_DATA_DIR: dataDir,
    MASTHEAD_HTTP_PORT: String(await freeTcp()),
    MASTHEAD_MQTT_PORT: String(await freeTcp()),
    MASTHEAD_MQTTS_PORT: String(await freeTcp()),
  }
  product = await startProduct(env)
  const { url } = product
  const { account_id, cookie, assets } = await putAccount(pool, { name: 'bench', assets: devices })
  const call = client(() => url, cookie)
  for (const asset of assets) agents.push(await startAgentProcess(call, { url, asset, images }))
  const allOnline = () =>
    until('The devices that come back', backWithin, async () =>
      (await Promise.all(assets.map((asset) => isOnline(call, asset)))).every(Boolean)
    )
  await allOnline()
  const fleet = await putFleet(call, assets)
  const versions = [await fleet.publish()]
  await fleet.change('acme/relay:2')
  versions.push(await fleet.publish())

  const hung: string[] = []
  const left = { sessions: 0, recordings: 0, tunnels: 0, tunnel_connections: 0, rollouts: 0, shells: 0, device_connections: 0 }
  const counts = { sessions: 0, shells: 0, echoes: 0, tunnels: 0, pieces: 0 }
  let going = false
  const scene: Scene = { call, url, cookie, agents, fleet, random, marker, port: service.port, goes: () => going, hung, counts }
  const killed = { agent: 0, server: 0, broker: 0 }

  const kill = async (what: keyof typeof killed) => {
    if (what === 'agent') {
      const agent = agents[random.whole(0, devices - 1)]!
      await agent.kill()
      await pause(random.between(0, 3000))
      agent.start()
    } else if (what === 'server') {
      process.kill(product!.pid, 'SIGKILL')
      // Its children end with it, and hold its ports until then.
      product = await until('The server that starts again', 60_000, () => startProduct(env))
    } else
      process.kill(await until('The broker', 60_000, () => Promise.resolve(childOf(product!.pid, 'devices/broker/main.ts'))), 'SIGKILL')
    killed[what]++
  }

  /** How many rows of the account are not over. */
  const open = async (what: string) => {
    const { rows } = await pool.query<{ count: number }>(`select count(*)::int from ${what}`, [account_id])
    return rows[0]!.count
  }
  const openNow = {
    sessions: () => open(`terminal_session where account_id = $1 and state <> 'ended'`),
    recordings: () => open(`terminal_session where account_id = $1 and recording = 'writing'`),
    tunnels: () => open(`tunnel where account_id = $1 and state <> 'ended'`),
    tunnel_connections: () => open('tunnel_connection where account_id = $1 and ended_at is null'),
    rollouts: () => open(`rollout where account_id = $1 and state in ('running', 'paused', 'halted')`),
    shells: () =>
      Math.max(
        shellsLeft(),
        agents.reduce((sum, agent) => sum + agent.children().length, 0)
      ),
    device_connections: () => service.open(),
  }
  /** Nothing is left open, each in its own time. */
  const calm = async () => {
    const { rows } = await pool.query<{ id: string }>(`select id from tunnel where account_id = $1 and state <> 'ended'`, [account_id])
    for (const { id } of rows) await call('POST', `tunnels/${id}/revoke`).catch(() => {})
    for (const [what, count] of Object.entries(openNow)) {
      const limit = what === 'shells' || what === 'device_connections' ? awayFor + 15_000 : clearedWithin
      await until(`What is left of ${what}`, limit, async () => (await count()) === 0).catch(async (error: Error) => {
        hung.push(error.message)
        const now = await count()
        left[what as keyof typeof left] += now
      })
    }
  }

  for (let done = 0; done < kills;) {
    going = true
    const working = [
      ...Array.from({ length: clients }, (_, nth) => workInTerminals(scene, nth)),
      ...Array.from({ length: tunnels }, (_, nth) => workInTunnels(scene, nth)),
      workInRollouts(scene, versions),
    ]
    for (const end = Math.min(kills, done + aRound); done < end; done++) {
      await pause(random.between(500, 4000))
      await kill((['agent', 'server', 'broker'] as const)[random.whole(0, 2)]!)
    }
    // However slow the machine is: the work goes on.
    const { echoes, pieces } = counts
    await until('As much work after the kills as there were', backWithin, () =>
      Promise.resolve(counts.echoes > echoes + aRound && counts.pieces > pieces + aRound)
    ).catch((error: Error) => hung.push(error.message))
    going = false
    // Each of them has its own limit, and says what reached it.
    await Promise.all(working)
    await calm()
    await allOnline()
  }
  const rolledOut = await open(`rollout where account_id = $1 and state = 'finished'`)
  const isClean = Object.values(left).every((count) => count === 0)
  const ok = hung.length === 0 && isClean && rolledOut > 0
  for (const words of hung.slice(0, 20)) console.error(words)
  console.log(
    JSON.stringify({
      figure: 'device-kills',
      seed,
      kills,
      killed,
      seconds: Math.round((performance.now() - begun) / 1000),
      ...counts,
      rollouts: rolledOut,
      hung: hung.length,
      left,
      ok,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  for (const agent of agents) await agent.stop()
  service.stop()
  await product?.stop()
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
