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

/** Runs works of the same key one after the other, in the order they came; those of other keys do not wait. With a limit, one key has a queue of that length. */
export function serializeByKey(limit?: Omit<Limit, 'concurrency'>): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, { last: Promise<unknown>; works: number }>()
  return async (key, work) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), works: 0 }
    if (limit && line.works > limit.maxQueued) throw limit.refusal()
    lines.set(key, line)
    line.works++
    const mine = line.last.then(work, work)
    line.last = mine
    try {
      return await mine
    } finally {
      if (--line.works === 0) lines.delete(key)
    }
  }
}
