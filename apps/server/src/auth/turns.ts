// Hashing keeps a thread of Node's pool of four and 19 MB busy: file and name look-ups need the other two.
const atOnce = 2
const mostWaiting = 200

let running = 0
const waiting: (() => void)[] = []

/** Runs expensive work, at most two at once in this process; refuses when the queue is so long that nobody would wait for its end. */
export async function takeTurn<T>(work: () => Promise<T>, refusal: () => Error): Promise<T> {
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
