// Accounting packets answered per second over 100,000 SIMs, each after its commit, with roll-ups running; beside a bare statement
// that writes the same rows in batches of 1,000 on the same database. Takes about a minute and a half. With BENCH_BESIDE=port/secret another
// RADIUS server on this machine (FreeRADIUS with PostgreSQL, say) gets the same load next, in the same run.
import { openMeteredDatabase } from '@masthead/testkit/metered-database'
import { openLoad, type LoadReport } from '@masthead/simulator/load'
import { bareRate } from './metering/bare-rate.ts'
import { diskWaits } from './metering/disk-waits.ts'
import { lostSessions } from './metering/lost-sessions.ts'
import { seedSims } from './metering/seed-sims.ts'

const sims = Number(process.env.BENCH_SIMS ?? 100_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 8)

let known: { imsi: string }[] = []

/**
 * The same load for whichever server: a session of every SIM, then as many packets as are answered, then 1,000 a second. Before those, what the
 * disk alone takes: a packet cannot be answered sooner, and a shared disk may stand still for a while. The first second after that rest
 * is reported by itself: it is slower.
 */
async function measure(acct_port: number, secret: string) {
  const load = await openLoad({ target: { host: '127.0.0.1', acct_port }, secret, sims: known, inFlight: 512 })
  const begun = await load.run({ count: sims }) // every SIM has a session now
  const at_512 = await load.run({ seconds })
  const at_64 = await load.run({ seconds, inFlight: 64 })
  const disk = await diskWaits(seconds)
  const after_rest = await load.run({ seconds: 1, rate: 1000 })
  const at_1000_per_s = await load.run({ seconds, rate: 1000 })
  load.close()
  return { begun, at_512, at_64, after_rest, at_1000_per_s, disk, sessions: load.sessions }
}

const database = await openMeteredDatabase({
  prepare: async (pool) => void (known = await seedSims(pool, sims)),
  nodeArgs: process.env.BENCH_METER_ARGS?.split(' ') ?? [],
})
try {
  const { pool, acctPort } = database
  const { sessions, begun, at_512, at_64, after_rest, at_1000_per_s, disk } = await measure(acctPort, 'bench')
  const lost = await lostSessions(pool, sessions)
  await database.stopMeter()
  const bare = await bareRate(pool, seconds)
  const told = ({ rate, latency, retransmits }: LoadReport) => ({ rate, ...latency, retransmits })
  const figures = (report: LoadReport) => ({ ...told(report), ratio: report.rate / bare })
  const best = Math.max(at_64.rate, at_512.rate)
  const ratio = best / bare
  const [port, secret] = process.env.BENCH_BESIDE?.split('/') ?? []
  const other = port ? await measure(Number(port), secret!) : null
  console.log(
    JSON.stringify({
      figure: 'metering-rate',
      sims,
      begun: told(begun),
      at_64: figures(at_64),
      at_512: figures(at_512),
      at_1000_per_s: figures(at_1000_per_s),
      after_rest: told(after_rest),
      disk,
      bare_rows_per_s: Math.round(bare),
      ratio,
      least_ratio: 0.15,
      lost,
      ...(other && {
        beside: {
          begun: told(other.begun),
          at_64: told(other.at_64),
          at_512: told(other.at_512),
          at_1000_per_s: told(other.at_1000_per_s),
          after_rest: told(other.after_rest),
          disk: other.disk,
        },
        ratio_beside: best / Math.max(other.at_64.rate, other.at_512.rate),
      }),
    })
  )
} finally {
  await database.stop()
}
