// A rollout to 10,000 simulated devices, while the worker that moves it on is killed (kill -9) again and again: at any moment, and in the middle of what it
// writes. In the second phase 5 % of the devices begin to fail, of which 4 % may: it halts within that phase. Then they are mended and tried again, and it
// reaches all. No device is started while a try runs on it. Prints the seed; MASTHEAD_SEED repeats a run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { RolloutState } from '@masthead/contract/alpon-fleets/rollout'
import { seededRandom } from '@masthead/simulator/random'
import { type RunningProduct, startProduct } from '@masthead/testkit/product'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { client } from '../devices/client.ts'
import { putFleet } from '../devices/fleet-calls.ts'
import { putAccount } from '../devices/put-account.ts'
import { playDevices, putDevices, readStarts, watchStarts } from '../devices/simulated-fleet.ts'
import { until } from '../devices/until.ts'

const count = Number(process.env.BENCH_DEVICES ?? 10_000)
const kills = Number(process.env.BENCH_KILLS ?? 20)
const seed = Number(process.env.MASTHEAD_SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
/** The jobs of a worker that was killed are taken over within this time, and the next step follows. */
const goesOnWithin = 120_000 // ms
/** Nothing of it may take longer. */
const endsWithin = 3_600_000 // ms
const plan = { phases: [1, 10, 50, 100], most_failed_percent: 4, retries: 1, minutes_a_device: 5, window: null }
/** The phase in which devices begin to fail, counted from 0. */
const failsIn = 1

const begun = performance.now()
const database = await openProductionDatabase({ warn: () => {} })
const { pool } = database
const dataDir = mkdtempSync(join(tmpdir(), 'masthead-rollout-'))
let product: RunningProduct | undefined
let devices: ReturnType<typeof playDevices> | undefined
try {
  const { account_id, cookie, assets } = await putAccount(pool, { name: 'bench', assets: count })
  await putDevices(pool, account_id)
  await watchStarts(pool)
  const env = {
    DATABASE_URL: database.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_LOG_LEVEL: 'silent',
    MASTHEAD_ROLES: 'api,worker',
    MASTHEAD_DATA_DIR: dataDir,
  }
  product = await startProduct(env)
  const call = client(() => product!.url, cookie)
  devices = playDevices({ pool, account_id, assets, random })
  const fleet = await putFleet(call, assets)
  const version = await fleet.publish()
  const { rows: changed } = await pool.query<{ asset_id: string; revision: number }>(
    'select asset_id, revision from application where account_id = $1',
    [account_id]
  )
  const before = new Map(changed.map(({ asset_id, revision }) => [asset_id, revision]))
  const { id: rollout } = await fleet.start(version, plan)
  // One of twenty, of the phase that is meant and of each after it.
  const failing = await pool.query<{ asset_id: string }>(
    `select asset_id from (select asset_id, row_number() over (partition by phase order by asset_id) as nth from rollout_device
      where rollout_id = $1 and phase >= $2) d where nth % 20 = 0`,
    [rollout, failsIn]
  )
  devices.breakDown(failing.rows.map(({ asset_id }) => asset_id))

  type Now = { state: RolloutState; moved: number; running: number }
  const look = async () => {
    const { rows } = await pool.query<Now>(
      `select state, (select count(*)::int from bench_start)
          + (select count(*)::int from rollout_device d where d.rollout_id = r.id and d.state in ('success', 'failure')) as moved,
        (select count(*)::int from rollout_device d where d.rollout_id = r.id and d.state = 'started') as running
        from rollout r where id = $1`,
      [rollout]
    )
    return rows[0]!
  }
  /** Somebody is writing how far devices are. */
  const isWriting = async () => {
    const { rows } = await pool.query(
      `select 1 from pg_locks l join pg_class c on c.oid = l.relation where c.relname = 'rollout_device' and l.mode = 'RowExclusiveLock'`
    )
    return rows.length > 0
  }
  let killed = 0
  let goneOn = 0
  /** Plays on until the rollout is in a state, with kills under way. */
  const play = async (wanted: RolloutState) => {
    for (const from = performance.now(); ;) {
      if ((await look()).state === wanted) return
      if (performance.now() - from > endsWithin) throw new Error(`It was not ${wanted} within ${endsWithin / 60_000} minutes`)
      if (killed >= kills) {
        await pause(500)
        continue
      }
      await pause(random.between(1000, 10_000))
      if (killed % 2 === 0) await until('A step of the rollout', 15_000, isWriting).catch(() => {})
      await pause(random.between(0, 300))
      const { moved } = await look()
      process.kill(product!.pid, 'SIGKILL')
      killed++
      const at = performance.now()
      product = await startProduct(env)
      await until('Going on after a kill', goesOnWithin, async () => {
        const now = await look()
        return now.moved > moved || now.state === wanted
      })
      goneOn = Math.max(goneOn, performance.now() - at)
    }
  }
  await play('halted')
  // What has begun ends by itself.
  await until('The tries of a halted rollout', goesOnWithin + plan.minutes_a_device * 60_000, async () => (await look()).running === 0)
  const { rows: halted } = await pool.query<{ phase: number; failed: number }>(
    `select max(phase) filter (where attempts > 0)::int as phase, count(*) filter (where state = 'failure')::int as failed from rollout_device
      where rollout_id = $1`,
    [rollout]
  )
  const halted_in_phase = halted[0]!.phase + 1
  devices.breakDown([])
  await fleet.retry(rollout)
  await play('finished')
  const { rows: left } = await pool.query<{ count: number }>(
    `select count(*)::int from rollout_device where rollout_id = $1 and state <> 'success'`,
    [rollout]
  )
  const { starts, started_twice, wrong_revisions } = await readStarts(pool, account_id, before)
  const ok = halted_in_phase === failsIn + 1 && left[0]!.count === 0 && started_twice === 0 && wrong_revisions === 0 && starts >= count
  console.log(
    JSON.stringify({
      figure: 'rollout',
      seed,
      devices: count,
      kills: killed,
      seconds: Math.round((performance.now() - begun) / 1000),
      fails_from_phase: failsIn + 1,
      halted_in_phase,
      failed: halted[0]!.failed,
      starts,
      started_twice,
      wrong_revisions,
      not_reached: left[0]!.count,
      goes_on_s_max: Math.round(goneOn / 1000),
      ok,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  await devices?.stop()
  await product?.stop()
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
