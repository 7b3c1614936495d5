// Builds the console when its sources are not those of the last build. `--history` builds the other router mode, `--gallery` the pieces
// it is made of; both only for their tests.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildAgent } from './build-agent.mjs'
import { oneAtATime } from './one-at-a-time.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const app = join(root, 'apps/console')
const history = process.argv.includes('--history')
const gallery = process.argv.includes('--gallery')
const dist = join(app, history ? 'dist-history' : gallery ? 'dist-gallery' : 'dist')
const stamp = join(dist, '.masthead-build')
const env = { ...process.env, ...(history && { VITE_ROUTER: 'history' }) }

/** Of everything a build reads: sources, the contract, exact versions, build settings. */
function sourceHash() {
  const hash = createHash('sha256')
  const add = (path) => {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = join(path, entry.name)
      if (/^(node_modules|dist.*|\..*)$|\.test\.tsx?$/.test(entry.name)) continue
      if (entry.isDirectory()) add(inside)
      else hash.update(inside.slice(root.length)).update('\0').update(readFileSync(inside)).update('\0')
    }
  }
  add(app)
  add(join(root, 'packages/contract'))
  // What devices install comes with it.
  add(join(root, 'apps/agent'))
  add(join(root, 'deploy/agent'))
  for (const name of ['build-agent.mjs', 'pack-terminals.mjs']) hash.update(readFileSync(join(root, 'tools', name)))
  for (const name of ['package-lock.json', 'tsconfig.base.json']) hash.update(readFileSync(join(root, name)))
  const settings = Object.entries(env).filter(([name]) => name.startsWith('VITE_'))
  return hash.update(JSON.stringify(settings.sort())).digest('hex')
}

const isFresh = (hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash

function build() {
  const hash = sourceHash()
  if (isFresh(hash)) return
  console.log(gallery ? 'Building the gallery' : `Building the console${history ? ' (history routing)' : ''}`)
  const draft = `${dist}-new`
  const old = `${dist}-old`
  const bin = join(root, 'node_modules/.bin')
  const args = [
    join(bin, 'vite'),
    'build',
    '--outDir',
    draft,
    '--emptyOutDir',
    '--logLevel',
    'warn',
    ...(gallery ? ['--mode', 'gallery'] : []),
  ]
  const { status, error } = spawnSync(join(bin, 'node'), args, { cwd: app, env, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw error ?? new Error('vite build failed, see above')
  if (!gallery) buildAgent(join(draft, 'agent'), { others: true })
  writeFileSync(join(draft, '.masthead-build'), hash)
  // A server that runs meanwhile sees the old files or the new ones, for an instant none.
  rmSync(old, { recursive: true, force: true })
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(draft, dist)
  rmSync(old, { recursive: true, force: true })
}

if (!isFresh(sourceHash())) {
  try {
    await oneAtATime(`${dist}.lock`, 'Another process builds the console', build)
  } catch (error) {
    console.error(`The console is not built: ${error.message}`)
    process.exit(1)
  }
}
