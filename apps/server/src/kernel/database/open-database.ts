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

type Beside = { reads?: PostgresPool; sessions?: PostgresPool; keys?: SecretKeys }

/** Begins transactions on `pool` and reads on `reads`, whose sessions the database may keep from writing. `sessions`: that are nobody else's. `keys`: of its secrets. */
export function openDatabase(pool: PostgresPool, { reads = pool, sessions = pool, keys = noKeys }: Beside = {}): AppDb {
  const [reader, writer] = [kyselyOn(reads), kyselyOn(pool)]
  const owner = sessions === pool ? writer : kyselyOn(sessions)
  const snapshot = reader.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  const begin = <Answer>(work: (tx: Tx) => Promise<Answer>) => writer.transaction().execute((tx) => work(begun(tx, keys)))
  const share = sharingAnswers()
  const ours: Pick<AppDb, 'keys' | 'snapshot' | 'sharedSnapshot' | 'transaction' | 'connection'> = {
    keys,
    snapshot: (read) => snapshot.execute(read),
    sharedSnapshot: (account_id, question, read, longest) => share(account_id, question, () => snapshot.execute(read), longest),
    transaction: () => ({ execute: (work) => withBeginAgain(begin, work) }),
    connection: () => owner.connection(),
  }
  return Object.assign(reader, ours) as AppDb
}

/** `directUrl`: past a pooler that stands at the address, whose sessions are then shared with others. */
type Own = { name: string; writes: number; reads: number; keys: SecretKeys; directUrl?: string | undefined }

type Connected = {
  db: AppDb
  /** Sessions of our own, also past a pooler. */
  own: pg.Pool
  pools: readonly pg.Pool[]
}

/** The queue's five, one that holds a lock, one that is asked about the schema. */
const besidePooler = 7

/** A database with pools of its own: at most `reads` connections whose sessions are read-only, and `writes` for transactions. */
export function connectDatabase(url: string, { name, writes, reads, keys, directUrl }: Own): Connected {
  const shared = directUrl !== undefined
  const pool = openPool(url, { max: writes, name, shared })
  const reading = openPool(url, { max: reads, name: `${name} reads`, readOnly: true, shared })
  const own = shared ? openPool(directUrl, { max: besidePooler, name: `${name} sessions` }) : pool
  return { db: openDatabase(pool, { reads: reading, sessions: own, keys }), own, pools: [...new Set([pool, reading, own])] }
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
