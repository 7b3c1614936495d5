// What may become of the database, for 30 s each, beside packets, calls and jobs that fail because a gateway ignores them: away, frozen (there, but
// silent), read-only, no room on its disk, slow, restarted again and again, every connection cut again and again; and the clock of the product's
// processes set back an hour. No process ends, no packet or call that was answered is lost, no job is; calls are answered 503 in words where they
// cannot be done, /readyz says why, and counting goes on by itself within 2 s of the database answering. The disk is a small tmpfs, for which
// one must be root. BENCH_FAULT chooses one. MASTHEAD_SEED repeats a run; BENCH_SECONDS is how long a fault lasts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openProductionDatabase, type ProductionDatabase } from '@masthead/testkit/production-database'
import { fillDisk, mountSmallDisk } from '../faults/full-disk.ts'
import { outlive } from '../faults/outlive.ts'

const open = () => openProductionDatabase({ warn: () => {} })

/** Does something again and again until asked to end. What fails now may do the next time; steps that take longer than `every` ms do not queue. */
function again(every: number, step: (n: number) => Promise<void> | void) {
  let ended = false
  const running = (async () => {
    for (let n = 0; !ended; n++) {
      await Promise.allSettled([(async () => step(n))(), pause(every)])
    }
  })()
  return async () => {
    ended = true
    await running
  }
}

type Step = (database: ProductionDatabase, n: number) => Promise<void> | void

/** A fault that comes in pieces, each `every` ms. */
async function inPieces(name: string, every: number, step: Step, last: (database: ProductionDatabase) => void = () => {}) {
  const database = await open()
  let end = async () => {}
  return outlive(database, {
    name,
    isFelt: 'perhaps',
    begin: () => void (end = again(every, (n) => step(database, n))),
    end: async () => {
      await end()
      last(database)
    },
  })
}

async function databaseAway() {
  const database = await open()
  return outlive(database, { name: 'database away', isFelt: true, begin: database.away, end: database.back })
}

async function databaseFrozen() {
  const database = await open()
  return outlive(database, { name: 'database frozen', isFelt: true, begin: database.freeze, end: database.thaw })
}

async function databaseReadOnly() {
  const database = await open()
  return outlive(database, { name: 'database read-only', isFelt: true, begin: database.readOnly, end: database.writable })
}

/** It stands still nine tenths of the time. */
const databaseSlow = () =>
  inPieces(
    'database slow',
    50,
    (database, n) => (n % 10 === 0 ? database.thaw() : database.freeze()),
    (database) => database.thaw()
  )

const databaseRestarted = () => inPieces('database restarted', 5000, (database, n) => database.fall(n % 2 === 0 ? 'SIGINT' : 'SIGKILL'))

const connectionsCut = () => inPieces('connections cut', 100, (database) => database.cut())

async function diskFull() {
  const disk = mountSmallDisk()
  if (!disk) {
    console.log(
      JSON.stringify({ figure: 'faults', fault: 'disk full', skipped: 'a small disk cannot be mounted: run it as root', ok: true })
    )
    return true
  }
  try {
    const dataDir = join(disk.dir, 'masthead')
    mkdirSync(dataDir)
    const database = await openProductionDatabase({ warn: () => {}, dataDir, settings: { max_wal_size: '96MB', min_wal_size: '32MB' } })
    let free = () => {}
    return await outlive(database, { name: 'disk full', isFelt: true, begin: () => void (free = fillDisk(disk.dir)), end: () => free() })
  } finally {
    disk.unmount()
  }
}

async function clockSetBack() {
  const dir = mkdtempSync(join(tmpdir(), 'masthead-clock-'))
  const file = join(dir, 'ahead')
  const set = (ahead: number) => writeFileSync(file, String(ahead))
  set(0)
  const env = { BENCH_CLOCK: file, NODE_OPTIONS: `--import=${import.meta.resolve('../metering/settable-clock.ts')}` }
  try {
    const database = await open()
    return await outlive(database, { name: 'clock set back an hour', begin: () => set(-3_600_000), isFelt: false, env })
  } finally {
    rmSync(dir, { recursive: true })
  }
}

const chosen = process.env.BENCH_FAULT
const faults = {
  database: databaseAway,
  frozen: databaseFrozen,
  read_only: databaseReadOnly,
  disk: diskFull,
  slow: databaseSlow,
  restarted: databaseRestarted,
  cut: connectionsCut,
  clock: clockSetBack,
}
const outcomes: boolean[] = []
for (const [name, fault] of Object.entries(faults)) outcomes.push((chosen !== undefined && chosen !== name) || (await fault()))
process.exitCode = outcomes.every(Boolean) ? 0 : 1
