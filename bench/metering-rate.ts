// Accounting packets answered per second over 100,000 SIMs, each after its commit, with roll-ups running; beside a bare statement
// that writes the same rows in batches of 1,000 on the same database. Takes about a minute and a half.
import { openMeteredDatabase } from '@masthead/testkit/metered-database'
import { openLoad, type LoadReport } from '@masthead/simulator/load'
import { bareRate } from './metering/bare-rate.ts'
import { lostSessions } from './metering/lost-sessions.ts'
import { seedSims } from './metering/seed-sims.ts'

const sims = Number(process.env.BENCH_SIMS ?? 100_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 8)

let known: { imsi: string }[] = []
const database = await openMeteredDatabase({
  prepare: async (pool) => void (known = await seedSims(pool, sims)),
  nodeArgs: process.env.BENCH_METER_ARGS?.split(' ') ?? [],
})
try {
  const { pool, acctPort } = database
  const load = await openLoad({ target: { host: '127.0.0.1', acct_port: acctPort }, secret: 'bench', sims: known, inFlight: 512 })
  await load.run({ count: sims }) // every SIM has a session now
  const at_512 = await load.run({ seconds })
  const at_64 = await load.run({ seconds, inFlight: 64 })
  const at_1000_per_s = await load.run({ seconds, rate: 1000 })
  load.close()
  const lost = await lostSessions(pool, load.sessions)
  await database.stopMeter()
  const bare = await bareRate(pool, seconds)
  const figures = ({ rate, latency, retransmits }: LoadReport) => ({ rate, ...latency, retransmits, ratio: rate / bare })
  const ratio = Math.max(at_64.rate, at_512.rate) / bare
  console.log(
    JSON.stringify({
      figure: 'metering-rate',
      sims,
      at_64: figures(at_64),
      at_512: figures(at_512),
      at_1000_per_s: figures(at_1000_per_s),
      bare_rows_per_s: Math.round(bare),
      ratio,
      least_ratio: 0.15,
      lost,
    })
  )
} finally {
  await database.stop()
}
