import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { AppDb, Clock } from '../../kernel/app.ts'
import type { Broker } from './broker.ts'
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

  /** Whatever waits for anybody here: after a time in which nothing was heard of it. Throws away what waited too long. */
  async sweep(): Promise<void> {
    const { db, name, clock } = this.#parts
    await db.transaction().execute((tx) => tx.deleteFrom('device_directive').where('expires_at', '<', clock.now()).execute())
    const due = await db
      .selectFrom('device_directive as w')
      .innerJoin('device as d', (join) => join.onRef('d.account_id', '=', 'w.account_id').onRef('d.id', '=', 'w.device_id'))
      .select('w.device_id')
      .distinct()
      .where('d.held_by', '=', name)
      .where('d.online', '=', true)
      .execute()
    for (const { device_id } of due) this.deliver(device_id)
  }

  /** A command is published once: a device that is told twice to restart would restart twice. */
  async #deliver(to: Connection): Promise<void> {
    const { db, broker } = this.#parts
    const taken = await db.transaction().execute((tx) =>
      sql<Directive>`delete from device_directive where account_id = ${to.account_id} and device_id = ${to.device_id}
        returning id, payload`.execute(tx)
    )
    for (const { payload } of taken.rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
      broker.send(to, String(payload.command), payload, 1)
  }
}
