import type { ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { configuration, replaceFile } from './configuration.ts'
import { binariesFor, prepareHome, type PostgresHome, privateDirectory, socketDirectory } from './home.ts'
import { logFilesKept, makeLogFiles } from './log.ts'
import { endProcessesOf, endServer, killProcessesOf, runToEnd, startServer } from './process.ts'
import { accessRules, isPrepared, keepPasswords, ownPassword, passwordFile, passwordsOf, prepareRole } from './roles.ts'
import { settingsFor, throwAwaySettings } from './settings.ts'
import { unlessAborted } from '../kernel/shutdown.ts'
import { answers } from '../kernel/database/frozen-database.ts'
import { claimLock } from './pid-lock.ts'

type Log = Record<'debug' | 'info' | 'warn', (words: string) => void>

type Options = {
  /** Made when missing. Belongs to this database alone. */
  dataDir: string
  /** Also listens on 127.0.0.1 at this port; without it only on a Unix socket. */
  port?: number | 'free'
  log: Log
  /** Called when the server died and is back. */
  onRestart?: () => void
  /** Override or add server parameters. */
  settings?: Record<string, string | number>
  /** Aborted while it starts: what was begun is ended, and the signal's reason thrown. */
  signal?: AbortSignal
  /** Fast and forgetful; `stop` removes everything. */
  throwAway?: boolean
}

export type EmbeddedPostgres = {
  /** Of the database `masthead` as the role `masthead`, with its password; a WHATWG URL whose pathname can be exchanged. */
  url: string
  /** The same for psql and pg_dump, which read the password from its file: it can be shown. */
  shown: string
  /** Of the server process that runs now. */
  readonly pid: number
  /** Fast shutdown; may be called again. */
  stop: () => Promise<void>
}

const frozenFor = 5000 // ms: a server that is to end and says nothing for so long is killed

/**
 * Starts the PostgreSQL that npm brought on a directory of our own, and starts it again whenever it dies.
 * Throws, in words for the person who started us, when another process runs there or when it cannot run.
 */
export async function startEmbeddedPostgres({
  dataDir,
  port,
  log,
  onRestart,
  signal,
  settings: own,
  throwAway,
}: Options): Promise<EmbeddedPostgres> {
  const home = inWords(dataDir, () => prepareHome(dataDir, log.info))
  const lock = inWords(dataDir, () => claimLock(join(home.dir, 'masthead.pid')))
  if ('heldBy' in lock) {
    const words = `Masthead already runs on ${dataDir} (process ${lock.heldBy}). Stop it first, or give this one a directory of its own with MASTHEAD_DATA_DIR.`
    throw new DatabaseInUse(
      words,
      inWords(dataDir, () => addressesOf(home))
    )
  }
  let server: ChildProcess | undefined
  let stopping: Promise<void> | undefined
  let restarting: Promise<void> | undefined
  // After process.exit nothing can be awaited: PostgreSQL finishes its shutdown alone, and the next start waits for that.
  const atExit = () => {
    server?.kill('SIGINT')
    lock.release()
  }
  process.once('exit', atExit)

  try {
    const { bin, major } = binariesFor(home)
    const cluster = join(home.dir, 'cluster')
    const settings = { ...settingsFor(), ...(throwAway && throwAwaySettings), ...own }
    const passwords = inWords(dataDir, () => passwordsOf(home))
    const made = await initialize(home, cluster, bin, { throwAway, logFiles: logFilesKept(settings) })
    refuseOtherVersion(cluster, major)
    const tcpPort = port === 'free' ? await freePort() : port
    const socket = socketDirectory(home)
    const config = join(home.dir, 'postgresql.conf')
    const access = join(home.dir, 'pg_hba.conf')
    replaceFile(access, accessRules)
    replaceFile(
      config,
      configuration(home, {
        ...settings,
        listen_addresses: tcpPort === undefined ? '' : '127.0.0.1',
        port: tcpPort ?? 5432,
        unix_socket_directories: socket,
        hba_file: access,
      })
    )
    const name = nameOf(cluster)
    const url = (database: string, role: 'postgres' | 'masthead') =>
      tcpPort === undefined
        ? addressOn(socket, { database, user: role, password: passwords[role] })
        : `postgresql://${role}:${passwords[role]}@127.0.0.1:${tcpPort}/${database}`
    const superuser = (database: string) => url(database, 'postgres')
    const start = async () => {
      if (await endProcessesOf(name)) log.warn('Stopped the PostgreSQL that an earlier run left behind')
      rmSync(join(cluster, 'postmaster.pid'), { force: true }) // of no living server: the pid in it may be somebody else's by now
      const args = ['-D', cluster, '-c', `config_file=${config}`, '-c', `cluster_name=${name}`]
      if (stopping) return
      const { child, ready } = startServer(join(bin, 'postgres'), args, home.user, (line) =>
        log[line.startsWith('PANIC') ? 'warn' : 'debug'](`postgres: ${line}`)
      )
      server = child
      await ready
      child.once('exit', () => {
        if (!stopping) restarting = restart()
      })
    }
    const restart = async () => {
      log.warn('PostgreSQL ended unexpectedly; starting it again')
      for (let wait = 0; !stopping; wait = Math.min(wait * 2 || 100, 1_000)) {
        await pause(wait)
        try {
          await start()
          log.info('PostgreSQL is back')
          return onRestart?.()
        } catch (error) {
          log.warn(`PostgreSQL does not start: ${(error as Error).message}`)
        }
      }
    }
    const stop = async () => {
      const end = { signal: throwAway ? 'SIGQUIT' : 'SIGINT', answers: () => answers(superuser('postgres'), frozenFor) } as const
      // Also one that is just coming back.
      if (server && !(await endServer(server, end))) {
        await killProcessesOf(name)
        log.warn('PostgreSQL did not answer, or did not end, and was killed; its log brings it back at the next start')
      }
      await restarting
      process.off('exit', atExit)
      // Not all at once: hundreds of test databases take seconds, in which the caller has other things to end.
      if (throwAway) for (const dir of [socket, home.dir, dataDir]) await rm(dir, { recursive: true, force: true })
      else lock.release()
    }
    /** The superuser's password, while no server runs. After a crash this reads the log, as a start would. */
    const setOwnPassword = async () => {
      if (await endProcessesOf(name)) log.warn('Stopped the PostgreSQL that an earlier run left behind')
      rmSync(join(cluster, 'postmaster.pid'), { force: true })
      const single = ['--single', '-D', cluster, '-c', `config_file=${config}`, '-c', `cluster_name=${name}`, 'postgres']
      await runToEnd(join(bin, 'postgres'), single, home.user, ownPassword(passwords))
      inWords(dataDir, () => keepPasswords(home, passwords))
    }
    const begin = async () => {
      if (made || passwords.made) await setOwnPassword()
      await start()
      if (await isPrepared(url('masthead', 'masthead'))) return
      await prepareRole(superuser, passwords, { forTests: throwAway === true }).catch((error: Error & { code?: string }) => {
        if (error.code !== '28P01') throw error
        const words = `The passwords in ${passwordFile(home)} are not those of this database. Put the file back that belongs to it, or remove it: new ones are made then.`
        throw new Error(words, { cause: error })
      })
    }
    await unlessAborted(signal, begin()).catch(async (error: unknown) => {
      await (stopping ??= stop())
      throw error
    })
    return {
      url: url('masthead', 'masthead'),
      shown: tcpPort === undefined ? addressesOf(home).shown : `postgresql://masthead@127.0.0.1:${tcpPort}/masthead`,
      get pid() {
        return server!.pid!
      },
      stop: () => (stopping ??= stop()),
    }
  } catch (error) {
    atExit()
    process.off('exit', atExit)
    throw error
  }
}

/** Another process runs the database of this directory; it can be used at `url` while that lasts. */
export class DatabaseInUse extends Error {
  readonly url: string
  readonly shown: string

  constructor(words: string, { url, shown }: Pick<EmbeddedPostgres, 'url' | 'shown'>) {
    super(words)
    this.url = url
    this.shown = shown
  }
}

function addressesOf(home: PostgresHome) {
  const [socket, database, user] = [socketDirectory(home), 'masthead', 'masthead']
  return {
    url: addressOn(socket, { database, user, password: passwordsOf(home).masthead }),
    shown: addressOn(socket, { database, user, passfile: passwordFile(home) }),
  }
}

const addressOn = (socket: string, { database, ...named }: { database: string; user: string; password?: string; passfile?: string }) =>
  `postgresql:///${database}?host=${encodeURIComponent(socket)}&port=5432&${new URLSearchParams(named).toString()}`

/** Removes a throw-away cluster of a run that was killed. Leaves one alone that is in use, or somebody else's. */
export async function discardEmbeddedPostgres(dataDir: string) {
  try {
    const { dir } = prepareHome(dataDir, () => {})
    const lock = join(dir, 'masthead.pid')
    if (!existsSync(lock) || 'heldBy' in claimLock(lock)) return // one without a claim is just being made
    const cluster = join(dir, 'cluster')
    if (existsSync(cluster)) await endProcessesOf(nameOf(cluster))
    for (const each of [dir, dataDir]) rmSync(each, { recursive: true, force: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOENT') throw error
  }
}

/** Ends the server of a run that was killed. Leaves one alone that somebody else runs there. */
export async function endLeftBehind(dataDir: string) {
  if (!existsSync(dataDir)) return
  const { dir } = prepareHome(dataDir, () => {})
  const lock = claimLock(join(dir, 'masthead.pid'))
  if ('heldBy' in lock) return
  const cluster = join(dir, 'cluster')
  if (existsSync(cluster)) await endProcessesOf(nameOf(cluster))
  lock.release()
}

/** The inode tells this cluster from a copy of it, and from one at the same path in a container. */
function nameOf(cluster: string) {
  const { dev, ino } = statSync(cluster)
  return `masthead-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 12)}`
}

/** Makes the cluster, where there is none (answers true), beside its place and moves it there whole, so that a kill in the middle leaves nothing half made. */
async function initialize(
  home: PostgresHome,
  cluster: string,
  bin: string,
  { throwAway, logFiles }: { throwAway: boolean | undefined; logFiles: number }
) {
  for (const name of readdirSync(home.dir)) {
    if (name.startsWith('cluster.new-')) rmSync(join(home.dir, name), { recursive: true, force: true })
  }
  if (existsSync(cluster)) return false
  const draft = privateDirectory(join(home.dir, `cluster.new-${randomBytes(4).toString('hex')}`), home.user)
  // Whom its own file of access rules lets in: nobody. Ours stands beside the cluster.
  const how = ['-A', 'reject', '-U', 'postgres', '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions']
  try {
    await runToEnd(join(bin, 'initdb'), ['-D', draft, ...how, ...(throwAway ? ['--no-sync'] : [])], home.user)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!/could not look up effective user/.test((error as Error).message)) throw error
    throw new Error('PostgreSQL runs only as a user with a name. Give this one an entry in /etc/passwd, or set DATABASE_URL.', {
      cause: error,
    })
  }
  await makeLogFiles(join(draft, 'pg_wal'), logFiles, home.user)
  renameSync(draft, cluster)
  return true
}

function refuseOtherVersion(cluster: string, major: number) {
  const made = Number.parseInt(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'))
  if (made !== major) {
    throw new Error(
      `The data in ${cluster} is of PostgreSQL ${made}, and this Masthead brings ${major}. Dump it with the old one and load it into a new MASTHEAD_DATA_DIR.`
    )
  }
}

function freePort() {
  return new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

function inWords<T>(dataDir: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM') throw error
    throw new Error(
      `We may not write to ${dataDir} (${code}): it belongs to another user. Set MASTHEAD_DATA_DIR to a directory of our own.`
    )
  }
}
