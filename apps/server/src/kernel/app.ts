import type { Kysely, Transaction } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { permissions, type Permission, type StaffPermission } from '@masthead/contract/kernel/permission'
import type { Blobs } from './blobs/blobs.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Metrics } from './metrics.ts'
import type { Keyed } from './secrets/secret-keys.ts'

/** The time, so that tests can set it. `passed`: the ms since some moment, however the time is set meanwhile. */
export type Clock = { now: () => Date; passed: () => number }
export const systemClock: Clock = { now: () => new Date(), passed: () => performance.now() }

const wasWrong = 86_400_000 // ms

/**
 * A clock that stands still while another is set back, until that has caught up, so that what comes later is never older. It begins at
 * `from` at the earliest. More than a day back is no mistake of now but the end of one: then it follows.
 */
export function steadyClock(clock: Clock, from = new Date(0)): Clock {
  let last = from
  return {
    ...clock,
    now: () => {
      const now = clock.now()
      const back = last.getTime() - now.getTime()
      if (back <= 0 || back > wasWrong) last = now
      return last
    },
  }
}

/** Everything outside a transaction that our code may reach. Made once in main.ts; tests make their own. */
export type App = {
  config: Config
  db: AppDb
  /** Connections with sessions of our own, past a pooler: for graphile-worker, migrations and what needs the database's own address. */
  pool: pg.Pool
  clock: Clock
  log: Logger
  metrics: Metrics
  /** Null without SMTP_URL: mail then stays in the outbox. */
  mailer: Mailer | null
  /** Large things that are kept outside the database. */
  blobs: Blobs
}

/**
 * For functions that only read: read-only sessions or a transaction. Raw SQL goes through it too; that it does not write is seen by the
 * database, where the session is read-only.
 */
export type Db = Pick<Kysely<Database>, 'selectFrom' | 'selectNoFrom' | 'executeQuery' | 'getExecutor' | 'isTransaction'>

declare const begun: unique symbol

/** An open transaction. Functions that write take this, so a write outside one does not compile. Made in `database/open-database.ts` alone. */
export type Tx = Transaction<Database> & Keyed & { readonly [begun]: true }

/** What `read` handlers get: read-only sessions, and the keys for what is kept encrypted. */
export type ReadDb = Db &
  Keyed & {
    /** Reads what is all of one moment, so that its figures agree with each other. */
    snapshot: <Answer>(read: (db: Db) => Promise<Answer>) => Promise<Answer>
    /** The same of a large account, for all who see the whole of it: what somebody asked a little before, `longest` ms at most (`database/share-answer.ts`). */
    sharedSnapshot: <Answer>(
      account_id: string,
      question: readonly unknown[],
      read: (db: Db) => Promise<Answer>,
      longest?: number
    ) => Promise<Answer>
  }

/** Reads as `ReadDb` does, and begins transactions, on other connections. */
export type AppDb = ReadDb & {
  isTransaction: false
  transaction: () => { execute: <Answer>(work: (tx: Tx) => Promise<Answer>) => Promise<Answer> }
  /** One connection, for what PostgreSQL does in no transaction and for locks of a session. */
  connection: () => { execute: <Answer>(work: (one: Db) => Promise<Answer>) => Promise<Answer> }
}

/** For functions that write in the transaction that is open, or in one of their own: see `inTransaction`. */
export type WriteDb = AppDb | Tx

/** Who is asking, on whose account, when and from where. */
export type Actor = {
  kind: 'member' | 'api_key' | 'robot' | 'staff' | 'system' | 'device'
  email: string
  /** Empty for a system or a person not signed in. */
  person_id: string
  /** The session that a person came with. */
  session_id?: string
  /** When what they may do ends by itself, unless they come again before. */
  until?: Date
  /** The account demands a second factor: they have none, or this session was opened without it. */
  lacks_factor?: 'missing' | 'unproved'
  /** Its owner has closed the account: nothing of it is changed until they reopen it. */
  closed?: true
  /** The change of many assets that this is part of: its one event is listed and sent to webhooks, those of each asset are its history alone. */
  bulk_id?: string
  account_id: string
  /** On this account: `all` for its owner. */
  permissions: 'all' | readonly string[]
  /** Staff permissions, present only with a valid backoffice token. */
  staff: readonly StaffPermission[]
  /** Tag ids that limit which assets are seen; empty: all. */
  tags: readonly string[]
  /** The API key they call with, or the robot of the registry; the person is then its maker. */
  key?: { id: string; name: string; /** By which of its secrets: the beginning of it that is no secret. */ prefix?: string }
  at: Date
  ip: string | null
  request_id: string | null
}

export const actorMay = (actor: Pick<Actor, 'permissions'>, permission: Permission): boolean =>
  actor.permissions === 'all' || actor.permissions.includes(permission)

/** What staff may while they look at a customer's account: everything that is only seen. */
export const viewPermissions: readonly string[] = Object.keys(permissions).filter((name) => name.endsWith('.view') || !name.includes('.'))

/** Masthead itself, on an account: jobs and the meter. */
export const systemActor = (account_id: string, at: Date): Actor => ({
  kind: 'system',
  email: 'system',
  person_id: '',
  account_id,
  permissions: 'all',
  staff: [],
  tags: [],
  at,
  ip: null,
  request_id: null,
})
