import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const idleBelow = 0.15 // of one core
/** How many looks in a row must find nothing to do. After the start little is compiled yet. */
const quietFor = { start: 2, work: 30 }

/**
 * Gives memory back after a burst. V8 collects when it allocates, so a process that falls idle would keep what the burst left behind for as
 * long as nobody asks it anything. It takes some tens of milliseconds, once after work, of a process with nothing else to do. Not sooner than
 * after a minute, as compiled code goes too, and for seconds after it calls cost up to half as much again. V8's own way of it does the same after
 * eight seconds, so such a process is started with `--no-memory-reducer`. `every`: milliseconds between two looks.
 */
export function giveMemoryBackWhenIdle(every = 2000): { stop: () => void } {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: { type: 'major'; flavor: 'last-resort' }) => void
  let after: keyof typeof quietFor | undefined = 'start'
  let quiet = 0
  let before = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const isBusy = (user + system) / 1000 / every >= idleBelow
    if (isBusy) after ??= 'work'
    quiet = isBusy ? 0 : quiet + 1
    if (!after || quiet < quietFor[after]) return
    // The last resort also gives the pages back.
    collect({ type: 'major', flavor: 'last-resort' })
    after = undefined
    before = process.cpuUsage()
  }, every).unref()
  return { stop: () => clearInterval(timer) }
}
