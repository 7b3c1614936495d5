import { randomUUID } from 'node:crypto'
import { terminalHandedOver, terminalWatched } from '@masthead/contract/terminal/events'
import { openTerminal } from '@masthead/contract/terminal/operations'
import type { Actor, App } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { Recorder } from '../recording/recorder.ts'
import { recordingDraft, recordingKey } from '../recording/recording-key.ts'
import { FileHub } from '../files/file-hub.ts'
import { mayStill } from '../may-still.ts'
import { joinCore } from './core-end.ts'
import type { Allowed, Ending, Visitor } from './ends.ts'
import { Relay } from './relay.ts'
import { signallingOf } from './signalling.ts'
import {
  noteEnded,
  noteOpened,
  noteParticipant,
  noteRecording,
  renewEvery,
  renewHeld,
  standingOf,
  takeSession,
  type Held,
} from './session-rows.ts'
import { refuse } from './window-end.ts'

const checksEvery = 500 // ms
const watchedAgainAfter = 60_000 // ms
const asksEvery = 1000 // ms: whoever may not any more is out within two seconds

/** The terminals that go through this process. */
export class TerminalHub {
  readonly files: FileHub
  #app: App
  #holder = randomUUID()
  #relays = new Map<string, Promise<Relay | undefined>>()
  #open = new Set<Relay>()
  #asking = false
  #closing = new Set<Promise<void>>()
  #timers: NodeJS.Timeout[]

  constructor(app: App) {
    this.#app = app
    this.files = new FileHub(app)
    this.#timers = [
      setInterval(() => this.#check(), checksEvery),
      setInterval(() => this.#askAll(), asksEvery),
      setInterval(() => void this.#renew().catch(() => {}), renewEvery),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  get size(): number {
    return this.#open.size
  }

  /** The relay of a session, made when the window or the device is first here. Undefined: it is over, or goes through another process. */
  relayOf(id: string): Promise<Relay | undefined> {
    const known = this.#relays.get(id)
    if (known) return known
    const made = takeSession(this.#app.db, { id, holder: this.#holder, at: this.#app.clock.now() }).then((row) => row && this.#make(row))
    this.#relays.set(id, made)
    made.then(
      (relay) => relay ?? this.#relays.delete(id),
      () => this.#relays.delete(id)
    )
    return made
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    for (const relay of this.#open) relay.end({ reason: 'server_stopped' })
    await Promise.all(this.#closing)
    await this.files.close()
  }

  #make(session: NonNullable<Held>): Relay {
    const { db, blobs, clock, log } = this.#app
    const { id, asset_id, asset_name, cols, rows, opened_by } = session
    const failed = (error: unknown) => log.error({ err: error, terminal: id }, 'something of a terminal could not be written')
    const named = { asset_id, asset_name, terminal_id: id }
    const recorder = new Recorder({
      drafts: blobs.drafts,
      draft: recordingDraft(session),
      key: recordingKey(session),
      size: { cols, rows },
      at: clock.now().getTime(),
      title: asset_name,
      onRoom: () => relay.goOn(),
      onFail: (error) => {
        failed(error)
        relay.end({ reason: 'recording_failed' })
      },
    })
    const watchedAt = new Map<string, number>()
    const relay: Relay = new Relay({
      session,
      size: { cols, rows },
      recorder,
      now: clock.passed,
      age: clock.now().getTime() - session.requested_at.getTime(),
      onOpen: () => void noteOpened(db, this.#now(relay.typist?.actor, session), session).catch(failed),
      onEnd: (ending) => {
        this.files.endOf(relay)
        const closing = this.#close(relay, recorder, ending).catch(failed)
        this.#closing.add(closing)
        void closing.finally(() => this.#closing.delete(closing))
      },
      onWatch: ({ actor }) => {
        const now = clock.passed()
        // A window that comes and goes is no news.
        if (now - (watchedAt.get(actor.email) ?? -watchedAgainAfter) < watchedAgainAfter) return
        watchedAt.set(actor.email, now)
        void db
          .transaction()
          .execute(async (tx) => {
            await noteParticipant(tx, session, actor.email, 'watched_by')
            await record(tx, this.#now(actor, session), terminalWatched, { ...named, opened_by })
          })
          .catch(failed)
      },
      onHandOver: ({ actor }, to) =>
        void db
          .transaction()
          .execute(async (tx) => {
            await noteParticipant(tx, session, to.actor.email, 'typed_by')
            await record(tx, this.#now(actor, session), terminalHandedOver, { ...named, to_email: to.actor.email })
          })
          .catch(failed),
    })
    this.#open.add(relay)
    if (session.kind === 'core') void joinCore(relay, signallingOf(this.#app, session)).catch(failed)
    return relay
  }

  /** Who does something, at this time: they came earlier. */
  #now(
    actor: Actor | undefined,
    {
      account_id,
      opened_by,
      person_id,
      support_id,
    }: { account_id: string; opened_by: string; person_id: string; support_id: string | null }
  ): Actor {
    const at = this.#app.clock.now()
    if (actor) return { ...actor, at }
    const nowhere = { ip: null, request_id: null, permissions: [], staff: [], tags: [] }
    return { kind: support_id === null ? 'member' : 'staff', email: opened_by, person_id, account_id, at, ...nowhere }
  }

  async #close(relay: Relay, recorder: Recorder, { reason, by, words }: Ending): Promise<void> {
    const { db, clock, config } = this.#app
    const { session } = relay.given
    this.#open.delete(relay)
    // Where the database is away the row stays, and a job ends it once nobody says any more that they hold it.
    this.#relays.delete(session.id)
    // Where there was never a shell there is nothing to be seen.
    const wanted = relay.isOpen
    const written = await (wanted ? recorder.keep() : recorder.drop()).then(
      () => true,
      (error: unknown) => {
        this.#app.log.error({ err: error, terminal: session.id }, 'a recording is not kept yet')
        return false
      }
    )
    const at = clock.now()
    await db.transaction().execute(async (tx) => {
      await noteEnded(tx, session, { reason, by, words, at, bytes_in: relay.bytesIn, bytes_out: relay.received })
      if (written) await noteRecording(tx, session, wanted ? config.recordingDays : null, at)
    })
  }

  #check() {
    for (const relay of this.#open) relay.check()
  }

  /** Whether each may still be there. Asked all the time: no event says that a tag was taken from an asset to whom it matters here. */
  #askAll() {
    const relays = [...this.#open]
    const unasked = () => {
      for (const relay of relays) relay.unasked()
    }
    // A database that does not answer.
    if (this.#asking) return unasked()
    if (relays.length === 0) return
    this.#asking = true
    void this.#ask(new Map(relays.map((relay) => [relay.given.session.id, relay])))
      .catch(unasked)
      .finally(() => (this.#asking = false))
  }

  async #ask(relays: ReadonlyMap<string, Relay>): Promise<void> {
    // Once for all windows of one browser, however many somebody opens. Those that came with another secret of its session are asked by themselves.
    const answers = new Map<string, Promise<Allowed>>()
    const isAllowed = ({ actor, client, secret, allowed }: Visitor, terminal_id: string) => {
      const who = [actor.session_id ?? client, actor.account_id, actor.ip, terminal_id, secret].join(' ')
      const known = answers.get(who) ?? allowed()
      answers.set(who, known)
      return known
    }
    const asked = await Promise.all(
      [...relays.values()].flatMap((relay) =>
        [...relay.visitors.values()].map(async (visitor) => ({ relay, visitor, may: await isAllowed(visitor, relay.given.session.id) }))
      )
    )
    // Read after the windows were asked, and said before: a window that is refused because the access of support is over is answered just that.
    for (const { id, end_asked_by, stands, supported } of await standingOf(this.#app.db, this.#app.clock.now(), [...relays.keys()])) {
      if (!stands) relays.get(id)!.end({ reason: 'not_allowed' })
      else if (!supported) relays.get(id)!.end({ reason: 'support_over' })
      else if (end_asked_by !== null) relays.get(id)!.end({ reason: 'ended', by: end_asked_by })
    }
    const stays = (relay: Relay) =>
      asked.some(({ relay: of, visitor, may }) => of === relay && may && visitor.actor.person_id === relay.given.session.person_id)
    await this.#endOfGone([...relays.values()].filter((relay) => !stays(relay)))
    for (const { relay, visitor, may } of asked) {
      if (may === 'comes_again') relay.drop(visitor, 4002, 'the session has another secret')
      else if (!may) refuse(relay, visitor)
    }
    const unknown = new Set(asked.flatMap(({ relay, may }) => (may === 'unknown' ? [relay] : [])))
    await Promise.all(
      [...relays.values()].map(async (relay) => {
        const { device } = relay
        const may = device ? await device.allowed() : true
        if (!may) device?.drop()
        if (may === 'unknown' || unknown.has(relay)) relay.unasked()
        else relay.asked()
      })
    )
  }

  /** A session lasts no longer than who opened it may, also while they are away and where they handed the keyboard over. Of support the access says it. */
  async #endOfGone(relays: readonly Relay[]): Promise<void> {
    const { db, clock } = this.#app
    await Promise.all(
      relays.map(async (relay) => {
        const { session } = relay.given
        if (session.support_id === null && !(await mayStill(db, session, openTerminal, clock.now()))) relay.end({ reason: 'not_allowed' })
      })
    )
  }

  async #renew(): Promise<void> {
    if (this.#open.size === 0) return
    const sessions = [...this.#open].map((relay) => ({
      id: relay.given.session.id,
      bytes_in: relay.bytesIn,
      bytes_out: relay.received,
    }))
    await renewHeld(this.#app.db, this.#app.clock.now(), sessions)
  }
}
