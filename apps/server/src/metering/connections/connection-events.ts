import { sql } from 'kysely'
import type { ConnectionKind } from '@masthead/contract/assets/connection'
import { connectionChanged } from '@masthead/contract/signals'
import type { Logger } from 'pino'
import type { AppDb, Db, Tx } from '../../kernel/app.ts'
import { publishAll } from '../../kernel/live/publish.ts'
import { ensureDaysOfEvents } from './connection-partitions.ts'

const hour = 3_600_000
const every = 1000 // ms
/** So many rows wait at most: a database that is away for long costs the events of that time, and no memory. */
const mostWaiting = 20_000

/** Something that happened on the way to the network. `key` tells those of an hour apart that are counted by themselves. `at`: milliseconds. */
export type ConnectionEvent = {
  account_id: string
  sim_id: string
  asset_id: string
  kind: ConnectionKind
  key: string
  at: number
  words: string | null
  mccmnc: string | null
  rat: string | null
  gateway: string | null
  before: string | null
  after: string | null
}

type Row = Omit<ConnectionEvent, 'at'> & { hour: number; first_at: number; last_at: number; count: number }

/**
 * Keeps what happened on the way to the network: what repeats within an hour is one row with its count, written once a second beside what it
 * is about. No packet waits for it, and none is a row: a device that is refused ten times a second is one.
 */
export class ConnectionEvents {
  #db: AppDb
  #log: Logger
  #waiting = new Map<string, Row>()
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> | undefined
  #stopped = false
  #lost = 0

  constructor({ db, log }: { db: AppDb; log: Logger }) {
    this.#db = db
    this.#log = log
  }

  add(event: ConnectionEvent) {
    const row = rowOf(event)
    const key = keyOf(row)
    const before = this.#waiting.get(key)
    if (!before && this.#waiting.size >= mostWaiting) return void this.#lost++
    this.#waiting.set(key, before ? merge(before, row) : row)
    if (!this.#stopped) this.#timer ??= setTimeout(() => (this.#work = this.#flush()), every)
  }

  /** Writes what waits, unless that fails. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#work
    await this.#flush()
  }

  async #write(rows: readonly Row[]) {
    try {
      await this.#db.transaction().execute((tx) => write(tx, rows))
    } catch (error) {
      if (!hasNoPartition(error)) throw error
      await ensureDaysOfEvents(
        this.#db,
        rows.map(({ hour: begins }) => begins)
      )
      await this.#db.transaction().execute((tx) => write(tx, rows))
    }
  }

  async #flush() {
    const rows = [...this.#waiting.values()]
    this.#waiting.clear()
    this.#timer = undefined
    if (rows.length === 0) return
    try {
      await this.#write(rows)
      await publishEvents(this.#db, rows)
    } catch (error) {
      this.#lost += rows.length
      this.#log.warn({ err: error, lost: this.#lost }, 'connection events could not be kept')
    }
  }
}

/** A day far ahead of the one before, because the clock was set. */
const hasNoPartition = (error: unknown) => {
  const { code, table } = error as { code?: string; table?: string }
  return code === '23514' && table === 'connection_event'
}

const keyOf = ({ account_id, sim_id, hour: begins, kind, key }: Row) => `${account_id} ${sim_id} ${begins} ${kind} ${key}`

const rowOf = ({ at, ...event }: ConnectionEvent): Row => ({
  ...event,
  hour: Math.floor(at / hour) * hour,
  first_at: at,
  last_at: at,
  count: 1,
})

const merge = (before: Row, next: Row): Row => ({
  ...next,
  first_at: Math.min(before.first_at, next.first_at),
  last_at: Math.max(before.last_at, next.last_at),
  count: before.count + next.count,
})

/** Keeps events at once, in the transaction that is open: for feeds, whose events are answered once they are committed. */
export async function keepConnectionEvents(tx: Tx, events: readonly ConnectionEvent[]): Promise<void> {
  const rows = new Map<string, Row>()
  for (const event of events) {
    const row = rowOf(event)
    const before = rows.get(keyOf(row))
    rows.set(keyOf(row), before ? merge(before, row) : row)
  }
  if (rows.size === 0) return
  await write(tx, [...rows.values()])
  await publishEvents(tx, [...rows.values()])
}

const publishEvents = (db: Db, rows: readonly Row[]) =>
  publishAll(
    db,
    [...new Set(rows.map(({ account_id }) => account_id))].map((account_id) => [account_id, connectionChanged] as const)
  )

/** In the order of the key, so that two meters never wait for each other in a circle. */
async function write(tx: Tx, rows: readonly Row[]): Promise<void> {
  const times = rows
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((row) => ({
      ...row,
      hour: new Date(row.hour),
      first_at: new Date(row.first_at),
      last_at: new Date(row.last_at),
    }))
  await sql`insert into connection_event as e
      (account_id, sim_id, asset_id, hour, kind, key, first_at, last_at, count, words, mccmnc, rat, gateway, before, after)
    select account_id, sim_id, asset_id, hour, kind, key, first_at, last_at, count, words, mccmnc, rat, gateway, before, after
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as given (account_id text, sim_id text, asset_id text, hour timestamptz, kind text,
      key text, first_at timestamptz, last_at timestamptz, count integer, words text, mccmnc text, rat text, gateway text, before text, after text)
    on conflict (account_id, sim_id, hour, kind, key) do update set count = e.count + excluded.count, words = excluded.words,
      first_at = least(e.first_at, excluded.first_at), last_at = greatest(e.last_at, excluded.last_at), gateway = excluded.gateway`.execute(
    tx
  )
}
