import type { Server } from 'node:http'
import { constants, setPriority } from 'node:os'

const { PRIORITY_NORMAL: normal, PRIORITY_BELOW_NORMAL: lower } = constants.priority
const lookEvery = 100 // ms

/** Whether the others are to step back, by the share of each look's time in which somebody waited for an answer. */
export function wantsWay() {
  let wanted = false
  let quiet = 0
  return (share: number): boolean => {
    quiet = share < 0.25 ? quiet + 1 : 0
    if (share > 0.5) wanted = true
    else if (quiet >= 10) wanted = false
    return wanted
  }
}

/**
 * While people wait for answers, the processes `others` get less of the processor where it is short, and as much as this one otherwise.
 * Takes the right to raise a priority again (root, CAP_SYS_NICE, RLIMIT_NICE): without it nothing is changed.
 */
export function makeOthersGiveWay(others: () => readonly number[], share: () => number): { stop: () => void } {
  const wanting = wantsWay()
  const given = new Map<number, number>()
  let able: boolean | undefined
  const timer = setInterval(() => {
    const priority = wanting(share()) ? lower : normal
    const pids = others()
    for (const pid of given.keys()) if (!pids.includes(pid)) given.delete(pid)
    for (const pid of pids) {
      if ((given.get(pid) ?? normal) === priority || able === false) continue
      try {
        able ??= canRaise(pid)
        if (!able) continue
        setPriority(pid, priority)
        given.set(pid, priority)
      } catch {
        // It has just ended.
      }
    }
  }, lookEvery).unref()
  return { stop: () => clearInterval(timer) }
}

/** Found out by the smallest step down: where it cannot be undone it hardly matters. */
function canRaise(pid: number): boolean {
  setPriority(pid, normal + 1)
  try {
    setPriority(pid, normal)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SYSTEM_ERROR') return false
    throw error
  }
}

/** The share of the time since it was last asked in which a request waited for its answer. Streams, which last, do not count. */
export function shareOfWaiting(server: Server): () => number {
  let waiting = 0
  let lasted = 0 // ms
  let since = performance.now()
  let asked = since
  const pass = () => {
    const now = performance.now()
    if (waiting > 0) lasted += now - since
    since = now
    return now
  }
  server.on('request', ({ url }, response) => {
    if (url?.startsWith('/v1/live')) return
    pass()
    waiting++
    response.once('close', () => {
      pass()
      waiting--
    })
  })
  return () => {
    const now = pass()
    const share = lasted / (now - asked)
    asked = now
    lasted = 0
    return share
  }
}
