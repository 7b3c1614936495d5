// The database away for 30 s, frozen (there, but silent) for 30 s, and no room on its disk for 30 s, under load: no packet that was answered is
// lost, meanwhile calls are answered 503 in words, and counting goes on by itself within 2 s of the database answering. Then the clock of the
// product's processes set back an hour: no packet is lost and no call fails. The disk is a small tmpfs, for which one must be root. BENCH_FAULT
// (database, frozen, disk, clock) chooses one. MASTHEAD_SEED repeats a run; BENCH_SECONDS is how long a fault lasts.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, rmdirSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openLoad } from '@masthead/simulator/load'
import { startProduct } from '@masthead/testkit/product'
import { openProductionDatabase, type ProductionDatabase } from '@masthead/testkit/production-database'
import { lostSessions } from '../metering/lost-sessions.ts'
import { rollUpsEqual } from '../metering/roll-ups-equal.ts'
import { seedSims } from '../metering/seed-sims.ts'
import { openCaller } from '../metering/tag-caller.ts'
import { whenAnswering } from '../metering/when-answering.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 30)
const sims = Number(process.env.BENCH_SIMS ?? 2000)
const seed = Number(process.env.MASTHEAD_SEED ?? Date.now() % 1_000_000)
const mostBackIn = 2000 // ms

/** `isFelt`: the database cannot be reached meanwhile, and calls must say so. `env`: what the product is started with besides. */
type Fault = {
  name: string
  begin: () => Promise<void> | void
  end?: () => Promise<void> | void
  isFelt?: boolean
  env?: Record<string, string>
}

/** Load, then the fault, then load again; and what came of it. */
async function outlive(database: ProductionDatabase, { name, begin, end, isFelt = true, env }: Fault): Promise<boolean> {
  const known = await seedSims(database.pool, sims)
  const product = await startProduct({
    DATABASE_URL: database.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_LOG_LEVEL: 'silent',
    MASTHEAD_RADIUS_SECRET: 'bench',
    ...env,
  })
  try {
    const caller = await openCaller(product.url)
    const target = { host: '127.0.0.1', acct_port: product.acctPort }
    const patience = { retry_after: 200, give_up_after: (seconds + 60) * 1000 }
    const load = await openLoad({
      target,
      secret: 'bench',
      sims: known,
      inFlight: 64,
      duplicates: 0.05,
      reordered: 0.05,
      seed,
      ...patience,
    })
    const stop = new AbortController()
    const running = load.run({ seconds: 3600, signal: stop.signal })
    await pause(2000)
    await begin()
    const calls = caller.callUntil(Date.now() + seconds * 1000)
    await pause(1000)
    const early = load.answered()
    await calls
    const answeredMeanwhile = load.answered() > early
    await end?.()
    const ended = performance.now()
    const answering = await whenAnswering(database.url)
    for (const before = load.answered(); load.answered() === before;) await pause(2)
    const counting = performance.now()
    await pause(2000)
    const afterwards = await caller.call()
    stop.abort()
    const report = await running
    load.close()
    const wrong = await lostSessions(database.pool, load.sessions)
    const equal = await rollUpsEqual(database.pool)
    const lostCalls = await caller.countLost(database.pool)
    const backIn = Math.round(counting - answering)
    const { statuses, slowest_ms, words } = caller
    const told = Object.keys(statuses).every((status) => status === '200' || status === '503') && (statuses[503] ?? 0) > 0 === isFelt
    const exact = wrong === 0 && equal && lostCalls === 0 && report.given_up === 0
    const ok = exact && told && (isFelt || answeredMeanwhile) && afterwards === 200 && backIn <= mostBackIn
    console.log(
      JSON.stringify({
        figure: 'faults',
        fault: name,
        seed,
        seconds,
        answered: report.answered,
        answered_meanwhile: answeredMeanwhile,
        retransmits: report.retransmits,
        wrong,
        roll_ups_equal: equal,
        calls: { statuses, slowest_ms, words, lost: lostCalls, afterwards },
        counting_again_ms: { after_the_fault: Math.round(counting - ended), after_the_database_answered: backIn, most: mostBackIn },
        ok,
      })
    )
    return ok
  } finally {
    await product.stop()
    await database.stop()
  }
}

async function databaseAway() {
  const database = await openProductionDatabase({ warn: () => {} })
  return outlive(database, { name: 'database away', begin: database.away, end: database.back })
}

async function databaseFrozen() {
  const database = await openProductionDatabase({ warn: () => {} })
  return outlive(database, { name: 'database frozen', begin: database.freeze, end: database.thaw })
}

/** Fills what room is left on a disk; returns how to give it back. */
function fill(dir: string) {
  const file = join(dir, 'ballast')
  const handle = openSync(file, 'w')
  for (const piece of [1 << 20, 4096])
    try {
      for (const zeros = Buffer.alloc(piece); ;) writeSync(handle, zeros)
    } catch {
      // no room for a piece of that size
    }
  closeSync(handle)
  return () => rmSync(file)
}

async function diskFull() {
  const disk = mkdtempSync(join(tmpdir(), 'masthead-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=0755', 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    rmdirSync(disk)
    console.log(
      JSON.stringify({ figure: 'faults', fault: 'disk full', skipped: 'a small disk cannot be mounted: run it as root', ok: true })
    )
    return true
  }
  try {
    const dataDir = join(disk, 'masthead')
    mkdirSync(dataDir)
    const database = await openProductionDatabase({ warn: () => {}, dataDir, settings: { max_wal_size: '96MB', min_wal_size: '32MB' } })
    let free = () => {}
    return await outlive(database, { name: 'disk full', begin: () => void (free = fill(disk)), end: () => free() })
  } finally {
    execFileSync('umount', ['-l', disk])
    rmdirSync(disk)
  }
}

async function clockSetBack() {
  const dir = mkdtempSync(join(tmpdir(), 'masthead-clock-'))
  const file = join(dir, 'ahead')
  const set = (ahead: number) => writeFileSync(file, String(ahead))
  set(0)
  const env = { BENCH_CLOCK: file, NODE_OPTIONS: `--import=${import.meta.resolve('../metering/settable-clock.ts')}` }
  try {
    const database = await openProductionDatabase({ warn: () => {} })
    return await outlive(database, { name: 'clock set back an hour', begin: () => set(-3_600_000), isFelt: false, env })
  } finally {
    rmSync(dir, { recursive: true })
  }
}

const chosen = process.env.BENCH_FAULT
const faults = { database: databaseAway, frozen: databaseFrozen, disk: diskFull, clock: clockSetBack }
const outcomes: boolean[] = []
for (const [name, fault] of Object.entries(faults)) outcomes.push((chosen !== undefined && chosen !== name) || (await fault()))
process.exitCode = outcomes.every(Boolean) ? 0 : 1
