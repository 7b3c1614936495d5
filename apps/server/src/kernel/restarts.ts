const firstWait = 300 // ms; doubles
const longestWait = 30_000
const steadyAfter = 60_000 // ms of being up: then what was before is forgotten
const tooMany = 4

/** How often a process ended unexpectedly in a row: how long to wait before it is started again, and when that is too often. */
export class Restarts {
  #now: () => number
  #count = 0
  #upSince: number | undefined

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** It is up. */
  started() {
    this.#upSince = this.#now()
  }

  /** It ended. Milliseconds to wait before it is started again. */
  ended(): number {
    this.#forget()
    this.#upSince = undefined
    return Math.min(firstWait * 2 ** this.#count++, longestWait)
  }

  /** How often in a row, once that is too often to call the part up; else 0. */
  tooOften(): number {
    this.#forget()
    return this.#count >= tooMany ? this.#count : 0
  }

  #forget() {
    if (this.#upSince !== undefined && this.#now() - this.#upSince >= steadyAfter) this.#count = 0
  }
}
