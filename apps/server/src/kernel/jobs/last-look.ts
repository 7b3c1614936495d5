import type { WorkerEvents } from 'graphile-worker'

/** A place that is free is asked for every two seconds. */
const longestFree = 60_000
/** All places may be held by long jobs; so long without one that ends they hang. */
const longestBusy = 15 * 60_000

/** Listens when jobs are looked for: null while they are, else why nothing is done, in words. */
export function watchLooks(events: WorkerEvents, places: number, now = () => performance.now()): () => string | null {
  let last = now()
  let running = 0
  const look = () => {
    last = now()
  }
  events.on('worker:getJob:empty', look)
  events.on('job:start', () => {
    running++
    look()
  })
  events.on('job:complete', () => {
    running--
    look()
  })
  return () => {
    const passed = now() - last
    if (passed <= (running < places ? longestFree : longestBusy)) return null
    const seconds = Math.round(passed / 1000)
    return running < places
      ? `The worker has not looked for jobs for ${seconds} s`
      : `The worker has had ${places} jobs at once for ${seconds} s and none of them ends`
  }
}
