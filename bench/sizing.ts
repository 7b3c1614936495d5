// What usage takes at sizes from BENCH_SIZES (10,000 and 100,000 SIMs; 1,000,000 and 10,000,000 need 7 and 60 GB): bytes of each row with its
// indexes, the meter's memory with a session of every SIM, packets a second. Filled by bulk SQL, then metered as ever. One line per size.
import { openLoad } from '@masthead/simulator/load'
import { openMeteredDatabase } from '@masthead/testkit/metered-database'
import { shareOfMemory } from '@masthead/testkit/process-figures'
import type pg from 'pg'
import { fillUsage, rowsOf } from './metering/fill-usage.ts'
import { seedSims } from './metering/seed-sims.ts'

const sizes = (process.env.BENCH_SIZES ?? '10000,100000').split(',').map(Number)
const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const mostOnLine = 200_000
const tables = [
  'asset',
  'sim',
  'sim_imsi',
  'sim_counter',
  'data_session',
  'usage_record',
  'usage_open_hour',
  'usage_hour',
  'usage_day',
  'usage_month',
  'account_usage_hour',
]

/** Bytes a row takes in its table and in the table's indexes. */
async function bytesPerRow(pool: pg.Pool, table: string) {
  const { rows } = await pool.query<{ rows: number; heap: number; indexes: number }>(
    `select sum(pg_table_size(part))::bigint as heap, sum(pg_indexes_size(part))::bigint as indexes, (select count(*) from ${table}) as rows
      from (select relid as part from pg_partition_tree($1) where isleaf union select $1::regclass) p`,
    [table]
  )
  const { rows: count, heap, indexes } = rows[0]!
  return { rows: count, bytes: Math.round(heap / count), index_bytes: Math.round(indexes / count) }
}

for (const sims of sizes) {
  const begun = performance.now()
  let known: { imsi: string }[] = []
  let filled_s = 0
  const database = await openMeteredDatabase({
    prepare: async (pool) => {
      known = await seedSims(pool, sims, { most: mostOnLine })
      await fillUsage(pool, sims)
      filled_s = Math.round((performance.now() - begun) / 1000)
    },
  })
  try {
    const { pool, meterPid } = database
    const rows = Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await bytesPerRow(pool, table)] as const)))
    const { rows: whole } = await pool.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
    const memory = () => Math.round(shareOfMemory(meterPid).own)
    const before = memory()
    const load = await openLoad({
      target: { host: '127.0.0.1', acct_port: database.acctPort },
      secret: 'bench',
      sims: known,
      inFlight: 512,
    })
    // SIMs begin sessions, from everywhere among all and as many as the meter keeps in memory at most: more are read from the database.
    // Then for a while all of them report.
    const begin = await load.run({ count: known.length })
    const started = memory()
    const report = await load.run({ seconds })
    load.close()
    const { rows: open } = await pool.query<{ count: number }>(`select count(*) from data_session where ended_at is null and nas <> 'fill'`)
    console.log(
      JSON.stringify({
        figure: 'sizing',
        sims,
        rows_per_sim: rowsOf(sims),
        database_mb: Math.round(whole[0]!.bytes / 1e6),
        bytes_per_row: rows,
        meter_mb: { at_rest: before, on_line: started, after_the_load: memory(), open_sessions: open[0]!.count },
        begin: { rate: begin.rate, p99_ms: begin.latency.p99, given_up: begin.given_up },
        load: { rate: report.rate, p99_ms: report.latency.p99, given_up: report.given_up },
        filled_s,
        took_s: Math.round((performance.now() - begun) / 1000),
      })
    )
  } finally {
    await database.stop()
  }
}
