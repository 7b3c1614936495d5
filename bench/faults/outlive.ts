import { setTimeout as pause } from 'node:timers/promises'
import { processesBelow } from '@masthead/testkit/process-figures'
import { startProduct } from '@masthead/testkit/product'
import type { ProductionDatabase } from '@masthead/testkit/production-database'
import { startLoad } from '../metering/running-load.ts'
import { seedSims } from '../metering/seed-sims.ts'
import { openCaller } from '../metering/tag-caller.ts'
import { openIgnoredCuts } from './ignored-cuts.ts'
import { watchReadiness } from './watch-readiness.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 30)
const sims = Number(process.env.BENCH_SIMS ?? 2000)
const seed = Number(process.env.MASTHEAD_SEED ?? Date.now() % 1_000_000)
const mostBackIn = 2000 // ms
const cutWithin = 30 // s
const mostOfStart = 300_000 // ms
const mostOfFault = (seconds + 180) * 1000 // ms

/**
 * `isFelt`: the database takes nothing meanwhile: calls that change something are answered 503, no packet is, and /readyz says why. `perhaps`: now
 * and then. `env`: what the product is started with besides.
 */
export type Fault = {
  name: string
  begin: () => Promise<void> | void
  end?: () => Promise<void> | void
  isFelt: boolean | 'perhaps'
  env?: Record<string, string>
}

/** Packets, calls and jobs that fail, then the fault beside them, then without it again; and what came of it. Ends within minutes whatever happens. */
export async function outlive(database: ProductionDatabase, fault: Fault): Promise<boolean> {
  const endLate = (most: number, what: string) =>
    setTimeout(() => {
      const words = `${what} after ${most / 1000} s`
      console.log(JSON.stringify({ figure: 'faults', fault: fault.name, seed, words, ok: false }))
      process.exit(1)
    }, most)
  // How long a busy machine takes to start says nothing about the fault.
  let late = endLate(mostOfStart, 'not started')
  const isStarted = () => {
    clearTimeout(late)
    late = endLate(mostOfFault, 'not over')
  }
  try {
    return await measure(database, fault, isStarted)
  } finally {
    clearTimeout(late)
    await database.stop()
  }
}

async function measure(database: ProductionDatabase, { name, begin, end, isFelt, env }: Fault, isStarted: () => void): Promise<boolean> {
  const known = await seedSims(database.pool, sims)
  const cuts = await openIgnoredCuts(database.pool)
  const product = await startProduct({
    DATABASE_URL: database.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_LOG_LEVEL: 'error',
    MASTHEAD_RADIUS_SECRET: 'bench',
    ...env,
  })
  try {
    const processes = processesBelow(product.pid).map(({ pid }) => pid)
    const caller = await openCaller(product.url)
    const load = await startLoad({
      acctPort: product.acctPort,
      sims: known,
      seed,
      retry_after: 200,
      give_up_after: (seconds + 60) * 1000,
    })
    isStarted()
    await cuts.begin()
    await pause(2000)
    const ignoredBefore = cuts.ignored()
    await begin()
    const readiness = watchReadiness(product.url)
    const calls = caller.callUntil(Date.now() + seconds * 1000)
    await pause(1000)
    const early = load.answered()
    await calls
    const answeredMeanwhile = load.answered() > early
    await end?.()
    const ended = performance.now()
    const { answering, counting } = await load.untilCounting(database.url)
    await pause(2000)
    const afterwards = await caller.call()
    const uncut = await cuts.countLeft(cutWithin)
    const report = await load.stop()
    const readyz = await readiness.stop()
    const there = new Set(processesBelow(product.pid).map(({ pid }) => pid))
    const fallen = processes.filter((pid) => !there.has(pid)).length
    const unhandled = product.output().match(/nobody (handled|caught)/g)?.length ?? 0
    const { wrong, equal } = await load.compare(database.pool)
    const lostCalls = await caller.countLost(database.pool)
    const backIn = Math.round(counting - answering)
    const { statuses, slowest_ms, words } = caller
    const refused = (statuses[503] ?? 0) > 0
    const known200 = Object.keys(statuses).every((status) => status === '200' || status === '503')
    const told = known200 && (isFelt === 'perhaps' || (refused === isFelt && readyz.red > 0 === isFelt))
    const exact = wrong === 0 && equal && lostCalls === 0 && report.given_up === 0 && uncut === 0
    const stands = fallen === 0 && unhandled === 0
    const well = afterwards === 200 && readyz.afterwards === 200 && backIn <= mostBackIn
    const ok = exact && told && stands && well && (isFelt !== false || answeredMeanwhile)
    const figures = {
      answered: report.answered,
      answered_meanwhile: answeredMeanwhile,
      retransmits: report.retransmits,
      wrong,
      roll_ups_equal: equal,
      calls: { statuses, slowest_ms, words, lost: lostCalls, afterwards },
      jobs: { ignored_before: ignoredBefore, ignored: cuts.ignored(), uncut },
      readyz,
      processes: { fallen, unhandled },
      counting_again_ms: { after_the_fault: Math.round(counting - ended), after_the_database_answered: backIn, most: mostBackIn },
    }
    console.log(JSON.stringify({ figure: 'faults', fault: name, seed, seconds, ...figures, ok }))
    return ok
  } finally {
    cuts.close()
    await product.stop()
  }
}
