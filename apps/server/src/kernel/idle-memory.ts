import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const every = 2000 // ms
const idleBelow = 0.15 // of one core
const leastGrown = 24 * 1024 * 1024

/**
 * Gives memory back after a burst. V8 collects when it allocates, so a process that falls idle would keep what the burst left behind for as
 * long as nobody asks it anything. The collection takes some tens of milliseconds, once, of a process with nothing else to do.
 */
export function giveMemoryBackWhenIdle(): { stop: () => void } {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let left = 0
  let before = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const busy = (user + system) / 1000 / every
    if (busy >= idleBelow || process.memoryUsage().heapTotal < left * 1.3 + leastGrown) return
    collect()
    left = process.memoryUsage().heapTotal
    before = process.cpuUsage()
  }, every).unref()
  return { stop: () => clearInterval(timer) }
}
