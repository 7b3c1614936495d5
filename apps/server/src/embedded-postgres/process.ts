import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresUser } from './home.ts'

/** Nothing of our own environment is PostgreSQL's business, secrets least of all. */
const environment = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' }

/** Starts a PostgreSQL program; its lines on stderr go to `onLine`. Its own process group keeps a Ctrl-C in the terminal away from it. */
function begin(file: string, args: string[], user: PostgresUser | undefined, onLine: (line: string) => void, input?: string) {
  const stdio = [input === undefined ? 'ignore' : 'pipe', 'ignore', 'pipe'] as const
  const child = spawn(file, args, { ...user, cwd: '/', env: environment, detached: true, stdio: [...stdio] })
  createInterface(child.stderr!).on('line', onLine)
  child.stdin?.on('error', () => {}) // it ended before it read, and says why
  child.stdin?.end(input)
  return child
}

/** Runs a PostgreSQL program to its end, `input` on its standard input. Throws with the last lines that it wrote. */
export async function runToEnd(file: string, args: string[], user: PostgresUser | undefined, input?: string) {
  const said: string[] = []
  const child = begin(file, args, user, (line) => said.push(line), input)
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  const code = await ended(child).finally(() => process.off('exit', endWithUs))
  if (code !== 0) throw new Error(`${basename(file)} failed: ${said.slice(-5).join('\n')}`)
}

/**
 * Starts the server. `ready` resolves when it accepts connections, however long its recovery takes,
 * and rejects with what it said when it ends instead.
 */
export function startServer(file: string, args: string[], user: PostgresUser | undefined, onLine: (line: string) => void) {
  const said: string[] = []
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  const child = begin(file, args, user, (line) => {
    said.push(line)
    if (said.length > 20) said.shift()
    if (line.includes('database system is ready to accept connections')) resolve()
    else onLine(line)
  })
  ended(child).then(() => reject(new Error(whyItEnded(said) || `${file} ended at once`)), reject)
  return { child, ready }
}

/** What PostgreSQL calls the reason, else its last lines. */
function whyItEnded(said: readonly string[]) {
  const reasons = said.filter((line) => /^(FATAL|PANIC):/.test(line))
  return (reasons.length > 0 ? reasons : said).slice(-5).join('\n')
}

/** The exit code, once the process has ended and its last words are read. */
function ended(child: ChildProcess) {
  return new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => {
      // The file is there (we looked), so what is missing is its loader: these binaries are made for glibc.
      reject(
        (error as NodeJS.ErrnoException).code === 'ENOENT'
          ? new Error('The built-in PostgreSQL does not run on this system (it needs glibc). Set DATABASE_URL.')
          : error
      )
    })
    child.once('close', resolve)
  })
}

type Ending = {
  signal?: 'SIGINT' | 'SIGQUIT'
  /** Whether it lets somebody in, or refuses to in its own words: one that writes its last does. */
  answers?: () => Promise<boolean>
  /** How long it may write, ms. */
  patience?: number
}

/**
 * Fast shutdown: clients are cut off, everything is written. A server that does not answer meanwhile, because it was stopped where it stands or its
 * disk hangs, is killed outright, and so is one that takes longer than `patience`; its log brings back what was committed. False when it was killed.
 */
export async function endServer(
  child: ChildProcess,
  { signal = 'SIGINT', answers = async () => true, patience = 60_000 }: Ending = {}
): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true
  const end = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const endsWithin = async (ms: number) => {
    const waited = new AbortController()
    const late = pause(ms, false, { signal: waited.signal }).catch(() => false)
    return Promise.race([end.then(() => true), late]).finally(() => waited.abort())
  }
  child.kill(signal)
  const last = performance.now() + patience
  do if (await endsWithin(lookEvery)) return true
  while (performance.now() < last && (await Promise.race([end.then(() => true), answers()])))
  if (await endsWithin(lastWords)) return true
  child.kill('SIGKILL')
  await endsWithin(lastWords) // what waits for a disk cannot even be killed
  return false
}
const lookEvery = 250 // ms
const lastWords = 1000 // ms: a server whose socket is gone already ends at once

/** Processes of the cluster of that name, by their command lines: one left behind by a run that was killed, or its orphaned workers. */
function processesOf(cluster: string) {
  return readdirSync('/proc').flatMap((entry) => {
    const words = /^\d+$/.test(entry) ? commandLineOf(entry) : ''
    const isServer = words.includes(`\0cluster_name=${cluster}\0`)
    return isServer || words.startsWith(`postgres: ${cluster}: `) ? [{ pid: Number(entry), isServer }] : []
  })
}

function commandLineOf(pid: string) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // ended meanwhile
  }
}

/** Ends what is left of an earlier server of this cluster and waits for it. True when there was something. */
export async function endProcessesOf(cluster: string) {
  let found = false
  for (const [signal, patience] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 6000],
    ['SIGKILL', 2000],
  ] as const) {
    const left = processesOf(cluster)
    if (left.length === 0) return found
    found = true
    // Workers follow their server; without one, or once it is killed, they are ended one by one.
    const server = left.filter(({ isServer }) => isServer)
    const isServers = server.length > 0 && signal !== 'SIGKILL'
    if (!isServers && signal === 'SIGINT') continue
    for (const { pid } of isServers ? server : left) signalIfThere(pid, signal)
    for (let waited = 0; waited < patience && processesOf(cluster).length > 0; waited += 20) await pause(20)
  }
  return found
}

/** For workers that were stopped where they stand, as their server was: they do not see that it is gone, and would keep the next one from its memory. */
export async function killProcessesOf(cluster: string) {
  for (const { pid } of processesOf(cluster)) signalIfThere(pid, 'SIGKILL')
  for (let waited = 0; waited < lastWords && processesOf(cluster).length > 0; waited += 20) await pause(20)
}

function signalIfThere(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
