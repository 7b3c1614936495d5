type Turns = {
  /** Works at once. */
  atOnce: number
  /** Of more than these waiting, the next is refused: nobody would wait for the end of the queue. */
  mostWaiting: number
  refusal: () => Error
}

/** Runs expensive works in this process in turn, in the order they came. */
export function inTurns({ atOnce, mostWaiting, refusal }: Turns): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw refusal()
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

/** Runs works of the same name one after the other, in the order they came; those of other names do not wait. */
export function oneAfterTheOther(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = last.get(name) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
