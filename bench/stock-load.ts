// Rows of stock a second, loaded from a CSV straight into an account (`npm run masthead -- inventory load --account --active`): checked, in chunks
// that are each whole, safe to run again. Beside it a bare COPY of the same rows into the same tables and indexes of the same database, with no
// triggers and no foreign keys. BENCH_ROWS rows (100,000) on top of as many that are there already; both twice, in turn.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { openStockLoader } from '@masthead/testkit/stock-loader'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

const rows = Number(process.env.BENCH_ROWS ?? 100_000)
const least = 0.5 // of the rate of a bare COPY
const email = 'bench@load.test'
const columns = {
  asset: 'account_id, id, type, serial, name, created_at, sim_id, sim_status, sim_search',
  sim: 'account_id, id, asset_id, iccid, msisdn, eid, imei, state, state_changed_at, state_changed_by, activated_at, limit_bytes, blocks, created_at',
  sim_imsi: 'imsi, account_id, sim_id, position',
  inventory: 'serial, type, iccid, imsis, msisdn, eid, imei, loaded_at, released_at, account_id, asset_id, registered_at',
}
const ofRound = (round: number) => ({
  asset: `serial like 'R${round}-%'`,
  sim: `iccid like '8949${round}%'`,
  sim_imsi: `imsi like '262${round}%'`,
  inventory: `serial like 'R${round}-%'`,
})
type Table = keyof typeof columns
const tables = Object.keys(columns) as Table[]

/** The file of a round: SIMs that nobody has yet. */
function* csvOf(round: number) {
  yield 'type,serial,iccid,imsi,msisdn\n'
  for (let n = 0; n < rows; n++) {
    const digits = String(n).padStart(9, '0')
    yield `plastic_sim,R${round}-${digits},8949${round}0${digits}0001,262${round}0${digits}1,491${round}${digits}\n`
  }
}

async function load(stock: Awaited<ReturnType<typeof openStockLoader>>, round: number): Promise<number> {
  const started = performance.now()
  const report = await stock.load(Readable.from(csvOf(round)))
  if (report.loaded !== rows) throw new Error(`${report.loaded} of ${rows} rows were loaded: ${JSON.stringify(report.errors[0])}`)
  return (rows * 1000) / (performance.now() - started)
}

/** Takes a round's rows out and copies them in again. Answers rows a second. */
async function copyAgain(pool: pg.Pool, round: number): Promise<number> {
  const client = await pool.connect()
  try {
    const kept = new Map<Table, Buffer[]>()
    for (const table of tables) {
      const parts: Buffer[] = []
      for await (const part of client.query(
        copyTo(`copy (select ${columns[table]} from ${table} where ${ofRound(round)[table]}) to stdout`)
      ))
        parts.push(part as Buffer)
      kept.set(table, parts)
    }
    await client.query('set session_replication_role = replica')
    for (const table of tables) await client.query(`delete from ${table} where ${ofRound(round)[table]}`)
    await client.query('vacuum')
    const started = performance.now()
    await client.query('begin')
    for (const table of tables)
      await pipeline(Readable.from(kept.get(table)!), client.query(copyFrom(`copy ${table} (${columns[table]}) from stdin`)))
    await client.query('commit')
    return (rows * 1000) / (performance.now() - started)
  } finally {
    client.release(true)
  }
}

const database = await openProductionDatabase()
try {
  await database.pool.query(`insert into account (id, team_name) values ('acc_bench', 'Bench')`)
  await database.pool.query(`insert into person (id, account_id, email) values ('per_bench', 'acc_bench', $1)`, [email])
  const stock = await openStockLoader(database.url, email)
  await load(stock, 0)
  const [loaded, copied]: [number[], number[]] = [[], []]
  for (const round of [1, 2]) {
    loaded.push(await load(stock, round))
    copied.push(await copyAgain(database.pool, round))
  }
  const mean = (rates: number[]) => rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  const ratio = mean(loaded) / mean(copied)
  const ok = ratio >= least
  console.log(
    JSON.stringify({
      figure: 'stock-load',
      ok,
      rows,
      rate: Math.round(mean(loaded)),
      rates: loaded.map(Math.round),
      copy_rows_per_s: Math.round(mean(copied)),
      copy_rates: copied.map(Math.round),
      ratio,
      least_ratio: least,
    })
  )
  process.exitCode = ok ? 0 : 1
  await stock.close()
} finally {
  await database.stop()
}
