import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestServer } from '../test-server.ts'
import { programOf, readStanding, writeStanding } from './standing.ts'

const root = join(import.meta.dirname, '../../../..')

/** The agent as devices get it, and copies of it that say they are another version. */
export function buildPrograms() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-built-'))
  execFileSync(process.execPath, [join(root, 'tools/build-agent.mjs'), folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  const { version } = JSON.parse(readFileSync(join(folder, 'agent.json'), 'utf8')) as { version: string }
  const program = readFileSync(join(folder, 'masthead-agent.mjs'), 'utf8')
  return {
    folder,
    version,
    works: (as: string) => program.replaceAll(version, as),
    /** Answers what it is, and does something else instead of running. */
    broken: (as: string, does: string) =>
      `if (process.argv[2] === 'version') console.log('${as}')\nelse { console.log('broken ${as}'); ${does} }`,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
export type Programs = ReturnType<typeof buildPrograms>

/** A device on which the agent is installed, and what starts it again whenever it ends, as systemd does. */
export function startDevice(server: TestServer, { folder, version }: Programs, trialSeconds = 20) {
  const home = mkdtempSync(join(tmpdir(), 'agent-home-'))
  const dir = join(home, 'state')
  mkdirSync(dirname(programOf(home, version)), { recursive: true })
  copyFileSync(join(folder, 'masthead-agent.mjs'), programOf(home, version))
  copyFileSync(join(folder, 'start.mjs'), join(home, 'start.mjs'))
  writeStanding(home, { current: version, trial: null, left: null })
  mkdirSync(dir)
  const login = { server: server.httpUrl(), device_id: server.device_id, token: 'secret', url: server.url() }
  writeFileSync(join(dir, 'identity.json'), JSON.stringify(login))
  let child: ChildProcess
  let stopped = false
  let starts = 0
  let log = ''
  function start() {
    starts++
    const args = ['--lite-mode', '--max-old-space-size=40', '--max-semi-space-size=1', join(home, 'start.mjs'), 'run', '--dir', dir]
    child = spawn(process.execPath, [...args, '--engine', join(home, 'none'), '--trial-seconds', String(trialSeconds)])
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (piece) => (log += String(piece)))
    child.once('exit', () => void (!stopped && setTimeout(() => stopped || start(), 100)))
  }
  start()
  return {
    home,
    starts: () => starts,
    log: () => log,
    standing: () => readStanding(home),
    kill: () => child.kill('SIGKILL'),
    [Symbol.dispose]() {
      stopped = true
      child.kill('SIGKILL')
      rmSync(home, { recursive: true, force: true })
    },
  }
}
