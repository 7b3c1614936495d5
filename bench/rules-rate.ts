// What 50 alert rules cost the ingest, in one run: readings counted per second in whole minutes in which all rules are checked, as the worker does once a
// minute, beside minutes in which none is. They take turns. The SIMs are of one account, so that each rule has all of them before it.
import { followRulesOn, openIngest, openMeteredDatabase } from '@masthead/testkit/metered-database'
import { putRules } from './metering/put-rules.ts'
import { readingOf } from './metering/reading.ts'
import { seedSims } from './metering/seed-sims.ts'

const sims = Number(process.env.BENCH_SIMS ?? 100_000)
const rules = Number(process.env.BENCH_RULES ?? 50)
const least = 0.9
const turns = Number(process.env.BENCH_TURNS ?? 3)
const turnMs = Number(process.env.BENCH_TURN_SECONDS ?? 60) * 1000
const chunk = Math.min(5000, sims)

let known: { imsi: string }[] = []
const database = await openMeteredDatabase({
  prepare: async (pool) => {
    known = await seedSims(pool, sims, { accounts: 1 })
    await putRules(pool, 0, rules)
  },
})
try {
  const ingest = openIngest(database.url)
  let next = 0
  const feed = async () => {
    const round = 1 + Math.floor(next / sims)
    const from = next % sims
    const count = Math.min(chunk, sims - from)
    await ingest.addAll(Array.from({ length: count }, (_, i) => readingOf(known[from + i]!.imsi, from + i, round)))
    next += count
  }
  while (next < sims) await feed() // every SIM has a session now
  /** Readings per second in a turn, and how long the rules took of it in ms. */
  const turn = async (withRules: boolean) => {
    const [start, before] = [performance.now(), next]
    let looked = 0
    const looking = withRules ? followRulesOn(database).then(() => (looked = performance.now() - start)) : undefined
    while (performance.now() - start < turnMs) await feed()
    const rate = ((next - before) * 1000) / (performance.now() - start)
    await looking
    return { rate, looked }
  }
  const pairs: { off: number; on: number; looked: number }[] = []
  for (let n = 0; n < turns; n++) {
    const { rate: off } = await turn(false)
    const { rate: on, looked } = await turn(true)
    pairs.push({ off, on, looked })
  }
  await ingest.stop()
  const middle = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!
  const [off, on] = [middle(pairs.map((pair) => pair.off)), middle(pairs.map((pair) => pair.on))]
  const ratio = middle(pairs.map((pair) => pair.on / pair.off))
  const looked_ms = Math.round(middle(pairs.map(({ looked }) => looked)))
  const ok = ratio >= least
  console.log(
    JSON.stringify({
      figure: 'rules-rate',
      ok,
      sims,
      rules,
      turns,
      off: Math.round(off),
      on: Math.round(on),
      looked_ms,
      ratio,
      least_ratio: least,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  await database.stop()
}
