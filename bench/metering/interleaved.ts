import type pg from 'pg'
import { openIngest, openMeteredDatabase } from '@masthead/testkit/metered-database'
import { readingOf } from './reading.ts'
import { seedSims } from './seed-sims.ts'

const sims = Number(process.env.BENCH_SIMS ?? 100_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 60)
const chunk = Math.min(5000, sims)
const chunks = Math.floor(sims / chunk)

const middle = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!

/**
 * Readings counted per second of as many SIMs on each account (number 0 and so on, one for each way). They take turns, 5,000 readings each, so that what
 * else the machine does is the same for all. Ratios are of the middle turn, each compared with what came right before it.
 * @param prepare adds to the accounts what their SIMs cost @param check what must be right at the end, as columns of the figure
 */
export async function interleaved<Way extends string>(
  ways: readonly Way[],
  { prepare, check }: { prepare: (pool: pg.Pool) => Promise<void>; check: (pool: pg.Pool) => Promise<{ exact: boolean }> }
) {
  let known: { imsi: string }[] = []
  const database = await openMeteredDatabase({
    prepare: async (pool) => {
      // SIM number n is on the account n modulo the number of ways.
      known = await seedSims(pool, sims * ways.length, { accounts: ways.length })
      await prepare(pool)
    },
  })
  try {
    const ingest = openIngest(database.url)
    const feed = async (way: number, part: number, round: number) => {
      const readings = Array.from({ length: chunk }, (_, i) => {
        const n = (part * chunk + i) * ways.length + way
        return readingOf(known[n]!.imsi, n, round)
      })
      const start = performance.now()
      await ingest.addAll(readings)
      return performance.now() - start
    }
    for (let part = 0; part < chunks; part++) for (const way of ways.keys()) await feed(way, part, 1) // every SIM has a session now
    const took = Object.fromEntries(ways.map((way) => [way, [] as number[]])) as Record<Way, number[]>
    const start = performance.now()
    for (let turn = 0; performance.now() - start < seconds * 1000; turn++)
      for (const [n, way] of ways.entries()) took[way].push(await feed(n, turn % chunks, 2 + Math.floor(turn / chunks)))
    const checked = await check(database.pool)
    await ingest.stop()
    const rates = Object.fromEntries(ways.map((way) => [way, Math.round((chunk * 1000) / middle(took[way]))])) as Record<Way, number>
    const ratio = (way: Way, to: Way) => middle(took[way].map((ms, i) => took[to][i]! / ms))
    return { sims, turns: took[ways[0]!].length, rates, ratio, ...checked }
  } finally {
    await database.stop()
  }
}
