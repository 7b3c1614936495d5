import type { WorkerEvents } from 'graphile-worker'

/** While fewer jobs run than may, the queue is polled every two seconds. */
const longestFree = 60_000
/** As many long jobs may run as may at once; so long without one that ends they hang. */
const longestBusy = 15 * 60_000

/** Watches the polls of the queue: null while it is polled, else why nothing is done, in words. */
export function watchPolls(events: WorkerEvents, concurrency: number, now = () => performance.now()): () => string | null {
  let last = now()
  let running = 0
  const polled = () => {
    last = now()
  }
  events.on('worker:getJob:empty', polled)
  events.on('job:start', () => {
    running++
    polled()
  })
  events.on('job:complete', () => {
    running--
    polled()
  })
  return () => {
    const passed = now() - last
    if (passed <= (running < concurrency ? longestFree : longestBusy)) return null
    const seconds = Math.round(passed / 1000)
    return running < concurrency
      ? `The worker has not looked for jobs for ${seconds} s`
      : `The worker has had ${concurrency} jobs at once for ${seconds} s and none of them ends`
  }
}
