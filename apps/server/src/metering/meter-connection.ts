import type { Duplex } from 'node:stream'
import pg from 'pg'
import { answerByCallback } from '../kernel/database/answer-by-callback.ts'
import type { Tx } from '../kernel/app.ts'
import { breakWhenSilent } from '../kernel/database/frozen-database.ts'
import { transactionsOn } from '../kernel/database/open-database.ts'
import { usePrepared } from '../kernel/database/prepared.ts'

/** A statement that only looks things up, prepared once per connection. What begins with another word may write, and is sent by `write`. */
export type Statement = { name: string; text: `select ${string}` }
type AnyStatement = { name: string; text: string }

// Batches are joined to tables by their keys. The planner must not think of reading a table whole because its figures are old.
const planning = `set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set plan_cache_mode = force_generic_plan;
  set jit = off; set statement_timeout = '15s'; set idle_in_transaction_session_timeout = '15s'; set timezone = 'UTC'`

const begin: AnyStatement = { name: 'begin', text: 'begin' }
const commit: AnyStatement = { name: 'commit', text: 'commit' }

/** What the database knows the meter's connections by. */
export const meterName = 'masthead meter'

/** One connection of the meter, opened when it is needed and again after it broke. Statements are sent without waiting for each other. */
export class MeterConnection {
  #url: string
  #patience: number
  #replanEvery: number
  #client: pg.Client | undefined
  #planned = 0
  /** Begins a transaction. What is sent before that is answered is inside it, too. Ended by `commit` or `reset`. */
  readonly begin: () => Promise<Tx>

  /**
   * `patience`: milliseconds after which a statement without an answer has lost its connection; the database ends a slow one before.
   * `replanEvery`: milliseconds that a plan is kept. One made while a table was small may read all of it, and the table may grow a thousandfold
   * before the database looks at it again.
   */
  constructor(url: string, { patience = 20_000, replanEvery = 5000 } = {}) {
    this.#url = url
    this.#patience = patience
    this.#replanEvery = replanEvery
    const borrowed = {
      query: async (...args: unknown[]) => {
        if (!this.#client) throw new Error('Connection terminated')
        return (this.#client.query as (...all: unknown[]) => unknown)(...args)
      },
      release: () => {},
    }
    const pool = { connect: async () => borrowed, end: async () => {} }
    this.begin = transactionsOn(pool as never, () => this.#send(begin))
  }

  /** Before a transaction. Rejects when the database is away. */
  async open(): Promise<void> {
    if (this.#client && performance.now() - this.#planned < this.#replanEvery) return
    this.#planned = performance.now()
    if (this.#client) return void (await this.#client.query('discard plans'))
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: meterName,
      connectionTimeoutMillis: 5000,
      pipeline: true,
    } as pg.ClientConfig)
    answerByCallback(client)
    usePrepared(client)
    const lost = () => {
      if (this.#client === client) this.#client = undefined
    }
    client.on('error', lost)
    client.on('end', lost)
    await client.connect()
    breakWhenSilent(client, this.#patience)
    try {
      await client.query(planning)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    this.#client = client
  }

  /** Looks something up, in a transaction or without. Rows as arrays. Rejects with the database's error, or when the connection broke. */
  run<Row extends unknown[]>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> {
    return this.#send<Row>(statement, values)
  }

  /** Writes in the transaction that `begin` of this connection gave, or promised. Answers as `run` does. */
  write<Row extends unknown[]>(_begun: Tx | Promise<Tx>, statement: AnyStatement, values?: readonly unknown[]): Promise<Row[]> {
    return this.#send<Row>(statement, values)
  }

  #send<Row extends unknown[]>(statement: AnyStatement, values: readonly unknown[] = []): Promise<Row[]> {
    if (!this.#client) return Promise.reject(new Error('Connection terminated'))
    writeTogether(this.#client)
    return this.#client.query<Row>({ ...statement, values: values as unknown[], rowMode: 'array' }).then((result) => result.rows)
  }

  async commit(): Promise<void> {
    await this.#send(commit)
  }

  /** Leaves whatever transaction is open, or the connection when that fails. */
  async reset(): Promise<void> {
    await this.#client?.query('rollback').catch(() => this.close())
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }
}

/** What is asked in one turn goes out in one piece: a system call costs both sides as much as a short statement does. */
function writeTogether(client: pg.Client) {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Another meter, or the API, changed a session since this meter last read it. */
export class StaleSessions extends Error {
  readonly name = 'StaleSessions'
}

/**
 * What a failed batch needs: `away`, wait for the database; `again`, someone else was at its sessions; `partition`, a new day has no partition yet;
 * `poison`, it fails whenever it is tried.
 */
export type DatabaseFault = 'away' | 'again' | 'partition' | 'poison'

/**
 * Reads an error of a batch. Poison is only what the values themselves can cause (data, constraints, one row twice, a key that is too long): a schema or a server in
 * trouble is no packet's fault.
 */
export function faultOf(error: unknown): DatabaseFault {
  if (error instanceof StaleSessions) return 'again'
  const { code, message = '', constraint, table } = error as { code?: string; message?: string; constraint?: string; table?: string }
  if (code === undefined) return /connection|timeout|terminated|not queryable/i.test(message) ? 'away' : 'poison'
  if (/^(40|55P03)/.test(code) || (code === '23505' && constraint === 'data_session_key')) return 'again'
  if (code === '23514' && table === 'usage_record') return 'partition'
  return /^(2[123]|54)/.test(code) ? 'poison' : 'away'
}
