// Readings counted per second by the ingest itself, fed in batches without UDP as files and calls do, over 100,000 sessions with roll-ups
// running; beside a bare statement that writes the same rows in batches of 1,000 on the same database.
import { openIngest, openMeteredDatabase } from '@masthead/testkit/metered-database'
import { bareRate } from './metering/bare-rate.ts'
import { readingOf } from './metering/reading.ts'
import { seedSims } from './metering/seed-sims.ts'

const sims = Number(process.env.BENCH_SIMS ?? 100_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 8)
const chunk = 5000

let known: { imsi: string }[] = []
const database = await openMeteredDatabase({ prepare: async (pool) => void (known = await seedSims(pool, sims)) })
try {
  const ingest = openIngest(database.url)
  const begun = Date.now()
  let round = 0
  let counted = 0
  const feed = async (until: () => boolean) => {
    for (round++; ; round++)
      for (let from = 0; from < sims; from += chunk) {
        if (until()) return
        await ingest.addAll(
          Array.from({ length: Math.min(chunk, sims - from) }, (_, i) => readingOf(known[from + i]!.imsi, from + i, round))
        )
        counted += Math.min(chunk, sims - from)
      }
  }
  await feed(() => counted >= sims) // every SIM has a session now
  const before = counted
  const start = performance.now()
  await feed(() => performance.now() - start > seconds * 1000)
  const rate = ((counted - before) * 1000) / (performance.now() - start)
  await ingest.stop()
  const { rows } = await database.pool.query<{ up: number }>('select sum(lifetime_up)::bigint as up from sim_counter')
  const { rows: sums } = await database.pool.query<{ up: number }>('select sum(counter_up)::bigint as up from data_session')
  await database.stopMeter()
  const bare = await bareRate(database.pool, seconds)
  console.log(
    JSON.stringify({
      figure: 'ingest-rate',
      sims,
      rate: Math.round(rate),
      bare_rows_per_s: Math.round(bare),
      ratio: rate / bare,
      least_ratio: 0.6,
      exact: rows[0]!.up === sums[0]!.up,
      took_s: Math.round((Date.now() - begun) / 1000),
    })
  )
} finally {
  await database.stop()
}
