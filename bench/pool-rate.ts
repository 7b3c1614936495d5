// What limits and data pools cost the ingest, in one run: readings counted per second of 100,000 SIMs without them, of as many with a limit each and in 200
// pools, in 100 pools of 1,000, and in one pool of all. They take turns, 5,000 readings each, so that what else the machine does is the same for all. The
// ratios are of the middle turn, each compared with what came right before it.
import { type Reading, openIngest, openMeteredDatabase } from '@masthead/testkit/metered-database'
import { putLimitsAndPools, takenOfPools } from './metering/put-pools.ts'
import { seedSims } from './metering/seed-sims.ts'

const sims = Number(process.env.BENCH_SIMS ?? 100_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 60)
const chunk = Math.min(5000, sims)
const chunks = Math.floor(sims / chunk)
const ways = ['off', 'pools_200', 'pools_100', 'pools_1'] as const
type Way = (typeof ways)[number]
const pools = { off: 0, pools_200: 200, pools_100: 100, pools_1: 1 }

let known: { imsi: string }[] = []
const database = await openMeteredDatabase({
  prepare: async (pool) => {
    // SIM number n is on account n modulo 4.
    known = await seedSims(pool, sims * ways.length, { accounts: ways.length })
    for (const [account, way] of ways.entries()) if (way !== 'off') await putLimitsAndPools(pool, account, { pools: pools[way] })
  },
})
try {
  const ingest = openIngest(database.url)
  const readingOf = (n: number, round: number): Reading => ({
    kind: 'interim',
    nas: 'feed',
    acct_session_id: String(n),
    gateway_id: 'gtw_bench',
    heard_from: null,
    imsi: known[n]!.imsi,
    msisdn: null,
    user_name: null,
    event_at: Date.now(),
    is_timed: true,
    received_at: Date.now(),
    session_time: round * 300,
    counter_up: round * 1000,
    counter_down: round * 5000,
    has_gigawords: false,
    end_cause: null,
    apn: 'iot.example',
    ip: null,
    rat: 'EUTRAN',
    mccmnc: '262-01',
    imei: null,
    cell: null,
  })
  const feed = async (way: number, part: number, round: number) => {
    const readings = Array.from({ length: chunk }, (_, i) => readingOf((part * chunk + i) * ways.length + way, round))
    const start = performance.now()
    await ingest.addAll(readings)
    return performance.now() - start
  }
  for (let part = 0; part < chunks; part++) for (const way of ways.keys()) await feed(way, part, 1) // every SIM has a session now
  const took = Object.fromEntries(ways.map((way) => [way, [] as number[]])) as Record<Way, number[]>
  const start = performance.now()
  for (let turn = 0; performance.now() - start < seconds * 1000; turn++)
    for (const [n, way] of ways.entries()) took[way].push(await feed(n, turn % chunks, 2 + Math.floor(turn / chunks)))
  const { taken, of_sims } = await takenOfPools(database.pool)
  await ingest.stop()
  const middle = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!
  const rate = (way: Way) => Math.round((chunk * 1000) / middle(took[way]))
  const compared = (way: Way, with_: Way) => middle(took[way].map((ms, i) => took[with_][i]! / ms))
  console.log(
    JSON.stringify({
      figure: 'pool-rate',
      sims,
      turns: took.off.length,
      off: rate('off'),
      pools_200: rate('pools_200'),
      pools_100: rate('pools_100'),
      pools_1: rate('pools_1'),
      ratio: compared('pools_200', 'off'),
      least_ratio: 0.8,
      one_pool_over_100: compared('pools_1', 'pools_100'),
      exact: taken === of_sims,
    })
  )
} finally {
  await database.stop()
}
