import { Kysely, PostgresDialect, type Dialect } from 'kysely'
import type pg from 'pg'
import type { AppDb, Db, Tx } from './app.ts'
import type { Database } from './database/database.ts'
import { openPool } from './database/pool.ts'

/** Runs work in a transaction: committed when it resolves, undone when it rejects. Every Tx there is comes from here. */
const inTransaction = <Answer>(db: Kysely<Database>, work: (tx: Tx) => Promise<Answer>): Promise<Answer> =>
  db.transaction().execute((tx) => work(tx as Tx))

/** What a connection of one's own begins its transactions with (the meter's). */
export function beginsTransactions(dialect: Dialect): AppDb['transaction'] {
  const db = new Kysely<Database>({ dialect })
  return () => ({ execute: (work) => inTransaction(db, work) })
}

/** Reads on one pool and writes on another: the sessions of the first are read-only, whatever is sent to them. */
class TwoPools extends Kysely<Database> {
  ofOneMoment = <Answer>(read: (db: Db) => Promise<Answer>): Promise<Answer> =>
    this.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}
