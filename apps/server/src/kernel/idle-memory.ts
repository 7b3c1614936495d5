import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const idleBelow = 0.15 // of one core
const quietFor = 6 // looks in a row

/**
 * Gives memory back after a burst. V8 collects when it allocates, so a process that falls idle would keep what the burst left behind for as
 * long as nobody asks it anything. It takes some tens of milliseconds, once after work, of a process with nothing else to do. Not sooner, as
 * compiled code goes too: for a second after it calls take up to half as long again. `every`: milliseconds between two looks.
 */
export function giveMemoryBackWhenIdle(every = 2000): { stop: () => void } {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: { type: 'major'; flavor: 'last-resort' }) => void
  let worked = true
  let quiet = 0
  let before = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const isBusy = (user + system) / 1000 / every >= idleBelow
    worked ||= isBusy
    quiet = isBusy ? 0 : quiet + 1
    if (!worked || quiet < quietFor) return
    // The last resort also gives the pages back.
    collect({ type: 'major', flavor: 'last-resort' })
    worked = false
    before = process.cpuUsage()
  }, every).unref()
  return { stop: () => clearInterval(timer) }
}
