import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checks, type Outcome, playwright, root, run, runAll, type Step, vitest } from './run.ts'

type Count = { passed: number; failed: number; skipped: number }

/** What vitest's JSON report says. A run that failed with no failed test (an unhandled error, no report) counts as one. */
function countVitest(report: string, { ok }: Outcome): Count {
  const found = read<{ numPassedTests: number; numFailedTests: number; numPendingTests: number; numTodoTests: number }>(report)
  const failed = found?.numFailedTests ?? 0
  const skipped = (found?.numPendingTests ?? 0) + (found?.numTodoTests ?? 0)
  return { passed: found?.numPassedTests ?? 0, failed: ok ? failed : Math.max(failed, 1), skipped }
}

/** What Playwright's JSON report says. A test that passed only at its second try is named by Playwright as flaky, and has passed. */
function countPlaywright(report: string, { ok }: Outcome): Count {
  const { stats } = read<{ stats: { expected: number; unexpected: number; flaky: number; skipped: number } }>(report) ?? {}
  const failed = stats?.unexpected ?? 0
  return { passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0), failed: ok ? failed : Math.max(failed, 1), skipped: stats?.skipped ?? 0 }
}

/** Runs tests in the browser and counts them; why some were skipped is said once. */
async function runBrowser(name: string, step: Step): Promise<Count> {
  const report = join(results, name)
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, MASTHEAD_E2E_RESULTS: traces }
  const outcome = await run({ ...step, env }, true)
  const skips = (existsSync(report) ? readFileSync(report, 'utf8') : '').matchAll(/"type": "skip",\s*"description": ("(?:[^"\\]|\\.)*")/g)
  for (const why of new Set([...skips].map(([, text]) => JSON.parse(text!) as string))) console.log(`\nSkipped: ${why}`)
  return countPlaywright(report, outcome)
}

const read = <T>(path: string) => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined)

const results = mkdtempSync(join(tmpdir(), 'masthead-results-'))
const traces = join(results, 'browser')
const counts: Count[] = []
const begin = (words: string) => console.log(`\n${words}`)

begin('Sources')
const sources = await runAll(checks)

begin('Rules, the server and its areas (vitest)')
const vitestReport = join(results, 'vitest.json')
counts.push(
  countVitest(vitestReport, await run(vitest('--reporter', 'default', '--reporter', 'json', '--outputFile.json', vitestReport), true))
)

begin('The console in a browser, built for both router modes (Playwright)')
const builds = await runAll(
  [[], ['--history']].map((mode) => ({
    name: `console build ${mode.join(' ')}`.trim(),
    command: process.execPath,
    args: [join(root, 'tools/ensure-console.mjs'), ...mode],
  }))
)
counts.push(await runBrowser('browser.json', playwright('--reporter', 'list,json')))

begin('The pieces of the console by themselves, in the gallery (Playwright)')
counts.push(await runBrowser('gallery.json', playwright('--config', 'playwright-gallery.config.ts', '--reporter', 'list,json')))

const broken = [...sources, ...builds].filter(({ ok }) => !ok)
const sum = (key: keyof Count) => counts.reduce((total, count) => total + count[key], 0)
const [passed, failed, skipped] = [sum('passed'), sum('failed') + broken.length, sum('skipped')]
if (failed > 0) {
  const kept = [traces, `${traces}-gallery`].filter(existsSync)
  const where = kept.length > 0 ? `; pictures and traces of the browser are in ${kept.join(' and ')}` : ''
  console.log(`\nNot in order: ${[...broken.map(({ name }) => name), ...(sum('failed') ? ['tests'] : [])].join(', ')}${where}`)
} else {
  rmSync(results, { recursive: true })
}
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
