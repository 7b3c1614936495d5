/** Where time comes from: the machine's, or a test's own. Milliseconds since 1970. */
export type Clock = {
  now(): number
  /** Runs `run` at or soon after `at`; the answer calls it off. */
  wake(at: number, run: () => void): () => void
}

export const machineClock: Clock = {
  now: () => Date.now(),
  wake(at, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, at - Date.now()), 2 ** 31 - 1))
    return () => clearTimeout(timer)
  },
}

/** What is to happen, and when. Called off by `cancel`. */
export type Appointment = { readonly at: number; cancel(): void }
type Entry = { at: number; cancel(): void; run: (() => void) | null; order: number }

/** How often the clock is looked at, ms: one that was set back would keep everybody waiting. */
const looksEvery = 10_000

/** Every appointment of a network behind one timer: a heap by time, then by the order they were made in. */
export class Agenda {
  readonly clock: Clock
  readonly #heap: Entry[] = []
  #made = 0
  #timer: { for: number; cancel: () => void } | null = null
  #seen: number

  constructor(clock: Clock) {
    this.clock = clock
    this.#seen = clock.now()
  }

  now(): number {
    return this.clock.now()
  }

  /** How many appointments stand, those called off but not yet due included. */
  get size(): number {
    return this.#heap.length
  }

  in(ms: number, run: () => void): Appointment {
    return this.at(this.now() + ms, run)
  }

  at(at: number, run: () => void): Appointment {
    this.#follow(this.now())
    const entry: Entry = { at, run, order: this.#made++, cancel: () => (entry.run = null) }
    this.#push(entry)
    this.#wind()
    return entry
  }

  /** Forgets everything. */
  clear(): void {
    this.#heap.length = 0
    this.#wind()
  }

  #wind() {
    const next = this.#heap[0]?.at
    if (this.#timer?.for === next) return
    this.#timer?.cancel()
    if (next === undefined) return void (this.#timer = null)
    this.#timer = { for: next, cancel: this.clock.wake(Math.min(next, this.now() + looksEvery), () => this.#ring()) }
  }

  /** Where the clock was set back, what was to happen in a minute still happens in a minute. */
  #follow(now: number) {
    const back = this.#seen - now
    this.#seen = now
    if (back > 1000) for (const entry of this.#heap) entry.at -= back
  }

  #ring() {
    this.#timer = null
    const now = this.now()
    this.#follow(now)
    for (let due = this.#heap[0]; due && due.at <= now; due = this.#heap[0]) {
      this.#pop()
      due.run?.()
    }
    this.#wind()
  }

  #push(entry: Entry) {
    const heap = this.#heap
    let at = heap.push(entry) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!isBefore(entry, heap[above]!)) break
      heap[at] = heap[above]!
      at = above
    }
    heap[at] = entry
  }

  #pop() {
    const heap = this.#heap
    const last = heap.pop()!
    if (heap.length === 0) return
    let at = 0
    for (;;) {
      let below = at * 2 + 1
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++
      if (below >= heap.length || !isBefore(heap[below]!, last)) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = last
  }
}

const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order)

/** A clock that stands still until a test moves it. */
export function standingClock(start: number): Clock & { advance(ms: number): void; set(to: number): void } {
  let now = start
  let wakes: { at: number; run: () => void }[] = []
  return {
    now: () => now,
    wake(at, run) {
      const wake = { at, run }
      wakes.push(wake)
      return () => (wakes = wakes.filter((other) => other !== wake))
    },
    /** As somebody sets a clock: timers go on. */
    set(to) {
      for (const wake of wakes) wake.at += to - now
      now = to
    },
    advance(ms) {
      const until = now + ms
      for (;;) {
        const next = wakes.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        wakes = wakes.filter((wake) => wake !== next)
        now = Math.max(now, next.at)
        next.run()
      }
      now = until
    },
  }
}
