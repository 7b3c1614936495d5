import type { FastifyInstance, FastifyReply } from 'fastify'
import pg from 'pg'
import { heartbeatEvery, missed, type Signal } from '@masthead/contract/kernel/live'
import { Problem, sessionNeeded, tooManyRequests, unauthenticated } from '@masthead/contract/kernel/problem'
import type { Actor, App, Clock } from '../app.ts'
import type { Authenticate } from '../http/routes.ts'
import { breakWhenSilent } from '../database/frozen-database.ts'
import { endWord, liveChannel, type Ending } from './channel.ts'
import { HoldRepeats } from './hold-repeats.ts'
import { eventStream, isEnded, rightsCheck } from './streams.ts'

const gather = 10 // ms: what one transaction changed is one message
const hold = 150 // ms
const endsLookedForEvery = 500
const reconnectAfter = 500
const checkedEvery = 60_000 // a stream outlives neither its session nor its rights by more, should the word that ends it be missed
/** Streams open at once, in this process: of a session (each tab has one) and of a person. */
export const mostStreams = { session: 20, person: 100 } as const
const mostBuffered = 64 * 1024 // a console that does not read is let go; it comes back and asks again

/** Without areas, as another version of the server says it, a console asks for everything again. */
type Received = Pick<Signal, 'name'> & Partial<Signal>

/** What somebody with these permissions is notified of a signal. */
export type AsReceived = (permissions: Actor['permissions'], signal: Received) => Received

type Parts = { gauge: { set: (value: number) => void }; clock: Clock; asReceived: AsReceived }
type Open = { reply: FastifyReply; actor: Actor; check: () => void; until: Date | undefined }

/** Notifies open consoles of what changed, by account (and by person, for what concerns them alone): the first change at once, repeats held back. */
export class LiveHub {
  #open = new Map<string, Set<Open>>()
  #signals = new HoldRepeats<readonly [to: string, signal: Received]>({ gather, hold, send: (signals) => this.#say(signals) })
  #timers: NodeJS.Timeout[] = []
  #gauge: Parts['gauge']
  #count = 0
  #clock: Clock
  #asReceived: AsReceived

  constructor({ gauge, clock, asReceived }: Parts) {
    this.#gauge = gauge
    this.#clock = clock
    this.#asReceived = asReceived
    this.#timers = [setInterval(() => this.#endDue(), endsLookedForEvery), setInterval(() => this.#sendAll(':\n\n'), heartbeatEvery)]
    for (const timer of this.#timers) timer.unref()
  }

  /** `allowed` is asked now and then whether the stream may go on. */
  add(actor: Actor, reply: FastifyReply, allowed: () => Promise<boolean>) {
    const check = () => void allowed().then((still) => still || reply.raw.end())
    const one = { actor, reply, check, until: actor.until }
    // Who lacks a factor is notified of themselves, and of nothing of the account.
    const keys = actor.lacks_factor ? [actor.person_id] : [actor.account_id, actor.person_id]
    for (const key of keys) this.#open.set(key, (this.#open.get(key) ?? new Set()).add(one))
    const timer = setInterval(check, checkedEvery).unref()
    this.#gauge.set(++this.#count)
    // What ended between the question who it is and here was published before anybody listened for it.
    check()
    reply.raw.on('close', () => {
      clearInterval(timer)
      for (const key of keys) {
        const others = this.#open.get(key)
        others?.delete(one)
        if (others?.size === 0) this.#open.delete(key)
      }
      this.#gauge.set(--this.#count)
    })
  }

  /** A person with very many open streams gets no more: if the oldest were closed instead, its console would only open another. Throws too_many_requests. */
  refuseMore({ person_id, session_id }: Actor) {
    const open = [...(this.#open.get(person_id) ?? [])]
    const here = open.filter(({ actor }) => actor.session_id === session_id)
    if (here.length < mostStreams.session && open.length < mostStreams.person) return
    const words = 'You have too many windows of the console open. Close some, because this one is not kept up to date meanwhile'
    throw new Problem(tooManyRequests, words, { retryAfter: 30 })
  }

  signal(to: string, signal: Received) {
    if (this.#open.has(to)) this.#signals.add(`${to} ${signal.name}`, [to, signal])
  }

  #say(signals: (readonly [to: string, signal: Received])[]) {
    for (const [to, some] of Map.groupBy(signals, ([of]) => of)) {
      const said = some.map(([, signal]) => signal)
      for (const { reply, actor } of this.#open.get(to) ?? [])
        send(reply, this.#messages(said, to === actor.person_id ? 'all' : actor.permissions))
    }
  }

  /** What a console gets of these signals, each once. Signals about the person who is signed in come with their names. */
  #messages(signals: readonly Received[], permissions: Actor['permissions']): string {
    const received = new Set(signals.map((signal) => this.#asReceived(permissions, signal)))
    return [...received].map(({ name, refreshes }) => message(name, { refreshes })).join('')
  }

  #endDue() {
    const now = this.#clock.now()
    // Nobody notifies us of a session that ends by its time, so it is checked then. One that was renewed meanwhile goes on.
    for (const one of this.#all())
      if (one.until && one.until <= now) {
        one.until = undefined
        one.check()
      }
  }

  /** Ends the streams of a person, after the signals that wait were sent. */
  end(ending: Ending) {
    void this.#signals.flush()
    for (const { actor, reply } of this.#open.get(ending.person_id) ?? []) if (isEnded(actor, ending)) reply.raw.end()
  }

  /** We may have missed something, also that a stream is to end: every console asks for everything again. */
  missed() {
    this.#sendAll(message(missed))
    for (const { check } of this.#all()) check()
  }

  close() {
    void this.#signals.stop()
    for (const timer of this.#timers) clearInterval(timer)
    for (const { reply } of this.#all()) reply.raw.end()
  }

  #sendAll(text: string) {
    for (const { reply } of this.#all()) send(reply, text)
  }

  /** Each once: everybody is there by account and by person. */
  #all = () => new Set([...this.#open.values()].flatMap((some) => [...some]))
}

const message = (name: string, data: Pick<Received, 'refreshes'> = {}) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

function send(reply: FastifyReply, text: string) {
  // One that was ended waits for its reader; a word more would be an error that nobody gets.
  if (reply.raw.writableEnded) return
  if (reply.raw.writableLength > mostBuffered) reply.raw.destroy()
  else reply.raw.write(text)
}

/** Null for what is none: anybody who may use the database can say anything on its channel. */
function readEnding(text: string): Ending | null {
  try {
    return JSON.parse(text) as Ending
  } catch {
    return null
  }
}

/** How often it is made sure that the database still answers, and how long it may take, ms. */
type Asking = { every?: number; patience?: number }

/** Listens to the database for ever, also after it went away or was silent: consoles ask for everything again then, as calls of theirs failed. Returns how to stop. */
export function listen(
  app: { pool: Pick<pg.Pool, 'options'> },
  hub: Pick<LiveHub, 'end' | 'missed' | 'signal'>,
  { every = 5000, patience = 8000 }: Asking = {}
): () => Promise<void> {
  let stopped = false
  let client: pg.Client | undefined
  const connect = async (again: boolean) => {
    if (stopped) return
    const next = new pg.Client({
      connectionString: app.pool.options.connectionString,
      application_name: 'masthead live',
      connectionTimeoutMillis: patience,
    })
    const lost = () => {
      next.off('end', lost)
      if (!stopped) setTimeout(() => void connect(true), reconnectAfter)
    }
    next.on('error', () => {})
    next.on('notification', ({ payload = '' }) => {
      const [first = '', name = '', areas] = payload.split(' ')
      const ending = first === endWord ? readEnding(payload.slice(endWord.length)) : undefined
      if (ending) hub.end(ending)
      else if (ending === null) hub.missed()
      else hub.signal(first, { name, ...(areas && { refreshes: areas.split(',') as Signal['refreshes'][number][] }) })
    })
    try {
      await next.connect()
      breakWhenSilent(next, patience)
      await next.query(`listen ${liveChannel}`)
      if (stopped) return await next.end()
      const asking = setInterval(() => void next.query(`listen ${liveChannel}`).catch(() => {}), every)
      next.once('end', () => clearInterval(asking))
      next.on('end', lost)
      client = next
      if (again) hub.missed()
    } catch {
      void next.end().catch(() => {}) // may take as long as a frozen database is frozen
      lost()
    }
  }
  void connect(false)
  return async () => {
    stopped = true
    await client?.end().catch(() => {})
  }
}

/** `GET /v1/live`: notifies every open console of an account of what changed. It carries names, never data: the console asks again. */
export function mountLive(server: FastifyInstance, app: App, hub: LiveHub, authenticate: Authenticate) {
  server.get('/v1/live', { config: { operation: 'live' }, exposeHeadRoute: false }, async (request, reply) => {
    const actor = await authenticate(app, request)
    if (!actor) throw new Problem(unauthenticated)
    // Programs have webhooks: a stream would outlive its key.
    if (actor.kind === 'api_key') throw new Problem(sessionNeeded)
    hub.refuseMore(actor)
    reply.hijack()
    reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...eventStream }).write('retry: 1000\n\n')
    // A console that comes back may have missed something while it was away.
    if (request.headers['last-event-id'] !== undefined || 'again' in (request.query as object)) reply.raw.write(message(missed))
    hub.add(actor, reply, rightsCheck(app, request, authenticate, actor))
  })
}
