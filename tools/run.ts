import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export type Step = { name: string; command: string; args: readonly string[]; env?: Record<string, string> }
export type Outcome = { name: string; ok: boolean; seconds: number; output: string }

/** Runs a program of the checkout. `show` hands its output through as it comes; otherwise it is kept. */
export function run({ name, command, args, env }: Step, show = false): Promise<Outcome> {
  const from = performance.now()
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (piece: string) => (output += piece))
  return new Promise((resolve) => {
    const end = (ok: boolean) => resolve({ name, ok, seconds: (performance.now() - from) / 1000, output })
    child.once('error', (error) => {
      output += error.message
      end(false)
    })
    child.once('close', (code) => end(code === 0))
  })
}

const node = process.execPath
const bin = (name: string) => join(root, 'node_modules/.bin', name)

/** Checks again only what has changed, by what was noted outside the checkout: root and a normal user may take turns in it. */
const types = (project: string): string[] => {
  const noted = `masthead-types-${process.getuid?.() ?? ''}-${join(root, project).replaceAll(/[\\/:.]+/g, '-')}`
  return ['-p', project, '--incremental', '--tsBuildInfoFile', join(tmpdir(), noted, 'tsbuildinfo')]
}

/** What `npm run check` asks of the sources, the slowest first. */
export const checks: readonly Step[] = [
  { name: 'lint (oxlint)', command: node, args: [bin('oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'types', command: bin('tsc'), args: types('.') },
  { name: 'types of the browser tests', command: bin('tsc'), args: types('e2e') },
  { name: 'types of the console', command: bin('tsc'), args: types('apps/console') },
  { name: 'format (oxfmt; npm run format mends it)', command: node, args: [bin('oxfmt'), '--check'] },
]

export const vitest = (...args: string[]): Step => ({ name: 'tests', command: node, args: [bin('vitest'), 'run', ...args] })
export const playwright = (...args: string[]): Step => ({
  name: 'tests in the browser',
  command: node,
  args: [bin('playwright'), 'test', ...args],
})

/** Runs steps, a few at once, and prints each as it ends, with what it wrote where it failed. */
export async function runAll(steps: readonly Step[], atOnce = 2): Promise<Outcome[]> {
  const waiting = [...steps]
  const outcomes: Outcome[] = []
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const outcome = await run(step)
      outcomes.push(outcome)
      console.log(`${outcome.ok ? 'ok    ' : 'FAILED'} ${outcome.name}, ${outcome.seconds.toFixed(1)} s`)
      if (!outcome.ok) console.log(`${outcome.output.trimEnd()}\n`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return outcomes
}

/** Runs the programs of a folder one after the other, alone on the machine, their output handed through. False when one failed. */
export async function runFolder(folder: string, wanted: readonly string[]) {
  const files = globSync(`${folder}/*.ts`, { cwd: root }).sort()
  const chosen = files.filter((file) => wanted.length === 0 || wanted.includes(basename(file, '.ts')))
  if (chosen.length === 0) {
    console.error(`There is nothing to run in ${folder}${wanted.length > 0 ? ` called ${wanted.join(' or ')}` : ''}`)
    return false
  }
  let ok = true
  for (const file of chosen)
    ok = (await run({ name: file, command: node, args: ['--disable-warning=ExperimentalWarning', file] }, true)).ok && ok
  return ok
}
