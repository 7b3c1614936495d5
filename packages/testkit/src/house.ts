import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { pathOf, sentTypes, type Input, type Operation, type Reply } from '@masthead/contract/kernel/operation'
import { newId } from '@masthead/contract/kernel/id'
import type { App } from '@masthead/server/kernel/app'
import { loadConfig, type Config } from '@masthead/server/kernel/config'
import { openBlobs } from '@masthead/server/kernel/blobs/open-blobs'
import { connectDatabase } from '@masthead/server/kernel/database/open-database'
import { runWaitingJobs } from '@masthead/server/kernel/jobs/jobs'
import { mailText, readMail } from '@masthead/server/kernel/mail/mail'
import { openMailer } from '@masthead/server/kernel/mail/mailer'
import type { Authenticate } from '@masthead/server/kernel/http/routes'
import { createMetrics } from '@masthead/server/kernel/metrics'
import { prepareSecretKeys, SecretKeys } from '@masthead/server/kernel/secrets/secret-keys'
import { createServer } from '@masthead/server/server'
import { tasks } from '@masthead/server/tasks'
import { cloneDatabase } from './cluster.ts'
import { testClock } from './clock.ts'
import { testSecretKey } from './secret-key.ts'
import { openTestDatabase } from './test-database.ts'
import { isBeingUndone } from './undone.ts'

/** Somebody with a session, who calls operations as the console does. */
export type Person = {
  email: string
  account_id: string
  cookie: string
  call: <Op extends Operation>(op: Op, input?: Input<Op>, headers?: Record<string, string>) => Promise<Answer<Reply<Op>>>
}
export type Answer<T> = {
  status: number
  body: T & { code?: string; error?: string; detail?: string; fields?: Record<string, string> }
  headers: Record<string, unknown>
  text: string
}

/** The whole server on a database of its own: nothing is faked but the clock. */
export async function openHouse({
  config: changes = {},
  authenticate,
}: {
  config?: Partial<Config>
  /** In place of sessions and keys. */
  authenticate?: Authenticate
} = {}) {
  const database = await cloneDatabase()
  const clock = testClock()
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const settings = { DATABASE_URL: database.url, MASTHEAD_DEMO: 'off', MASTHEAD_SECRET_KEY: testSecretKey }
  // Most tests are not about the way in: sessions last however far the clock is set, and staff have a password alone.
  const easy = { sessionIdleHours: 8760, staffSecondFactor: false }
  // Made when something is first kept in it.
  const dataDir = join(tmpdir(), `masthead-house-${randomUUID()}`)
  const built = { agentDir: join(dataDir, 'agent'), nodesDir: join(dataDir, 'node_modules') }
  const config: Config = { ...loadConfig(settings), dataDir, ...built, ...easy, ...changes }
  const keys = new SecretKeys(config)
  const { db: serverDb, own: pool, pools } = connectDatabase(database.url, { name: 'masthead', writes: 8, reads: 8, keys })
  const app: App = {
    config,
    db: serverDb,
    pool,
    clock,
    log,
    metrics: createMetrics(),
    mailer: openMailer(config),
    blobs: openBlobs(config),
  }
  await prepareSecretKeys(app.db, config)
  const db = openTestDatabase(pool, keys)
  const server = await createServer(app, {
    ready: { parts: () => ({}) },
    ...(authenticate && { authenticate }),
  })

  // As a browser at the configured address has it.
  const host = config.publicUrl ? new URL(config.publicUrl).host : 'localhost:80'

  async function send<Op extends Operation>(
    op: Op,
    input: Partial<Input<Operation>> | undefined,
    headers: Record<string, string>
  ): Promise<Answer<Reply<Op>>> {
    const { params, query, body } = (input ?? {}) as {
      params?: Record<string, string>
      query?: Record<string, string | string[]>
      body?: unknown
    }
    const answer = await server.inject({
      method: op.method,
      url: `/v1${pathOf(op, params)}`,
      headers: { host, ...headers, ...(op.takes !== 'json' && { 'content-type': sentTypes[op.takes] }) },
      ...(query && { query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as never }),
      ...(body !== undefined && { payload: body as never }),
    })
    const json = /\bjson/.test(String(answer.headers['content-type'])) ? answer.json() : undefined
    return { status: answer.statusCode, body: json, headers: answer.headers, text: answer.body }
  }

  /** As in a browser, the cookie is the one that came last; what is undone gave none. */
  function person(email: string, account_id: string, first: string): Person {
    let cookie = first
    return {
      email,
      account_id,
      get cookie() {
        return cookie
      },
      call: async (op, input, headers = {}) => {
        const answer = await send(op, input as never, { cookie, ...headers })
        const given = [answer.headers['set-cookie'] ?? []].flat().map(String)
        const session = given.map((text) => /^(__Host-)?masthead_session=[^;]+/.exec(text)).find((found) => found !== null)
        if (session && headers.cookie === undefined && !isBeingUndone(pool))
          cookie = cookie.replace(/(__Host-)?masthead_session=[^;]*/, session[0])
        return answer
      },
    }
  }

  /** An account and its owner, signed in. No password: signing in is not what most tests are about, nor is whose the address is. */
  async function newOwner(name = 'owner', { staff = [] as string[], proved = true } = {}): Promise<Person> {
    const account_id = newId('account')
    const person_id = newId('person')
    const email = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.test`
    await db.insertInto('account').values({ id: account_id, team_name: name, suspended_at: null, suspended_reason: null }).execute()
    const proven = proved ? { email_proven_at: clock.now(), email_proven_by: 'mail' as const } : {}
    const row = { id: person_id, account_id, email, password_hash: null, permissions: staff, ...proven }
    await db.insertInto('person').values(row).execute()
    return person(email, account_id, await newSession(person_id))
  }

  /** A member of somebody's account, signed in and acting on it. */
  async function newMember(owner: Person, permissions: readonly string[], tags: readonly string[] = []): Promise<Person> {
    const own = await newOwner('member')
    const { id } = await app.db.selectFrom('person').select('id').where('email', '=', own.email).executeTakeFirstOrThrow()
    await db
      .insertInto('membership')
      .values({ account_id: owner.account_id, person_id: id, permissions: [...permissions], tags: [...tags] })
      .execute()
    return person(own.email, owner.account_id, await newSession(id, owner.account_id))
  }

  /** Another session of somebody, on their own account: a second browser. */
  async function newVisit({ email }: Pick<Person, 'email'>): Promise<Person> {
    const row = await app.db.selectFrom('person').select(['id', 'account_id']).where('email', '=', email).executeTakeFirstOrThrow()
    return person(email, row.account_id, await newSession(row.id))
  }

  async function newSession(person_id: string, acting_as: string | null = null) {
    const { openSession } = await import('@masthead/server/auth/sessions/session')
    const { secret } = await app.db
      .transaction()
      .execute((tx) => openSession(tx, { person_id, acting_as, at: clock.now(), days: 14, ip: null, user_agent: 'test' }))
    return `masthead_session=${secret}`
  }

  return {
    app,
    db,
    /** Those of `app`. */
    pools,
    clock,
    server,
    databaseUrl: database.url,
    database,
    newOwner,
    newMember,
    newVisit,
    /** Somebody in a browser with these cookies. */
    personWith: person,
    /** Calls without a session. */
    anyone: {
      call: <Op extends Operation>(op: Op, input?: Input<Op>, headers: Record<string, string> = {}) => send(op, input as never, headers),
    },
    /** Runs every waiting job, and the jobs those make. */
    settle: () => runWaitingJobs(app, tasks),
    /** What was recorded on an account, oldest first. */
    events: async (account_id: string) => {
      const rows = await app.db.selectFrom('event').selectAll().where('account_id', '=', account_id).orderBy('id').execute()
      return rows.map(({ category, action, actor_email, detail }) => ({ name: `${category}.${action}`, actor_email, detail }))
    },
    /** The mail written to an address, oldest first, as it stands in the outbox. */
    mails: async (to: string) => {
      const rows = await app.db.selectFrom('mail').selectAll().where('to_email', '=', to).orderBy('id').execute()
      return rows.map(({ id, subject, text, sent_at }) => ({ to, subject, text: mailText(readMail(keys, { id, text }), config), sent_at }))
    },
    async [Symbol.asyncDispose]() {
      app.mailer?.close()
      await server.close()
      await Promise.all(pools.map((each) => each.end()))
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type House = Awaited<ReturnType<typeof openHouse>>
