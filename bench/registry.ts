// A layer of 200 MB pushed and pulled, alone and by sixteen at once, beside docker-registry in the same run where this machine has one; else beside a bare
// HTTP server that writes what comes to the disk with its sha256. The memory of the API while a blob of 2 GB comes. And whether the time of a HEAD or a mount
// tells what another account has: 1,000 pairs of each, compared by rank.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freeTcp, startProduct, type RunningProduct } from '@masthead/testkit/product'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { client, putRobot, pushBlob, wanted } from './registry/client.ts'
import { newLayer, pull, push, type Place } from './registry/layers.ts'
import { startBareStore } from './registry/bare-store.ts'
import { rankDistance } from './registry/rank-distance.ts'

const megabytes = Number(process.env.BENCH_LAYER_MB ?? 200)
const largeMegabytes = Number(process.env.BENCH_LARGE_MB ?? 2048)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const pairs = Number(process.env.BENCH_PAIRS ?? 1000)
const atOnce = 16

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const rate = (ms: number, mb = megabytes) => Math.round(mb / (ms / 1000))
const residentMb = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** docker-registry with files, or null where there is none. */
async function startDockerRegistry(dir: string): Promise<{ url: string; child: ChildProcess; words: string } | null> {
  const said = spawnSync('docker-registry', ['--version'], { encoding: 'utf8' })
  if (said.error) return null
  const port = await freeTcp()
  const file = join(dir, 'registry.yml')
  writeFileSync(
    file,
    `version: 0.1\nlog:\n  level: error\n  accesslog:\n    disabled: true\nstorage:\n  filesystem:\n    rootdirectory: ${join(dir, 'docker')}\nhttp:\n  addr: 127.0.0.1:${port}\n`
  )
  const child = spawn('docker-registry', ['serve', file], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  for (let n = 0; n < 100; n++) {
    if (
      await fetch(`${url}/v2/`).then(
        ({ ok }) => ok,
        () => false
      )
    )
      return { url, child, words: said.stdout.trim() }
    await pause(100)
  }
  child.kill('SIGKILL')
  return null
}

const database = await openProductionDatabase({ warn: () => {} })
const dir = mkdtempSync(join(tmpdir(), 'masthead-bench-registry-'))
let product: RunningProduct | undefined
let docker: Awaited<ReturnType<typeof startDockerRegistry>> = null
let bare: Awaited<ReturnType<typeof startBareStore>> | undefined
try {
  const { slug, secret } = await putRobot(database.pool)
  product = await startProduct({
    DATABASE_URL: database.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_LOG_LEVEL: 'silent',
    MASTHEAD_DATA_DIR: join(dir, 'data'),
    MASTHEAD_RADIUS_SECRET: 'bench',
  })
  const ours: Place = { url: product.url, authorization: `Basic ${Buffer.from(`bench:${secret}`).toString('base64')}`, name: `${slug}/app` }
  docker = await startDockerRegistry(dir)
  if (!docker) bare = await startBareStore(join(dir, 'bare'))
  const theirs: Place = { url: docker?.url ?? bare!.url, name: 'bench/app' }

  const times = { ours: { push: [], pull: [], many: [] }, theirs: { push: [], pull: [], many: [] } } as Record<
    'ours' | 'theirs',
    Record<'push' | 'pull' | 'many', number[]>
  >
  for (let round = 0; round < rounds + 1; round++)
    for (const [of, place] of [
      ['ours', ours],
      ['theirs', theirs],
    ] as const) {
      const layer = newLayer(megabytes)
      const pushed = await push(place, layer)
      const pulled = await pull(place, layer)
      const started = performance.now()
      await Promise.all(Array.from({ length: atOnce }, () => pull(place, layer)))
      const many = performance.now() - started
      // The first round warms up what is compiled as it runs.
      if (round === 0) continue
      times[of].push.push(pushed)
      times[of].pull.push(pulled)
      times[of].many.push(many)
    }
  const figures = (of: 'ours' | 'theirs') => ({
    push_mb_s: rate(median(times[of].push)),
    pull_mb_s: rate(median(times[of].pull)),
    pulls_16_mb_s: rate(median(times[of].many), megabytes * atOnce),
  })

  await pause(3000)
  const rest = residentMb(product.pid)
  let peak = rest
  const watching = setInterval(() => (peak = Math.max(peak, residentMb(product!.pid))), 50)
  const large = newLayer(largeMegabytes)
  const large_ms = await push(ours, large)
  clearInterval(watching)

  // What another account has, and what nobody has, are asked for in turn.
  const other = await putRobot(database.pool, 'other')
  const [here, there] = [client(() => product!.url, secret), client(() => product!.url, other.secret)]
  const held: string[] = []
  for (let n = 0; n < 20; n++) held.push(await pushBlob(there, `${other.slug}/app`, randomBytes(2000)))
  const nobody = Array.from({ length: 20 }, () => `sha256:${randomBytes(32).toString('hex')}`)
  const timeOf = async (ask: () => Promise<unknown>) => {
    const started = performance.now()
    await ask()
    return performance.now() - started
  }
  const heads: Record<'elsewhere' | 'nowhere', number[]> = { elsewhere: [], nowhere: [] }
  const mounts: typeof heads = { elsewhere: [], nowhere: [] }
  for (let n = -50; n < pairs; n++) {
    // Which of a pair comes first is left to chance.
    const order = (randomBytes(1)[0]! & 1 ? ['elsewhere', 'nowhere'] : ['nowhere', 'elsewhere']) as ('elsewhere' | 'nowhere')[]
    for (const which of order) {
      const digest = (which === 'elsewhere' ? held : nobody)[Math.abs(n) % 20]!
      const head = await timeOf(() => wanted(here(`/v2/${ours.name}/blobs/${digest}`, { method: 'HEAD' }), 404))
      let location = ''
      const mount = await timeOf(async () => {
        const from = n % 2 === 0 ? `${slug}/app` : `${other.slug}/app`
        const answer = await wanted(here(`/v2/${slug}/to/blobs/uploads/?mount=${digest}&from=${from}`, { method: 'POST' }), 202)
        location = answer.headers.get('location')!
      })
      await wanted(here(location, { method: 'DELETE' }), 204)
      if (n < 0) continue
      heads[which].push(head)
      mounts[which].push(mount)
    }
  }
  const apart = { head: rankDistance(heads.elsewhere, heads.nowhere), mount: rankDistance(mounts.elsewhere, mounts.nowhere) }

  const [own, reference] = [figures('ours'), figures('theirs')]
  const times_of = {
    push: Number((own.push_mb_s / reference.push_mb_s).toFixed(2)),
    pull: Number((own.pull_mb_s / reference.pull_mb_s).toFixed(2)),
    pulls_16: Number((own.pulls_16_mb_s / reference.pulls_16_mb_s).toFixed(2)),
  }
  const memory = {
    rest_mb: Math.round(rest),
    above_rest_mb: Math.round(peak - rest),
    large_mb: largeMegabytes,
    large_mb_s: rate(large_ms, largeMegabytes),
  }
  // Beyond 3.3 in either direction one in a thousand runs would be by chance.
  const apartByChance = Math.abs(apart.head) < 3.3 && Math.abs(apart.mount) < 3.3
  const beside = docker ? times_of.push >= 1.5 && times_of.pull >= 0.9 && times_of.pulls_16 >= 0.9 : true
  const ok = beside && memory.above_rest_mb < 40 && apartByChance
  console.log(
    JSON.stringify({
      figure: 'registry',
      layer_mb: megabytes,
      ours: own,
      reference: { what: docker?.words ?? 'a bare HTTP server that writes to the disk with sha256', ...reference },
      times_of_reference: times_of,
      memory,
      pairs,
      elsewhere_or_nowhere_z: apart,
      ok,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  docker?.child.kill('SIGKILL')
  bare?.stop()
  await product?.stop()
  await database.stop()
  rmSync(dir, { recursive: true, force: true })
}
