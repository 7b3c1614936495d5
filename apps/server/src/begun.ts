import type { Logger } from 'pino'
import { endAll, type Ending } from './kernel/shutdown.ts'

/** Who waits longest is the simulated network, 3 s, and then a meter, which is killed after 8 s. */
const mostForParts = 11_500 // ms
const mostForPools = 1000 // ms

/** What a start has begun until now, so that all of it can be ended at any moment: parts need pools, and pools the database. */
export class Begun {
  readonly #log: Logger
  readonly #parts: Ending[] = []
  readonly #pools: Ending[] = []
  #database: (() => Promise<void>) | undefined
  #ending: Promise<void> | undefined

  constructor(log: Logger) {
    this.#log = log
  }

  /** Throws, and ends them, where all is being ended already: the start was cut short. */
  parts(...parts: readonly Ending[]): void {
    this.#add(this.#parts, parts)
  }

  /** Likewise. */
  pools(...pools: readonly Ending[]): void {
    this.#add(this.#pools, pools)
  }

  database(end: () => Promise<void>): void {
    this.#database = end
  }

  /** May be called again. */
  end(): Promise<void> {
    return (this.#ending ??= this.#end())
  }

  #add(to: Ending[], endings: readonly Ending[]) {
    if (this.#ending === undefined) to.push(...endings)
    else {
      void endAll(endings, mostForParts, this.#log)
      throw new Error('Ended before it had begun')
    }
  }

  async #end() {
    await endAll(this.#parts, mostForParts, this.#log)
    await endAll(this.#pools, mostForPools, this.#log)
    await this.#database?.()
  }
}
