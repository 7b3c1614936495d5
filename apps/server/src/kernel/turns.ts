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
