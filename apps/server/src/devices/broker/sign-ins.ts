import type { Logger } from 'pino'

/** `most`: sign-ins of one device in a minute. `held`: ms that the answer to a further one is kept back, so that a device that tries again at once does so less often. */
export type SignInBounds = { most: number; held: number }

const minute = 60_000 // ms

/**
 * Bounds how often one device signs in. Those count that were good, so that nobody can use up the share of a device by its name alone; a further one is
 * refused before the database is asked, and writes nothing.
 */
export class SignIns {
  #bounds: SignInBounds
  #log: Logger
  #now: () => number
  #begun = 0
  #counts = new Map<string, number>()

  constructor(bounds: SignInBounds, log: Logger, now = () => performance.now()) {
    this.#bounds = bounds
    this.#log = log
    this.#now = now
  }

  /** Whether a device has signed in so often in this minute that it is refused. `username`: with which it signs in. */
  isOver(username: string): boolean {
    this.#turn()
    return (this.#counts.get(username) ?? 0) >= this.#bounds.most
  }

  /** It has signed in. */
  count(username: string, device_id: string): void {
    this.#turn()
    const times = (this.#counts.get(username) ?? 0) + 1
    this.#counts.set(username, times)
    if (times === this.#bounds.most)
      this.#log.warn({ device_id, times }, 'a device signs in so often that it is refused for the rest of the minute')
  }

  #turn() {
    const now = this.#now()
    if (now - this.#begun < minute) return
    this.#begun = now
    this.#counts.clear()
  }
}
