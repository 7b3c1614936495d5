// The agent as files that devices get from `/agent/`: the agent, what starts it, the script that installs both, and what is offered to devices.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { agentVersion } from './agent-version.mjs'
import { packTerminals } from './pack-terminals.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.bin')

function bundle(source, file) {
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

/** What was built says the version of its sources in each place that shows it: from now on that of this build. */
function withVersion(text, version) {
  const [, ofSources] = /'([\d.]+)'/.exec(readFileSync(join(root, 'apps/agent/src/version.ts'), 'utf8'))
  const said = new RegExp(`(["'\`])${ofSources.replaceAll('.', '\\.')}\\1`, 'g')
  const changed = text.replaceAll(said, (_, quote) => `${quote}${version}${quote}`)
  if (changed === text) throw new Error('The agent that was built does not say its version')
  return changed
}

/** `others`: also for devices with another processor, where a registry of packages is at hand. */
export function buildAgent(folder, { others = false } = {}) {
  mkdirSync(folder, { recursive: true })
  const program = join(folder, 'masthead-agent.mjs')
  bundle('main.ts', program)
  bundle('update/start.ts', join(folder, 'start.mjs'))
  const version = agentVersion(root)
  writeFileSync(program, withVersion(readFileSync(program, 'utf8'), version))
  const sha256 = createHash('sha256').update(readFileSync(program)).digest('hex')
  writeFileSync(join(folder, 'agent.json'), JSON.stringify({ version, sha256 }))
  copyFileSync(join(root, 'deploy/agent/install.sh'), join(folder, 'install.sh'))
  packTerminals(root, folder, { others })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildAgent(process.argv[2])
