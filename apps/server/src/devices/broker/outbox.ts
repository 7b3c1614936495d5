import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { AppDb, Clock, Tx } from '../../kernel/app.ts'
import { LastingFailure } from '../../kernel/lasting-failure.ts'
import type { Broker } from './broker.ts'
import { isUnsaid, takeOpenConfigs } from './config-progress.ts'
import { subscriptionTo, type Connection } from './connections.ts'
import type { DeviceKey } from './report-writer.ts'

type Parts = { db: AppDb; broker: Broker; name: string; clock: Clock; log: Logger }
type Directive = {
  account_id: string
  device_id: string
  id: string
  payload: Record<string, unknown>
  created_at: Date
  expires_at: Date
}

/** Devices that come together are asked for together: for most of them nothing waits. */
const gather = 20 // ms

/** Which of its topics a device is subscribed to: what goes to the other waits. */
type Takes = { directives: boolean; request: boolean }

/** Publishes what waits for devices that are connected here. */
export class Outbox {
  #parts: Parts
  #busy = new Map<string, boolean>()
  #subscribed = new Map<string, DeviceKey>()
  #unsent: LastingFailure
  #undeleted: LastingFailure

  constructor(parts: Parts) {
    this.#parts = parts
    this.#unsent = new LastingFailure(parts.log, {
      begins: 'what waits for devices is not sent yet',
      over: 'what waits for devices is sent again',
    })
    this.#undeleted = new LastingFailure(parts.log, {
      begins: 'what devices have acknowledged is not deleted yet',
      over: 'what devices have acknowledged is deleted again',
    })
  }

  /** A device has subscribed to something. Where what waits for it cannot be asked for now, `sweep` finds it. */
  subscribed(to: Connection): void {
    if (!takesAny(to)) return
    if (this.#subscribed.size === 0) setTimeout(() => void this.#deliverAll().catch((error: unknown) => this.#unsent.failed(error)), gather)
    this.#subscribed.set(to.device_id, to)
  }

  async #deliverAll(): Promise<void> {
    const came = [...this.#subscribed.values()]
    this.#subscribed.clear()
    const { rows } = await sql<{ id: string }>`select g.id
      from unnest(${came.map(({ account_id }) => account_id)}::text[], ${came.map(({ device_id }) => device_id)}::text[]) as g (account_id, id)
      where exists (select from device_directive d where d.account_id = g.account_id and d.device_id = g.id)
        or exists (select from device_config c where c.device_id = g.id and ${isUnsaid(this.#parts.clock)})`.execute(this.#parts.db)
    for (const { id } of rows) this.deliver(id)
  }

  /** One at a time for each device, in order; what comes meanwhile is looked for afterwards. */
  deliver(device_id: string): void {
    const to = this.#parts.broker.connections.byDevice(device_id)
    if (!to || !takesAny(to)) return
    if (this.#busy.has(device_id)) return void this.#busy.set(device_id, true)
    this.#busy.set(device_id, false)
    void this.#deliver(to)
      .catch((error: unknown) => this.#unsent.failed(error))
      .finally(() => {
        const more = this.#busy.get(device_id)
        this.#busy.delete(device_id)
        if (more) this.deliver(device_id)
      })
  }

  /** Whatever waits for anybody here: also what was published and not answered in time. Deletes what waited too long. */
  async sweep(): Promise<void> {
    const { db, name, clock } = this.#parts
    await db.transaction().execute((tx) => tx.deleteFrom('device_directive').where('expires_at', '<', clock.now()).execute())
    const { rows } = await sql<{ id: string }>`select d.id from device d where d.held_by = ${name} and d.online and d.id in (
      select device_id from device_directive union all
      select device_id from device_config where ${isUnsaid(clock)})`.execute(db)
    for (const { id } of rows) this.deliver(id)
  }

  /**
   * An agent drops a command that it has done by its id: its directives stay until it has acknowledged them, and come again on its next connection.
   * A CORE device knows no ids and would restart twice: its directives are deleted before they are published. A change of its configuration may
   * come twice.
   */
  async #deliver(to: Connection): Promise<void> {
    const { db, broker, clock } = this.#parts
    const published = new Set(to.published)
    const takes = takenBy(to)
    const waiting = waitingFor(to, takes, clock.now())
    const [found, configs] = await db
      .transaction()
      .execute(async (tx) => [
        await (to.kind === 'core' ? takeDirectives(tx, waiting) : listDirectives(tx, waiting)),
        takes.directives ? await takeOpenConfigs(tx, clock, to) : [],
      ])
    const unsent = found
      .filter(({ id }) => !published.has(id))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .filter((directive) => !this.#publish(to, directive))
    for (const data of configs) broker.send(to, 'config', { command: 'config', data }, 1)
    if (to.kind === 'core' && unsent.length > 0) await this.#putBack(unsent)
    if (found.length + configs.length > 0) this.#unsent.worked()
  }

  /** False: its connection has ended, or it has unsubscribed meanwhile. */
  #publish(to: Connection, { id, payload }: Directive): boolean {
    const { broker } = this.#parts
    const { command, data } = payload
    if (command === 'signal') return broker.send(to, 'signal', data, 1, { topic: to.topics.request })
    if (to.kind === 'core') return broker.send(to, String(command), payload, 1)
    const sent = broker.send(to, String(command), payload, 1, { acknowledged: () => this.#acknowledged(to, id) })
    if (sent) to.published.add(id)
    return sent
  }

  /** Where the row cannot be deleted now, it is published once more on the next connection. */
  #acknowledged(to: Connection, id: string): void {
    const { db } = this.#parts
    const { account_id, device_id } = to
    void db
      .transaction()
      .execute((tx) =>
        sql`delete from device_directive where account_id = ${account_id} and device_id = ${device_id} and id = ${id}`.execute(tx)
      )
      .then(() => {
        to.published.delete(id)
        this.#undeleted.worked()
      })
      .catch((error: unknown) => this.#undeleted.failed(error))
  }

  /** The connection ended, or its subscription, before they were published. */
  async #putBack(directives: readonly Directive[]): Promise<void> {
    const rows = directives.map((directive) => ({ ...directive, payload: JSON.stringify(directive.payload) }))
    await this.#parts.db.transaction().execute((tx) => tx.insertInto('device_directive').values(rows).execute())
  }
}

const takenBy = (to: Connection): Takes => ({
  directives: subscriptionTo(to, to.topics.directives) !== undefined,
  request: subscriptionTo(to, to.topics.request) !== undefined,
})

const takesAny = (to: Connection) => Object.values(takenBy(to)).includes(true)

type Waiting = ReturnType<typeof waitingFor>
/** `from` and `where` of what can be published to a device now. */
const waitingFor = ({ account_id, device_id }: DeviceKey, { directives, request }: Takes, now: Date) =>
  sql`from device_directive where account_id = ${account_id} and device_id = ${device_id} and expires_at > ${now}
    and case when payload ->> 'command' = 'signal' then ${request}::boolean else ${directives}::boolean end`

async function takeDirectives(tx: Tx, waiting: Waiting): Promise<Directive[]> {
  const { rows } = await sql<Directive>`delete ${waiting} returning *`.execute(tx)
  return rows
}

async function listDirectives(tx: Tx, waiting: Waiting): Promise<Directive[]> {
  const { rows } = await sql<Directive>`select * ${waiting}`.execute(tx)
  return rows
}
