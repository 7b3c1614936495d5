import type { Client } from 'aedes'
import { Acknowledgements } from './acknowledgements.ts'
import type { Login } from './logins.ts'
import type { Life } from './message.ts'
import { topicsOf, type OwnTopics } from './topics.ts'

/** A device that has signed in. `will`: what its death will say, which is what its birth says. `life`: its birth, once it came. */
export type Connection = Login & {
  client: Client
  topics: OwnTopics
  ip: string | null
  will: Life | undefined
  life: Life | undefined
  /** Of what was published to it with QoS 1: what to do once it is acknowledged. */
  unacknowledged: Acknowledgements
  /** Ids of directives that were published on this connection and whose rows are still there. */
  published: Set<string>
  refused: number
  seen_at: number
  /** When the log said last that a report of it is refused. */
  refusal_noted_at: number
}

/**
 * What it is subscribed to now, with its QoS: aedes keeps it, and sends nothing with more than that. broker-bounds.test.ts proves it. None until it is let in:
 * of a session that was kept aedes knows its subscriptions before its CONNACK, and what it was sent before goes first.
 */
export const subscriptionTo = ({ client }: Pick<Connection, 'client'>, topic: string): { qos: number } | undefined =>
  client.connected ? (client as unknown as { subscriptions: Record<string, { qos: number } | undefined> }).subscriptions[topic] : undefined

/**
 * Who is connected, by connection and by device. A device has more than one while another takes the place of the one before, and where one that signed in
 * ended before it was let in.
 */
export class Connections {
  #byClient = new WeakMap<Client, Connection>()
  #byDevice = new Map<string, Connection[]>()

  add(client: Client, login: Login, username: string, { ip, will }: Pick<Connection, 'ip' | 'will'>): Connection {
    const begun = {
      life: undefined,
      unacknowledged: new Acknowledgements(client),
      published: new Set<string>(),
      refused: 0,
      seen_at: 0,
      refusal_noted_at: -Infinity,
    }
    const connection: Connection = { ...login, client, topics: topicsOf(username), ip, will, ...begun }
    this.#byClient.set(client, connection)
    this.#byDevice.set(login.device_id, [...this.ofDevice(login.device_id).filter((other) => !other.client.closed), connection])
    return connection
  }

  of = (client: Client | null) => (client ? this.#byClient.get(client) : undefined)
  /** The oldest first. */
  ofDevice = (device_id: string): readonly Connection[] => this.#byDevice.get(device_id) ?? []
  /** Those of its device that began before it. */
  before(connection: Connection): readonly Connection[] {
    const all = this.ofDevice(connection.device_id)
    return all.slice(0, Math.max(0, all.indexOf(connection)))
  }
  /** That which it has now. */
  byDevice(device_id: string): Connection | undefined {
    const all = this.ofDevice(device_id)
    return all.findLast(({ client }) => !client.closed) ?? all.at(-1)
  }

  remove(client: Client): void {
    const connection = this.#byClient.get(client)
    if (!connection) return
    this.#byClient.delete(client)
    const others = this.ofDevice(connection.device_id).filter((other) => other !== connection)
    if (others.length > 0) this.#byDevice.set(connection.device_id, others)
    else this.#byDevice.delete(connection.device_id)
  }

  get size(): number {
    return this.#byDevice.size
  }

  all = () => [...this.#byDevice.values()].flat()
}

/** Of what one connection says of changes, so much waits: twice for each that may wait for a device, and some. */
const mostNotes = 100

/**
 * Writes down what devices say of changes: of each connection one after the other, in the order in which it was said. Of a device that says more than is
 * written down meanwhile, the connection ends: it would wait in memory, before what all others say. What fails is over, because the device says it again.
 */
export function inOrder(tooMany: (from: Connection) => void): (from: Connection, note: () => Promise<unknown>) => void {
  const waiting = new WeakMap<Connection, { count: number; last: Promise<void> }>()
  return (from, note) => {
    const own = waiting.get(from) ?? { count: 0, last: Promise.resolve() }
    if (own.count >= mostNotes) return from.client.closed ? undefined : tooMany(from)
    waiting.set(from, own)
    own.count++
    own.last = own.last.then(async () => {
      await note().catch(() => {})
      own.count--
    })
  }
}
