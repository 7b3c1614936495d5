// Two hundred times kill -9 of the API while clients push, delete and clean-up runs: afterwards each tag names what was acknowledged, every visible manifest
// is complete, every digest right, and the next clean-up leaves nothing that no row names. Prints the seed; MASTHEAD_SEED repeats a run.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '@masthead/simulator/random'
import { type RunningProduct, startProduct } from '@masthead/testkit/product'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { client, digestOf, pushImage, putRobot, wanted } from '../registry/client.ts'

const kills = Number(process.env.BENCH_KILLS ?? 200)
const clients = Number(process.env.BENCH_CLIENTS ?? 4)
const seed = Number(process.env.MASTHEAD_SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
/** What lies so long is as old as what clean-up takes. */
const atRest = 10_000 // ms
const twoDays = 2 * 86_400_000

const filesBelow = (dir: string): string[] => {
  try {
    return readdirSync(dir, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : []
    )
  } catch {
    return []
  }
}

const database = await openProductionDatabase({ warn: () => {} })
const { pool } = database
const dataDir = mkdtempSync(join(tmpdir(), 'masthead-registry-kills-'))
const blobs = join(dataDir, 'blobs')
let product: RunningProduct | undefined
try {
  const { slug, secret } = await putRobot(pool)
  const env: Record<string, string> = {
    DATABASE_URL: database.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_LOG_LEVEL: 'silent',
    MASTHEAD_DATA_DIR: dataDir,
    MASTHEAD_RADIUS_SECRET: 'bench',
  }
  product = await startProduct(env)
  env.MASTHEAD_HTTP_PORT = new URL(product.url).port
  const ask = client(() => product!.url, secret)

  /** Makes older what lies at rest, so that clean-up takes what nothing names: the day that it leaves them is not waited for. */
  const age = async (rest = atRest) => {
    const interval = `interval '${rest} milliseconds'`
    await pool.query(
      `update registry_held set held_at = held_at - interval '2 days' where held_at < now() - ${interval} and held_at > now() - interval '1 day'`
    )
    await pool.query(
      `update registry_blob set kept_at = kept_at - interval '2 days' where kept_at < now() - ${interval} and kept_at > now() - interval '1 day'`
    )
    await pool.query(`update registry_upload set touched_at = touched_at - interval '2 days' where touched_at < now() - ${interval}`)
    for (const path of filesBelow(blobs))
      try {
        const { mtimeMs } = statSync(path)
        if (mtimeMs < Date.now() - rest) utimesSync(path, new Date(mtimeMs - twoDays), new Date(mtimeMs - twoDays))
      } catch {
        // It was removed meanwhile.
      }
  }
  const cleanUp = () => pool.query(`select graphile_worker.add_job('registry.clean_up', '{}'::json)`)

  /** What each tag must name: of what was not answered, what was before or after. */
  const tags = new Map<string, Set<string | null>>()
  let [pushed, deleted, failed] = [0, 0, 0]
  let going = true
  const shared = Array.from({ length: 3 }, () => randomBytes(50_000))
  const work = async (n: number) => {
    const name = `${slug}/app-${n % 2}`
    while (going) {
      const tag = `c${n}-${random.whole(0, 5)}`
      const key = `${name}:${tag}`
      const before = tags.get(key) ?? new Set([null])
      try {
        if (random.whole(0, 3) === 0) {
          tags.set(key, new Set([...before, null]))
          const there = await wanted(ask(`/v2/${name}/manifests/${tag}`), 200, 404)
          if (there.status === 200 && random.whole(0, 1) === 0)
            await wanted(ask(`/v2/${name}/manifests/${digestOf(there.bytes)}`, { method: 'DELETE' }), 202, 404)
          else await wanted(ask(`/v2/${name}/manifests/${tag}`, { method: 'DELETE' }), 202, 404)
          tags.set(key, new Set([null]))
          deleted++
        } else {
          const layers = [randomBytes(random.whole(1000, 400_000)), shared[random.whole(0, 2)]!]
          // The digest is known once it is answered; until then it may be there already.
          tags.set(key, new Set([...before, 'unanswered']))
          tags.set(key, new Set([await pushImage(ask, name, tag, layers)]))
          pushed++
        }
      } catch {
        failed++
        await pause(100)
      }
    }
  }
  const working = Array.from({ length: clients }, (_, n) => work(n))
  const tending = (async () => {
    while (going) {
      await age().catch(() => {})
      await cleanUp().catch(() => {})
      await pause(1500)
    }
  })()
  for (let i = 0; i < kills; i++) {
    await pause(random.between(300, 2500))
    process.kill(product.pid, 'SIGKILL')
    product = await startProduct(env)
  }
  await pause(1000)
  going = false
  await Promise.all([...working, tending])
  // What no client goes on with any more is as old as it gets, and one clean-up takes it.
  await pause(2000)
  await age(0)
  await cleanUp()
  await pool.query(`select graphile_worker.add_job('reports.clear', '{}'::json)`)
  for (let waited = 0; waited < 60_000; waited += 500) {
    await pause(500)
    const { rows } = await pool.query(`select 1 from graphile_worker.jobs where task_identifier in ('registry.clean_up', 'reports.clear')`)
    if (rows.length === 0) break
  }

  const wrong: string[] = []
  for (const [key, may] of tags) {
    const [name, tag] = key.split(':') as [string, string]
    const answer = await wanted(ask(`/v2/${name}/manifests/${tag}`), 200, 404)
    const is = answer.status === 404 ? null : digestOf(answer.bytes)
    if (!may.has(is) && !(is !== null && may.has('unanswered'))) wrong.push(`${key} names ${is}, and not ${[...may].join(' or ')}`)
    if (is !== null && answer.headers.get('docker-content-digest') !== is) wrong.push(`${key} has another digest than its bytes`)
  }
  let manifests = 0
  const { rows: all } = await pool.query<{ name: string; digest: string; content: Buffer }>(
    `select $1 || '/' || r.name as name, m.digest, m.content from registry_manifest m join registry_repository r on r.id = m.repository_id`,
    [slug]
  )
  for (const { name, digest, content } of all) {
    manifests++
    if (digestOf(content) !== digest) wrong.push(`the manifest ${digest} has another digest`)
    const { config, layers } = JSON.parse(content.toString()) as { config: { digest: string }; layers: { digest: string }[] }
    for (const { digest: blob } of [config, ...layers]) {
      const answer = await ask(`/v2/${name}/blobs/${blob}`)
      if (answer.status !== 200 || digestOf(answer.bytes) !== blob)
        wrong.push(`${name}@${digest} names ${blob}, which is not whole (${answer.status})`)
    }
  }
  const { rows: keys } = await pool.query<{ key: string }>('select key from registry_blob')
  const named = new Set(keys.map(({ key }) => key))
  const files = filesBelow(join(blobs, 'registry')).map((path) => relative(blobs, path).split(sep).join('/'))
  const orphans = files.filter((key) => !named.has(key)).length
  const lost = [...named].filter((key) => !files.includes(key)).length
  const { rows: left } = await pool.query<{ links_of_nothing: number; blobs_of_nobody: number; open_uploads: number }>(`select
    (select count(*)::int from registry_held h where not exists (select from registry_reference r
      where r.repository_id = h.repository_id and r.target = h.digest)) as links_of_nothing,
    (select count(*)::int from registry_blob b where not exists (select from registry_held h where h.digest = b.digest)) as blobs_of_nobody,
    (select count(*)::int from registry_upload) as open_uploads`)
  const drafts = filesBelow(join(blobs, '.new')).length
  const nothingLeft = orphans + lost + drafts + left[0]!.links_of_nothing + left[0]!.blobs_of_nobody + left[0]!.open_uploads === 0
  const ok = wrong.length === 0 && nothingLeft && pushed > kills && deleted > 0
  for (const words of wrong.slice(0, 20)) console.error(words)
  console.log(
    JSON.stringify({
      figure: 'registry-kills',
      seed,
      kills,
      pushed,
      deleted,
      cut_off: failed,
      manifests,
      blobs: files.length,
      wrong: wrong.length,
      files_without_a_row: orphans,
      rows_without_a_file: lost,
      ...left[0],
      drafts,
      ok,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  await product?.stop()
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
