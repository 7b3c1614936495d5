// Installs what the lock says, when that is not what is there. Runs on any Node from 20 on, before there are packages.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { oneAtATime } from './one-at-a-time.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
const stamp = join(modules, '.masthead-install')

function wanted() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex')
}

const isFresh = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted()

/** npm ci or npm install run by hand leave no stamp of ours, but npm's own record of what is installed. */
function isInstalledByHand() {
  const record = join(modules, '.package-lock.json')
  if (!existsSync(record)) return false
  const { packages: installed } = JSON.parse(readFileSync(record, 'utf8'))
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  // An optional package may be missing, but not when it names just this platform: node itself comes as one of those.
  const isForUs = ({ os, cpu, libc }) =>
    os?.includes(process.platform) && (cpu ?? [process.arch]).includes(process.arch) && !libc?.includes('musl')
  return Object.entries(locked)
    .filter(([path]) => path.startsWith('node_modules/'))
    .every(([path, entry]) => {
      const found = installed[path]
      return found ? found.version === entry.version && found.integrity === entry.integrity : entry.optional && !isForUs(entry)
    })
}

/** The node that runs npm, unless that is the one in node_modules: npm ci deletes it under itself. */
function nodeOutside() {
  const candidates = [
    process.env.npm_node_execpath,
    process.execPath,
    ...(process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, 'node')),
  ]
  return candidates.find((path) => path && !path.includes(`${sep}node_modules${sep}`) && isExecutable(path))
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function npmCi() {
  const env = { ...process.env }
  for (const name of Object.keys(env)) {
    // Options meant for `npm start` (-w console, --omit=dev) must not change what is installed.
    if (/^npm_config_(workspace|include_workspace|omit|only|production|global|dry_run|package_lock_only)/i.test(name)) delete env[name]
  }
  // npm alone would wait more than a minute, in silence, for a registry that is down.
  const patience = ['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=8000']
  const options = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...patience,
  ]
  const node = nodeOutside()
  const npm = process.env.npm_execpath
  const [file, ...args] = node && npm && existsSync(npm) ? [node, npm, ...options] : ['npm', ...options]
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code, signal) => (code === 0 ? resolve() : reject(new Error(`npm ci ended with ${signal ?? code}`))))
  })
}

async function install() {
  if (isFresh()) return
  if (!isInstalledByHand()) {
    console.log('Installing the packages of package-lock.json (npm ci)')
    await npmCi()
  }
  writeFileSync(stamp, wanted())
}

if (!isFresh()) {
  try {
    await oneAtATime(join(root, '.install.lock'), 'Another process installs the packages', install)
  } catch (error) {
    console.error(`Masthead's packages are not installed: ${error.message}. Its reason is above; is the package registry within reach?`)
    process.exit(1)
  }
}
