import { Kysely, PostgresDialect, Transaction, type PostgresPool } from 'kysely'
import type pg from 'pg'
import type { AppDb, Tx, WriteDb } from '../app.ts'
import { noKeys, type SecretKeys } from '../secrets/secret-keys.ts'
import { withBeginAgain } from './begin-again.ts'
import type { Database } from './database.ts'
import { openPool } from './pool.ts'
import { sharingAnswers } from './share-answer.ts'

const kyselyOn = (pool: PostgresPool) => new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })

/** The one place that makes a `Tx`. */
const begun = (tx: Transaction<Database>, keys: SecretKeys) => Object.assign(tx, { keys }) as Tx

type Beside = { reads?: PostgresPool; keys?: SecretKeys }

/** Begins transactions on `pool` and reads on `reads`, whose sessions the database may keep from writing. `keys`: of its secrets. */
export function openDatabase(pool: PostgresPool, { reads = pool, keys = noKeys }: Beside = {}): AppDb {
  const [reader, writer] = [kyselyOn(reads), kyselyOn(pool)]
  const snapshot = reader.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  const begin = <Answer>(work: (tx: Tx) => Promise<Answer>) => writer.transaction().execute((tx) => work(begun(tx, keys)))
  const share = sharingAnswers()
  const ours: Pick<AppDb, 'keys' | 'snapshot' | 'sharedSnapshot' | 'transaction' | 'connection'> = {
    keys,
    snapshot: (read) => snapshot.execute(read),
    sharedSnapshot: (account_id, question, read) => share(account_id, question, () => snapshot.execute(read)),
    transaction: () => ({ execute: (work) => withBeginAgain(begin, work) }),
    connection: () => writer.connection(),
  }
  return Object.assign(reader, ours) as AppDb
}

type Own = { name: string; writes: number; reads: number; keys: SecretKeys }

/** A database with pools of its own: at most `reads` connections whose sessions are read-only, and `writes` for transactions. */
export function connectDatabase(url: string, { name, writes, reads, keys }: Own): { db: AppDb; pools: readonly [pg.Pool, pg.Pool] } {
  const pools = [openPool(url, { max: writes, name }), openPool(url, { max: reads, name: `${name} reads`, readOnly: true })] as const
  return { db: openDatabase(pools[0], { reads: pools[1], keys }), pools }
}

/** Work in the transaction that is open, or in one of its own. */
export const inTransaction = <Answer>(db: WriteDb, work: (tx: Tx) => Promise<Answer>): Promise<Answer> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

/** For a connection whose owner begins and ends transactions itself (the meter), and touches no secrets: what one gets that is open once `begin` has resolved. */
export function transactionsOn(pool: PostgresPool, begin: () => Promise<unknown>): () => Promise<Tx> {
  const dialect = new PostgresDialect({ pool })
  const executor = kyselyOn(pool).getExecutor()
  const tx = begun(new Transaction<Database>({ config: { dialect }, dialect, driver: dialect.createDriver(), executor }), noKeys)
  return async () => {
    await begin()
    return tx
  }
}
