import type { Client } from 'aedes'

type Session = { clean: boolean; _nextId: number }
const lastId = 65_535

/**
 * What was published to a device with QoS 1 on one connection and is not acknowledged. An acknowledgement of what was never sent counts for nothing. Of a
 * session that lasts aedes keeps the messages and says which was acknowledged, by its own number of it. Of a clean one it keeps none: their ids are counted
 * here as aedes gives them, in the order in which they are sent. broker-bounds.test.ts proves both.
 */
export class Acknowledgements {
  #client: Client
  #waiting = new Map<number, (() => void) | undefined>()
  #nextId: number | undefined

  constructor(client: Client) {
    this.#client = client
  }

  get size(): number {
    return this.#waiting.size
  }

  /** A message is published next. `number`: that by which aedes knows it. */
  add(number: number, acknowledged: (() => void) | undefined): void {
    this.#waiting.set(this.#session.clean ? this.#takeId() : number, acknowledged)
  }

  /** The device acknowledged a message by its id. */
  ofId(id: number): void {
    if (this.#session.clean) this.#done(id)
  }

  /** aedes found what the device acknowledged. */
  ofNumber(number: number): void {
    if (!this.#session.clean) this.#done(number)
  }

  get #session(): Session {
    return this.#client as unknown as Session
  }

  #takeId(): number {
    const id = this.#nextId ?? this.#session._nextId
    this.#nextId = id >= lastId ? 1 : id + 1
    return id
  }

  #done(key: number) {
    const acknowledged = this.#waiting.get(key)
    this.#waiting.delete(key)
    acknowledged?.()
  }
}
