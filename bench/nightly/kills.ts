// Fifty times kill -9 under load, of the meter, of the API with all its children, and of the database, with duplicates and reordering:
// afterwards usage is exactly what was acknowledged, the roll-ups are the records' sums, data pools gave what their SIMs used, SIMs are blocked that
// reached their limits, and no others, and what SIMs used is charged, settled and in the ledger, each byte once. Prints the seed; MASTHEAD_SEED repeats a run.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { seededRandom } from '@masthead/simulator/random'
import { childOf } from '@masthead/testkit/process-figures'
import { type RunningProduct, startProduct } from '@masthead/testkit/product'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { openSharedLedger } from '@masthead/testkit/shared-ledger'
import { startLoad } from '../metering/running-load.ts'
import { putLimitsAndPools, wrongLimitsAndPools } from '../metering/put-pools.ts'
import { chargedInAll, putTariff } from '../metering/put-tariff.ts'
import { seedSims } from '../metering/seed-sims.ts'

const kills = Number(process.env.BENCH_KILLS ?? 50)
const sims = Number(process.env.BENCH_SIMS ?? 5000)
const seed = Number(process.env.MASTHEAD_SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)

const postmasterOf = async (pool: pg.Pool) => {
  const { rows } = await pool.query<{ dir: string }>(`select current_setting('data_directory') as dir`)
  return Number(readFileSync(join(rows[0]!.dir, 'postmaster.pid'), 'utf8').split('\n')[0])
}

const database = await openProductionDatabase({ warn: () => {} })
const { pool } = database
let product: RunningProduct | undefined
let ledger: Awaited<ReturnType<typeof openSharedLedger>> | undefined

/** What an account was charged once all of it is summed up, beside what its SIMs used, and how often the books do not agree. */
async function booksOf(number: number) {
  const isSettled = async () => (await pool.query('select from charge where is_open limit 1')).rowCount === 0
  for (const until = performance.now() + 60_000; !(await isSettled());) {
    if (performance.now() > until) throw new Error('Charges are not settled')
    await pause(100)
  }
  const { bytes, used } = await chargedInAll(pool, number)
  return { charged: Number(bytes), charged_all: bytes === used, differences: (await ledger!.prove()).length }
}

try {
  const known = await seedSims(pool, sims)
  // Two of the twenty accounts: one whose limits and pools are reached under way, one whose are not.
  await putLimitsAndPools(pool, 0, { pools: 3, size: 20_000_000, limit: 1_000_000 })
  await putLimitsAndPools(pool, 1, { pools: 2 })
  // Another pays for every byte, also when it has no credits.
  await putTariff(pool, 2)
  ledger = await openSharedLedger(database.url, `acc_${'2'.padStart(26, '0')}`, 1)
  await pool.query(`insert into charge_account (account_id, at_zero) values ('acc_' || lpad('2', 26, '0'), 'go_on')`)
  const env: Record<string, string> = {
    DATABASE_URL: database.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_LOG_LEVEL: 'silent',
    MASTHEAD_DATA_DIR: mkdtempSync(join(tmpdir(), 'masthead-kills-')),
    MASTHEAD_RADIUS_SECRET: 'bench',
  }
  product = await startProduct(env)
  env.MASTHEAD_HTTP_PORT = new URL(product.url).port
  env.MASTHEAD_RADIUS_AUTH_PORT = String(product.authPort)
  env.MASTHEAD_RADIUS_ACCT_PORT = String(product.acctPort)
  const load = await startLoad({ acctPort: product.acctPort, sims: known, seed, retry_after: 100, give_up_after: 60_000 })
  const backIn: Record<'meter' | 'api' | 'database', number[]> = { meter: [], api: [], database: [] }
  for (let i = 0; i < kills; i++) {
    const what = (['meter', 'api', 'database'] as const)[i % 3]!
    await pause(random.between(200, 1500))
    if (what === 'api') {
      process.kill(product.pid, 'SIGKILL')
      product = await startProduct(env)
    } else process.kill(what === 'meter' ? childOf(product.pid, 'metering/main.ts')! : await postmasterOf(pool), 'SIGKILL')
    const { answering, counting } = await load.untilCounting(database.url)
    backIn[what].push(counting - answering)
  }
  await pause(500)
  const report = await load.stop()
  const { wrong, equal } = await load.compare(pool)
  const wrong_service = await wrongLimitsAndPools(pool)
  // The one in twenty that took longest, and the longest.
  const longest = (times: number[]) =>
    [0.95, 1].map((share) => Math.round(times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0))
  const { charged, charged_all, differences } = await booksOf(2)
  const isPaid = charged > 0 && charged_all && differences === 0
  const ok = wrong === 0 && equal && wrong_service === 0 && isPaid && report.given_up === 0
  console.log(
    JSON.stringify({
      figure: 'kills',
      seed,
      kills,
      answered: report.answered,
      duplicates: report.duplicates,
      reordered: report.reordered,
      wrong,
      roll_ups_equal: equal,
      wrong_limits_and_pools: wrong_service,
      charged,
      charged_all,
      ledger_differences: differences,
      until_counting_ms_p95_max: { meter: longest(backIn.meter), api: longest(backIn.api), database: longest(backIn.database) },
      ok,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  await product?.stop()
  await ledger?.stop()
  await database.stop()
}
