import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresUser } from './home.ts'

/** Nothing of our own environment is PostgreSQL's business, secrets least of all. */
const environment = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' }

/** Starts a PostgreSQL program; its lines on stderr go to `onLine`. Its own process group keeps a Ctrl-C in the terminal away from it. */
function begin(file: string, args: string[], user: PostgresUser | undefined, onLine: (line: string) => void) {
  const child = spawn(file, args, { ...user, cwd: '/', env: environment, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  createInterface(child.stderr!).on('line', onLine)
  return child
}

/** Runs a PostgreSQL program to its end. Throws with the last lines that it wrote. */
export async function runToEnd(file: string, args: string[], user: PostgresUser | undefined) {
  const said: string[] = []
  const child = begin(file, args, user, (line) => said.push(line))
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

/**
 * Fast shutdown: clients are cut off, everything is written. Harsher after `patience`, ms, when that does not end, and outright after a quarter more: one
 * that was stopped where it stands hears nothing else. Its log brings it back either way.
 */
export async function endServer(child: ChildProcess, signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT', patience = 60_000) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const end = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  const harsher = [setTimeout(() => child.kill('SIGQUIT'), patience), setTimeout(() => child.kill('SIGKILL'), patience * 1.25)]
  await end
  for (const timer of harsher) clearTimeout(timer)
}

/** Processes of the cluster of that name, by their command lines: one left behind by a run that was killed, or its orphaned workers. */
export function processesOf(cluster: string) {
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
  const signals = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const
  let found = false
  for (const signal of signals) {
    const left = processesOf(cluster)
    if (left.length === 0) return found
    found = true
    // Workers follow their server; without one they are told themselves.
    const server = left.filter(({ isServer }) => isServer)
    for (const { pid } of server.length > 0 ? server : left) signalIfThere(pid, server.length > 0 ? signal : 'SIGQUIT')
    for (let waited = 0; waited < 30_000 && processesOf(cluster).length > 0; waited += 20) await pause(20)
  }
  return found
}

export function signalIfThere(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
