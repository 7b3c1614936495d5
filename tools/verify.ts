import { join } from 'node:path'
import { checks, playwright, root, run, runAll, vitest } from './run.ts'

// npm run verify: what a change of the API or the console is refused for, short of every test there is. Words beside it are tests of the change's
// own: parts of their paths, and files in e2e.
const sweeps = [
  'server/src/sweep',
  'server/src/matrix',
  'once-per-key',
  'limited-tags',
  'server/src/read-only',
  'server/src/server.test',
  'account/closing',
  'staff/own-things',
  'staff/staff.test',
  'device-errors',
  'schema-objects',
]
const own = process.argv.slice(2)
const inBrowser = own.filter((path) => path.endsWith('.e2e.ts'))
const besides = own.filter((path) => !path.endsWith('.e2e.ts'))

const outcomes = await runAll([
  { ...vitest('--project', 'pure', '--reporter', 'dot'), name: 'pure tests, house rules, the API description' },
  ...checks,
])
outcomes.push(
  ...(await runAll([{ ...vitest('--project', 'server', ...sweeps, ...besides), name: 'every call by everybody, and your own tests' }]))
)
if (inBrowser.length > 0) {
  // The products that browser tests begin with have a console each, of either router mode.
  const builds = [[], ['--history']].map((mode) => ({
    name: `console build ${mode.join(' ')}`.trim(),
    command: process.execPath,
    args: [join(root, 'tools/ensure-console.mjs'), ...mode],
  }))
  outcomes.push(...(await runAll(builds)))
  outcomes.push(await run(playwright(...inBrowser), true))
}
const failed = outcomes.filter(({ ok }) => !ok)
console.log(failed.length === 0 ? 'All of it passes' : `Failed: ${failed.map(({ name }) => name).join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
