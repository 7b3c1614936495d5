import pg from 'pg'
import { answerByCallback } from './answer-by-callback.ts'
import { asOurMistake } from './database-trouble.ts'
import { breakWhenFrozen } from './frozen-database.ts'
import { onlyReadEach } from './only-read-each.ts'
import { usePrepared } from './prepared.ts'

// A bigint or numeric column is a number: beyond 2^53 (9 PB) the nearest there is. Sums are made in the database, where they are exact, and a
// place in the order of one is text. A date is its own text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
pg.types.setTypeParser(pg.types.builtins.INET, (text) => text.replace(/\/(32|128)$/, ''))

// A host that vanishes keeps what its transactions and sessions have locked until its connections end, and TCP alone would take two hours. Days are in UTC, wherever the
// database is.
const settings = `set timezone = 'UTC'; set idle_in_transaction_session_timeout = '60s';
  set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3`

// Not a start-up parameter (`options`): poolers refuse those.
const onlyRead = '; set default_transaction_read_only = on'

/**
 * A connection that is the pool's once it is set up. The pool's own `verify` comes after it has looked whether somebody still waits for the
 * connection: one for whom it took too long would keep it for ever.
 */
class PoolClient extends pg.Client {
  #settings: string

  constructor(options: pg.ClientConfig & Pick<PoolOptions, 'readOnly' | 'shared'> = {}) {
    super(options)
    this.#settings = options.shared ? '' : options.readOnly ? settings + onlyRead : settings
  }

  override connect(): Promise<pg.Client>
  override connect(done: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void
  override connect(done?: unknown): Promise<pg.Client> | void {
    this.on('error', () => {})
    const ready = this.#setUp()
    if (!done) return ready
    const answer = done as (error: Error | null) => void
    ready.then(() => answer(null), answer)
  }

  async #setUp() {
    await super.connect()
    if (this.#settings === '') return this
    try {
      await this.query(this.#settings)
    } catch (error) {
      this.end().catch(() => {})
      throw error
    }
    return this
  }
}

/** `readOnly`: the database refuses every write in its sessions, unless one asks for a transaction that may. */
type PoolOptions = {
  max?: number
  name?: string
  readOnly?: boolean
  /** A pooler may give the session to somebody else after each transaction: it keeps nothing of ours. */
  shared?: boolean
}

/** A pool that survives the database going away (Node would stop at an unhandled error of an idle client) or silent. */
export function openPool(url: string, { max = 10, name = 'masthead', readOnly = false, shared = false }: PoolOptions = {}): pg.Pool {
  const options: pg.PoolConfig & PoolOptions = {
    readOnly,
    shared,
    connectionString: url,
    max,
    application_name: name,
    Client: PoolClient,
    connectionTimeoutMillis: 10_000,
    // What idles between two bursts stays: a new connection plans all anew, when there is the most to do.
    idleTimeoutMillis: 300_000,
    // A host that vanished is noticed within half a minute, also by who waits for what it was asked.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
  const pool = new pg.Pool(options)
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    answerByCallback(client, readOnly ? asOurMistake : undefined)
    if (!shared) usePrepared(client)
    else if (readOnly) onlyReadEach(client)
  })
  breakWhenFrozen(pool)
  return pool
}
