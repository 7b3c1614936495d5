// Processor time per accounting packet, in microseconds, at 1,000 packets a second and at 512 in flight over 100,000 SIMs: of the meter, of its
// connections' processes in PostgreSQL, and of the rest of PostgreSQL (roll-ups, cleaning, checkpoints). Time of the processor and not of the
// clock, so that what else the machine does matters little. Takes about a minute.
import { openMeteredDatabase } from '@masthead/testkit/metered-database'
import { openLoad } from '@masthead/simulator/load'
import { processorOf } from './metering/processor.ts'
import { seedSims } from './metering/seed-sims.ts'

const sims = Number(process.env.BENCH_SIMS ?? 100_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const most = 300 // µs at 1,000 a second, meter and its connections

/** Readings in a batch, on average, decide what each costs: compare figures only where `a_batch` is the same. */
const batchesIn = (figures: string) => Number(/^masthead_meter_commit_seconds_count\S* (\d+)$/m.exec(figures)![1])

let known: { imsi: string }[] = []
const database = await openMeteredDatabase({
  prepare: async (pool) => void (known = await seedSims(pool, sims)),
  nodeArgs: process.env.BENCH_METER_ARGS?.split(' ') ?? [],
})
try {
  const { pool, acctPort: acct_port, meterPid, figures } = database
  const load = await openLoad({ target: { host: '127.0.0.1', acct_port }, secret: 'bench', sims: known, inFlight: 512 })
  const costOf = async (length: Parameters<typeof load.run>[0]) => {
    const committed = batchesIn(await figures())
    const used = await processorOf(pool, meterPid)
    const { answered, rate, latency } = await load.run(length)
    const { meter, connections, others } = await used()
    const each = (ms: number) => Math.round((ms * 1000) / answered)
    const a_batch = Math.round((answered * 10) / (batchesIn(await figures()) - committed)) / 10
    return {
      us: each(meter + connections),
      a_batch,
      meter: each(meter),
      connections: each(connections),
      others: each(others),
      rate,
      ...latency,
    }
  }
  await load.run({ count: sims }) // every SIM has a session now
  await load.run({ seconds: 3, rate: 1000 })
  const at_1000_per_s = await costOf({ seconds, rate: 1000 })
  const at_64 = await costOf({ seconds, inFlight: 64 })
  const at_512 = await costOf({ seconds })
  load.close()
  const ok = at_1000_per_s.us <= most
  console.log(JSON.stringify({ figure: 'packet-cost', ok, sims, at_1000_per_s, at_64, at_512, most_us: most }))
  process.exitCode = ok ? 0 : 1
} finally {
  await database.stop()
}
