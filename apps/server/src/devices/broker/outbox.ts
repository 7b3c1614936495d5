import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { AppDb, Clock } from '../../kernel/app.ts'
import type { Broker } from './broker.ts'
import { sayAgainAfter, takeOpenConfigs } from './config-progress.ts'
import type { Connection } from './connections.ts'

type Parts = { db: AppDb; broker: Broker; name: string; clock: Clock; log: Logger }
type Directive = { id: string; payload: Record<string, unknown> }

/** Publishes what waits for devices that are connected here. */
export class Outbox {
  #parts: Parts
  #busy = new Map<string, boolean>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** One at a time for each device, in order; what comes meanwhile is looked for afterwards. */
  deliver(device_id: string): void {
    const to = this.#parts.broker.connections.byDevice(device_id)
    if (!to?.hears) return
    if (this.#busy.has(device_id)) return void this.#busy.set(device_id, true)
    this.#busy.set(device_id, false)
    void this.#deliver(to)
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'what waits for a device is not sent yet'))
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
    const again = new Date(clock.now().getTime() - sayAgainAfter)
    const { rows } = await sql<{ id: string }>`select d.id from device d where d.held_by = ${name} and d.online and d.id in (
      select device_id from device_directive union all
      select device_id from device_config where sent_at is null and received_at is null and withdrawn_at is null
        and (published_at is null or published_at <= ${again}))`.execute(db)
    for (const { id } of rows) this.deliver(id)
  }

  /** A command is published once: a device that gets it twice would restart twice. A change of its configuration may come twice. */
  async #deliver(to: Connection): Promise<void> {
    const { db, broker, clock } = this.#parts
    const [taken, configs] = await db.transaction().execute(async (tx) => [
      await sql<Directive>`delete from device_directive where account_id = ${to.account_id} and device_id = ${to.device_id}
        returning id, payload`.execute(tx),
      await takeOpenConfigs(tx, clock, to),
    ])
    for (const { payload } of taken.rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      const { command, data } = payload
      if (command === 'signal') broker.send(to, 'signal', data, 1, to.topics.request)
      else broker.send(to, String(command), payload, 1)
    }
    for (const data of configs) broker.send(to, 'config', { command: 'config', data }, 1)
  }
}
