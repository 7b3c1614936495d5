import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { indexMadeBy, type Migration } from './migration-file.ts'
import { asLongAsItTakes, loggingWaits, type MigrationLog } from './migration-turn.ts'

/** A migration that could not be done, in words for whoever runs the installation. */
export class MigrationStopped extends Error {
  override name = 'MigrationStopped'
}

/** How long a migration may hold others up, ms. Nobody gets past a lock that is waited for, so the wait is short and made again. */
export type Limits = {
  /** For one lock. */
  lock: number
  /** For all tries together. */
  patience: number
  /** For one statement in a transaction, and for one batch. 0: as long as it takes. */
  statement: number
  batch: number
}
export const limitsBeside: Limits = { lock: 2000, patience: 600_000, statement: 300_000, batch: 60_000 }
/** Where nothing else uses the database. */
export const noLimits: Limits = { lock: 2000, patience: Infinity, statement: 0, batch: 0 }

const firstPause = 500 // ms
const longestPause = 15_000 // ms
const longestRest = 1000 // ms
const logEvery = 10_000 // ms

type Around = { pool: pg.Pool; client: pg.ClientBase; log: MigrationLog; limits: Limits }

/** Runs one migration and notes it as done. Killed at any point it is as if not begun, or goes on where it was when it is run again. */
export async function runMigration(migration: Migration, around: Around): Promise<void> {
  const { name, runs } = migration
  around.log.info(`Migration ${name} begins`)
  await loggingWaits({ ...around, name }, async (waits) => {
    const again = <T>(step: () => Promise<T>) => untilLocksAreFree(name, around.limits, waits, step)
    if (runs === 'in batches') await runInBatches(migration, around, again)
    else if (runs === 'outside a transaction') await again(() => runOutside(migration, around))
    else await again(() => runInTransaction(migration, around))
  })
  around.log.info(`Migration ${name} is done`)
}

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code
const lockTimeOut = '55P03'
const deadlock = '40P01'
const statementTimeOut = '57014'

/** Tries a step until it gets the locks that it needs; between two tries it holds none. */
async function untilLocksAreFree<T>(name: string, limits: Limits, waits: { last: string | null }, step: () => Promise<T>): Promise<T> {
  const from = performance.now()
  for (let rest = firstPause; ; rest = Math.min(rest * 2, longestPause)) {
    try {
      return await step()
    } catch (error) {
      if (codeOf(error) === statementTimeOut)
        throw new MigrationStopped(
          `Migration ${name} was ended because it took too long beside others. Nothing of that step is left. ` +
            'Stop every Masthead on this database, then run: npm run masthead -- migrate --alone',
          { cause: error }
        )
      if (codeOf(error) !== lockTimeOut && codeOf(error) !== deadlock) throw new Error(`Migration ${name} failed`, { cause: error })
      if (performance.now() - from >= limits.patience)
        throw new MigrationStopped(
          `Migration ${name} got no lock in ${Math.round(limits.patience / 1000)} s: it waits for ${waits.last ?? 'another process'}. ` +
            'End that, or start Masthead again later; what runs goes on meanwhile.',
          { cause: error }
        )
    }
    await pause(rest)
  }
}

const noteDone = (client: pg.ClientBase, { name, servesFrom }: Migration) =>
  client.query('insert into migration (name, serves_from) values ($1, $2)', [name, servesFrom])

async function inTransaction<T>(client: pg.ClientBase, lock: number, statement: number, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lock}; set local statement_timeout = ${statement}`)
    const answer = await work()
    await client.query('commit')
    return answer
  } catch (error) {
    await client.query('rollback').catch(() => {}) // the connection may be gone, and why is said by the first
    throw error
  }
}

/** Those that do not say whom they serve were written before anything ran beside them: they take as long as they take. */
const runInTransaction = (migration: Migration, { client, limits }: Around) =>
  inTransaction(client, limits.lock, migration.servesFrom === null ? 0 : limits.statement, async () => {
    await client.query(migration.text)
    await noteDone(client, migration)
  })

/** Each batch is a transaction. Between two the database rests for as long as the batch took. */
async function runInBatches(migration: Migration, { client, limits, log }: Around, again: <T>(step: () => Promise<T>) => Promise<T>) {
  let loggedAt = performance.now()
  for (let changed = 0; ;) {
    const from = performance.now()
    const count = await again(() =>
      inTransaction(client, limits.lock, limits.batch, async () => (await client.query(migration.text)).rowCount ?? 0)
    )
    if (count === 0) break
    changed += count
    if (performance.now() - loggedAt >= logEvery) {
      log.info(`Migration ${migration.name} has changed ${changed} rows so far`)
      loggedAt = performance.now()
    }
    await pause(Math.min(performance.now() - from, longestRest))
  }
  await noteDone(client, migration)
}

/**
 * What is done concurrently waits behind nobody's back: others get past it, so it waits as long as it must. An index of which the making was cut
 * short stays there and is good for nothing.
 */
async function runOutside(migration: Migration, { client, limits }: Around) {
  const index = indexMadeBy(migration.text)
  const isConcurrent = /\bconcurrently\b/i.test(migration.text)
  await asLongAsItTakes(client, isConcurrent ? 0 : limits.lock, async () => {
    const broken =
      index && (await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [index])).rowCount
    if (broken) await client.query(`drop index concurrently if exists ${index}`)
    await client.query(migration.text)
    await noteDone(client, migration)
  })
}
