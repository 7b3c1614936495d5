/** `gather`: how long what comes together waits for each other. `hold`: how long after a key was sent it is not sent again. Both ms. */
type Options<Value> = { gather: number; hold: number; send: (values: Value[]) => void | Promise<void> }

/**
 * Sends what comes first at once, and holds back only what repeats it: each key goes out at most once every `hold`, with its latest value. While
 * a promise of `send` is open nothing else is sent, so that a slow receiver gets larger parts and not more of them.
 */
export class HoldRepeats<Value> {
  #options: Options<Value>
  #waiting = new Map<string, Value>()
  /** When a key was sent, the oldest first. */
  #sent = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #due = Infinity
  #sending: Promise<void> | undefined

  constructor(options: Options<Value>) {
    this.#options = options
  }

  add(key: string, value: Value) {
    this.#waiting.set(key, value)
    this.#wake(Math.max(performance.now() + this.#options.gather, this.#readyAt(key)))
  }

  /** Sends all that waits, held back or not. */
  flush(): Promise<void> {
    if (this.#sending) return this.#sending.then(() => this.flush())
    this.#send([...this.#waiting.keys()])
    return this.#sending ?? Promise.resolve()
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.flush()
    clearTimeout(this.#timer)
  }

  #readyAt = (key: string) => (this.#sent.get(key) ?? -Infinity) + this.#options.hold

  #wake(at: number) {
    if (at >= this.#due) return
    clearTimeout(this.#timer)
    this.#due = at
    this.#timer = setTimeout(() => this.#pass(), Math.max(0, at - performance.now())).unref()
  }

  #pass() {
    this.#due = Infinity
    // What ends the sending comes by here again.
    if (this.#sending) return
    const now = performance.now()
    for (const [key, at] of this.#sent) {
      if (at + this.#options.hold > now) break
      this.#sent.delete(key)
    }
    this.#send([...this.#waiting.keys()].filter((key) => !this.#sent.has(key)))
    if (!this.#sending) this.#wakeForRest()
  }

  #wakeForRest() {
    if (this.#waiting.size > 0) this.#wake(Math.min(...[...this.#waiting.keys()].map(this.#readyAt)))
  }

  #send(keys: string[]) {
    if (keys.length === 0) return
    const values = keys.map((key) => this.#waiting.get(key)!)
    const now = performance.now()
    for (const key of keys) {
      this.#waiting.delete(key)
      this.#sent.delete(key)
      this.#sent.set(key, now)
    }
    const sending = this.#options.send(values)
    if (!sending) return
    this.#sending = sending.then(() => {
      this.#sending = undefined
      this.#wakeForRest()
    })
  }
}
