import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { checks, type Outcome, playwright, root, run, runAll, type Step, vitest } from './run.ts'

type Count = { passed: number; failed: number; skipped: number; failures: string[] }

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/** What vitest's JSON report says. A run that failed with no failed test (an unhandled error, no report) counts as one. */
function countVitest(path: string, { ok }: Outcome): Count {
  const report = read<VitestReport>(path)
  const failed = report?.numFailedTests ?? 0
  const failures = (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const broken = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && broken.length === 0) return [describeFailure(file, message)]
    return broken.map(({ fullName, failureMessages }) => describeFailure(`${file}: ${fullName}`, failureMessages[0] ?? ''))
  })
  return {
    passed: report?.numPassedTests ?? 0,
    failed: ok ? failed : Math.max(failed, 1),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    failures,
  }
}

type Suite = {
  suites?: Suite[]
  specs?: { title: string; ok: boolean; file: string; tests: { results: { error?: { message?: string } }[] }[] }[]
}
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number }; suites: Suite[] }

/** What Playwright's JSON report says. A test that passed only at its second try is named by Playwright as flaky, and has passed. */
function countPlaywright(path: string, { ok }: Outcome): Count {
  const { stats, suites } = read<PlaywrightReport>(path) ?? { suites: [] }
  const failed = stats?.unexpected ?? 0
  return {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: ok ? failed : Math.max(failed, 1),
    skipped: stats?.skipped ?? 0,
    failures: suites.flatMap(failuresOf),
  }
}

const failuresOf = ({ suites = [], specs = [] }: Suite): string[] => [
  ...specs
    .filter((spec) => !spec.ok)
    .map(({ title, file, tests }) =>
      describeFailure(`${file}: ${title}`, tests.flatMap(({ results }) => results)[0]?.error?.message ?? '')
    ),
  ...suites.flatMap(failuresOf),
]

/** Where it failed and the first lines of why, without colours: the end of a long output is what is read. */
function describeFailure(where: string, why: string) {
  const lines = stripVTControlCharacters(why).trim().split('\n').slice(0, 12)
  return [where, ...lines.map((line) => `    ${line}`)].join('\n')
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
const sum = (key: 'passed' | 'failed' | 'skipped') => counts.reduce((total, count) => total + count[key], 0)
const [passed, failed, skipped] = [sum('passed'), sum('failed') + broken.length, sum('skipped')]
if (failed > 0) {
  const kept = [traces, `${traces}-gallery`].filter(existsSync)
  const where = kept.length > 0 ? `; pictures and traces of the browser are in ${kept.join(' and ')}` : ''
  for (const failure of counts.flatMap(({ failures }) => failures)) console.log(`\n${failure}`)
  console.log(`\nNot in order: ${[...broken.map(({ name }) => name), ...(sum('failed') ? ['tests'] : [])].join(', ')}${where}`)
} else {
  rmSync(results, { recursive: true })
}
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
