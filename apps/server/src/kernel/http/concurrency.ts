type Limit = {
  /** How many works run at the same time. */
  concurrency: number
  /** Of more than these waiting, the next is refused: nobody would wait for the end of the queue. */
  maxQueued: number
  refusal: () => Error
}

/** Runs expensive works in this process, `concurrency` of them at the same time; others wait in the order they came. */
export function limitConcurrency({ concurrency, maxQueued, refusal }: Limit): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= concurrency) {
      if (waiting.length >= maxQueued) throw refusal()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** Runs works of the same key one after the other, in the order they came; those of other keys do not wait. */
export function serializeByKey(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
