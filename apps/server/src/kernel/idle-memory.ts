import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const every = 2000 // ms
const idleBelow = 0.1 // share of the time that the event loop works
const leastGrown = 24 * 1024 * 1024

/**
 * Gives memory back after a burst. V8 collects when it allocates, so a process that falls idle would keep what the burst left behind for as
 * long as nobody asks it anything. The collection takes some tens of milliseconds, once, of a process with nothing else to do.
 */
export function giveMemoryBackWhenIdle(): { stop: () => void } {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let left = 0
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization >= idleBelow || process.memoryUsage().heapTotal < left * 1.3 + leastGrown) return
    collect()
    left = process.memoryUsage().heapTotal
  }, every).unref()
  return { stop: () => clearInterval(timer) }
}
