import { checks, runAll, vitest } from './run.ts'

// npm run check: what can be said in half a minute, without a database or a browser.
const outcomes = await runAll([{ ...vitest('--project', 'pure', '--reporter', 'dot'), name: 'pure tests' }, ...checks])
const failed = outcomes.filter(({ ok }) => !ok)
console.log(failed.length === 0 ? 'All checks pass' : `Failed: ${failed.map(({ name }) => name).join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
