import type { Client } from 'aedes'
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
  /** It hears its directives. */
  hears: boolean
  /** Of what was published to it with QoS 1 and is not acknowledged, in order: what to do once it is. A client acknowledges in the order in which it receives. */
  unacknowledged: ((() => void) | undefined)[]
  /** Ids of directives that were published on this connection and whose rows are still there. */
  published: Set<string>
  refused: number
  seen_at: number
  /** When the log said last that a report of it is refused. */
  refusal_noted_at: number
}

/** Who is connected, by connection and by device. */
export class Connections {
  #byClient = new Map<Client, Connection>()
  #byDevice = new Map<string, Connection>()

  add(client: Client, login: Login, username: string, { ip, will }: Pick<Connection, 'ip' | 'will'>): Connection {
    const begun = {
      life: undefined,
      hears: false,
      unacknowledged: [],
      published: new Set<string>(),
      refused: 0,
      seen_at: 0,
      refusal_noted_at: -Infinity,
    }
    const connection: Connection = { ...login, client, topics: topicsOf(username), ip, will, ...begun }
    this.#byClient.set(client, connection)
    this.#byDevice.set(login.device_id, connection)
    return connection
  }

  of = (client: Client | null) => (client ? this.#byClient.get(client) : undefined)
  byDevice = (device_id: string) => this.#byDevice.get(device_id)

  remove(client: Client): Connection | undefined {
    const connection = this.#byClient.get(client)
    this.#byClient.delete(client)
    if (connection && this.#byDevice.get(connection.device_id) === connection) this.#byDevice.delete(connection.device_id)
    return connection
  }

  get size(): number {
    return this.#byDevice.size
  }

  all = () => this.#byDevice.values()
}
