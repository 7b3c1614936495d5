// The agent as files that devices get from `/agent/`: the agent, what starts it, the script that installs both, and what is offered to devices.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packTerminals } from './pack-terminals.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.bin')

export function bundle(source, file) {
  const args = [
    join(bin, 'rolldown'),
    join(root, 'apps/agent/src', source),
    '--platform',
    'node',
    '--format',
    'esm',
    '--minify',
    // It comes with a program for each platform.
    '--external',
    '@lydell/node-pty',
    '--file',
    file,
  ]
  const { status, error } = spawnSync(join(bin, 'node'), args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw error ?? new Error('the agent could not be built, see above')
}

export const versionFile = join(root, 'apps/agent/src/version.ts')

/** The version of the agent, and the sum of what it was given to. */
export function readVersion() {
  const [, version, sum] = /version = '([\d.]+)'[^]*builtSum = '([0-9a-f]{64})'/.exec(readFileSync(versionFile, 'utf8'))
  return { version, sum }
}

/** SHA-256 of what was built, without the version in it. */
export const sumOf = (program, version) => createHash('sha256').update(program.replaceAll(version, '')).digest('hex')

/** `others`: also for devices with another processor, where a registry of packages is at hand. */
export function buildAgent(folder, { others = false } = {}) {
  mkdirSync(folder, { recursive: true })
  const program = join(folder, 'masthead-agent.mjs')
  bundle('main.ts', program)
  bundle('update/start.ts', join(folder, 'start.mjs'))
  const { version, sum } = readVersion()
  const built = readFileSync(program, 'utf8')
  if (sumOf(built, version) !== sum)
    console.log(
      `The agent has changed since it was given version ${version}, so no device of this version is offered it: run npm run agent:version`
    )
  const sha256 = createHash('sha256').update(built).digest('hex')
  writeFileSync(join(folder, 'agent.json'), JSON.stringify({ version, sha256 }))
  copyFileSync(join(root, 'deploy/agent/install.sh'), join(folder, 'install.sh'))
  packTerminals(root, folder, { others })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildAgent(process.argv[2])
