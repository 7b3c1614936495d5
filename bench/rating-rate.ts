// What rating costs the ingest, in one run: readings counted per second of SIMs whose account pays by no tariff, and of as many that pay for every byte. They take turns, 5,000 readings each, so that what else the machine does is the same
// for both. The ratio is of the middle turn, compared with what came right before it.
import { type Reading, openIngest, openMeteredDatabase } from '@masthead/testkit/metered-database'
import { chargedInAll, putTariff } from './metering/put-tariff.ts'
import { seedSims } from './metering/seed-sims.ts'

const sims = Number(process.env.BENCH_SIMS ?? 100_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 60)
const chunk = Math.min(5000, sims)
const chunks = Math.floor(sims / chunk)
const ways = ['off', 'rated'] as const
type Way = (typeof ways)[number]

let known: { imsi: string }[] = []
const database = await openMeteredDatabase({
  prepare: async (pool) => {
    // SIM number n is on account n modulo 2.
    known = await seedSims(pool, sims * ways.length, { accounts: ways.length })
    await putTariff(pool, 1)
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
  const took: Record<Way, number[]> = { off: [], rated: [] }
  const start = performance.now()
  for (let turn = 0; performance.now() - start < seconds * 1000; turn++)
    for (const [n, way] of ways.entries()) took[way].push(await feed(n, turn % chunks, 2 + Math.floor(turn / chunks)))
  const { bytes, used } = await chargedInAll(database.pool, 1)
  await ingest.stop()
  const middle = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!
  const rate = (way: Way) => Math.round((chunk * 1000) / middle(took[way]))
  const ratio = middle(took.rated.map((ms, i) => took.off[i]! / ms))
  console.log(
    JSON.stringify({
      figure: 'rating-rate',
      sims,
      turns: took.off.length,
      off: rate('off'),
      rated: rate('rated'),
      ratio,
      least_ratio: 0.75,
      exact: bytes === used,
    })
  )
} finally {
  await database.stop()
}
