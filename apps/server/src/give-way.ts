import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { constants, getPriority, setPriority } from 'node:os'
import { sql } from 'kysely'
import type { Db } from './kernel/app.ts'

const { PRIORITY_NORMAL: normal, PRIORITY_LOW: lower } = constants.priority
// Often: what comes before they step back waits behind them, and of a list of 200 requests a second that was one in a hundred.
const lookEvery = 25 // ms
const aSecond = 1000 / lookEvery // looks

type Parts = {
  /** The processes that are to step back, as they are now. */
  others: () => Promise<readonly number[]>
  /** The share of the time since it was last asked in which somebody waited for an answer. */
  share: () => number
  /** Since it was last asked, those who wait for the others have waited too long. */
  pressed: () => boolean
}

const [effect, leastPause, mostPause, soon] = [aSecond / 2, aSecond, 30 * aSecond, 10 * aSecond] // looks

/**
 * Whether the others are to step back, by each look's share of waiting. Once that presses them nobody steps back for a second; when it soon
 * happens again, twice as long: there is not enough for both, and more of it for one would not mend that. Who is pressed within half a second
 * was so before.
 */
export function wantsWay() {
  let wanted = false
  let quiet = 0
  let pause = leastPause
  let left = 0 // looks of the pause
  let since = soon // looks from the end of the last pause
  let stepped = 0 // looks since they stepped back
  return (share: number, pressed = false): boolean => {
    quiet = share < 0.25 ? quiet + 1 : 0
    stepped = wanted ? stepped + 1 : 0
    if (stepped > effect && pressed) {
      pause = since < soon ? Math.min(pause * 2, mostPause) : leastPause
      left = pause
      since = 0
    } else if (left > 0) left--
    else since++
    if (left > 0 || quiet >= aSecond) wanted = false
    else if (share > 0.5) wanted = true
    return wanted
  }
}

/** While people wait for answers, other processes get what of the processor is left where it is short, and as much as this one otherwise. */
export function makeOthersGiveWay({ others, share, pressed }: Parts): { stop: () => void } {
  const wanting = wantsWay()
  /** Those found so far, until they end: a busy database takes its time to tell which they are. */
  const known = new Map<number, { began: string; own: number; steppedBack: boolean }>()
  let looks = 0
  let finding = false
  let wanted = false
  const setAll = (steppedBack: boolean) => {
    for (const [pid, other] of known) {
      if (other.steppedBack === steppedBack) continue
      if (beganAt(pid) !== other.began) known.delete(pid)
      else if (steppedBack ? prioritize(pid, lower, lower) : prioritize(pid, normal, other.own)) other.steppedBack = steppedBack
    }
  }
  const find = async () => {
    const pids = await others().catch((): number[] => [])
    for (const [pid, { began }] of known) if (beganAt(pid) !== began) known.delete(pid)
    for (const pid of pids) {
      const began = beganAt(pid)
      if (began !== undefined && !known.has(pid)) known.set(pid, { began, own: getPriority(pid), steppedBack: false })
    }
    if (wanted) setAll(true)
  }
  const timer = setInterval(() => {
    wanted = wanting(share(), pressed())
    setAll(wanted)
    if (!wanted) looks = 0
    else if (looks++ % aSecond === 0 && !finding) {
      finding = true
      // One may have ended between two looks at it.
      void find()
        .catch(() => {})
        .finally(() => (finding = false))
    }
  }, lookEvery).unref()
  return {
    stop: () => {
      clearInterval(timer)
      wanted = false
      setAll(false)
    },
  }
}

/**
 * Sets the priority of a process's session and its own; false where it is to be tried again. Linux shares the processor between sessions first (autogroups), where that
 * is on: there a session's priority counts, which may always be put back. A process's own counts where it is off, and may be put back by
 * who has the right to (root, CAP_SYS_NICE, RLIMIT_NICE): without it, it is left alone.
 */
function prioritize(pid: number, ofSession: number, own: number): boolean {
  try {
    if (isSession(pid)) writeFileSync(`/proc/${pid}/autogroup`, String(ofSession))
  } catch (error) {
    if ((error as { code?: string }).code === 'EAGAIN') return false // Linux takes ten of these a second
  }
  try {
    if (mayRaise(pid)) setPriority(pid, own)
  } catch {
    // It ended, or is somebody else's.
  }
  return true
}

/** What Linux tells of a process from its state on (proc_pid_stat(5)). */
const stat = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')

/** Whether a session is this process alone, or those it started. */
const isSession = (pid: number) => Number(stat(pid)[3]) === pid

/** When a process began, which tells it from a later one of the same number; undefined where there is none. */
const beganAt = (pid: number) => {
  try {
    return stat(pid)[19]
  } catch {
    return undefined
  }
}

let able: boolean | undefined

/** Found out by the smallest step down: where it cannot be undone it hardly matters. */
function mayRaise(pid: number): boolean {
  if (able !== undefined) return able
  const own = getPriority(pid)
  if (own === lower) return false
  setPriority(pid, own + 1)
  try {
    setPriority(pid, own)
    return (able = true)
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SYSTEM_ERROR') return (able = false)
    throw error
  }
}

/**
 * The database's processes that work for this machine's connections of these names, and those that clean up; none where the database is on
 * another machine. What works for another machine's meter is left alone: that would not be heard when it is pressed.
 */
export async function databaseProcesses(db: Db, names: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where (backend_type = 'autovacuum worker' or (datname = current_database() and application_name = any(${[...names]}::text[])
        and client_addr is not distinct from inet_client_addr()))
      and (inet_server_addr() is null or inet_server_addr() = inet_client_addr())`.execute(db)
  return rows.map(({ pid }) => pid).filter(isPostgres)
}

/** A number of another machine, or of a container, is somebody else's here. */
const isPostgres = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('postgres:')
  } catch {
    return false
  }
}

/**
 * The share of the time since it was last asked in which a request waited for its answer: it has come whole, and nothing of the
 * answer has gone. What lasts (streams, exports, uploads) counts until that is noticed, at the next request or look.
 */
export function shareOfWaiting(server: Server): () => number {
  const open = new Map<ServerResponse, IncomingMessage>()
  const isWaiting = () => {
    for (const [response, { complete }] of open) if (complete && !response.headersSent) return true
    return false
  }
  let waiting = false // since the last of what happened
  let lasted = 0 // ms
  let since = performance.now()
  let asked = since
  const pass = () => {
    const now = performance.now()
    if (waiting) lasted += now - since
    since = now
    waiting = isWaiting()
    return now
  }
  server.on('request', (request, response) => {
    pass()
    open.set(response, request)
    waiting = true // it may have come whole
    response.once('close', () => {
      open.delete(response)
      pass()
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
