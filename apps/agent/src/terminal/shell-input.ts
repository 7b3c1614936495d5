import { writeSync } from 'node:fs'

/** A pty, as far as it is needed here. `isClosed`: its number may be another file’s by now. */
type Pty = { fd: number; isClosed: () => boolean }
type Waiting = { bytes: Uint8Array; taken: () => void }

const asksAfter = 4 // ms
const asksEvery = 50 // ms

/**
 * What is typed, on its way into a pty. The stream that comes with the pty waits in the middle of everything else while nobody reads there, so it is
 * written here: as much as it takes now, and the rest later.
 */
export class ShellInput {
  #pty: Pty
  #waiting: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #pause = asksAfter

  constructor(pty: Pty) {
    this.#pty = pty
  }

  /** `taken`: it is in the pty, or there is none any more. */
  write(bytes: Uint8Array, taken: () => void): void {
    this.#waiting.push({ bytes, taken })
    if (this.#timer === undefined) this.#pump()
  }

  /** Nothing more is taken. */
  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const { taken } of this.#waiting.splice(0)) taken()
  }

  #pump() {
    this.#timer = undefined
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const n = this.#put(next.bytes)
      if (n === undefined) return this.end()
      if (n > 0) this.#pause = asksAfter
      if (n < next.bytes.byteLength) {
        next.bytes = next.bytes.subarray(n)
        this.#timer = setTimeout(() => this.#pump(), this.#pause)
        this.#pause = Math.min(asksEvery, this.#pause * 2)
        return
      }
      this.#waiting.shift()
      next.taken()
    }
  }

  /** How many bytes it took; undefined: it is gone. */
  #put(bytes: Uint8Array): number | undefined {
    if (this.#pty.isClosed()) return undefined
    try {
      return writeSync(this.#pty.fd, bytes)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : undefined
    }
  }
}
