import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { startProduct, type RunningProduct } from '@masthead/testkit/product'
import { browserArguments, findBrowser } from '../tools/browser.ts'
import { buildBarePage } from './pages/bare.ts'

// Lighthouse's performance on a telephone (its own simulated network and processor), the median of five for each screen, in turn with the
// bare page of `first-screen`: the machine's noise is in both, the difference is ours. `npm exec -c 'node bench/lighthouse.ts assets'`
// measures one screen. Lighthouse is fetched by npm when it is first needed, and is no dependency: it would be 167 packages more for
// whoever installs Masthead, and one of them asks for the "latest" of another, which no lock can hold.

// A number among the words is how many rounds.
const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 5)
const tool = 'lighthouse@12.8.2'
const password = 'masthead-demo'
type Who = { url: string; cookie: string | null; token: string | null }
type Page = { path: string; who: keyof typeof people }
const people = { nobody: null, owner: 'owner@demo.test', empty: 'empty@demo.test', staff: 'staff@demo.test' }

async function enter(url: string, who: Page['who']): Promise<Who> {
  const email = people[who]
  if (email === null) return { url, cookie: null, token: null }
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${url}/v1${path}`, { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body: JSON.stringify(body) })
  const cookie = (await post('/auth/login', { email, password })).headers.getSetCookie()[0]!.split(';')[0]!
  if (who !== 'staff') return { url, cookie, token: null }
  const { token } = (await (await post('/backoffice/access', { password, reason: 'Lighthouse measures' }, cookie)).json()) as {
    token: string
  }
  return { url, cookie, token }
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const port = await freePort()
const [bareDir, profile] = [await buildBarePage(), mkdtempSync(join(tmpdir(), 'masthead-lighthouse-'))]
const executablePath = findBrowser()
const context = await chromium.launchPersistentContext(profile, {
  args: [...browserArguments, `--remote-debugging-port=${port}`],
  ...(executablePath && { executablePath }),
})

/** What is read of Lighthouse's own. */
type Report = {
  audits: Record<string, { numericValue: number }>
  categories: { performance: { score: number } }
  runtimeError?: { message: string }
}
type Run = { score: number; fcp: number; lcp: number; tbt: number; si: number; shift: number }

/** One run, as somebody who was never here but is signed in. */
async function measure(path: string, { url, cookie, token }: Who): Promise<Run> {
  await context.clearCookies()
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(`${url}/healthz`)
  await page.evaluate(`localStorage.clear(); ${token ? `localStorage.setItem('masthead-backoffice-token', '${token}')` : ''}`)
  if (cookie) {
    const [name, value] = cookie.split('=') as [string, string]
    await context.addCookies([{ name, value, url }])
  }
  // The console's stream never ends, and Lighthouse would wait 45 s on each screen for the network to be quiet.
  const command = `lighthouse '${url}${path}' --port=${port} --output=json --quiet --only-categories=performance --max-wait-for-load=12000`
  const { stdout } = await promisify(execFile)('npm', ['exec', '--yes', `--package=${tool}`, '-c', command], {
    cwd: tmpdir(),
    maxBuffer: 64 << 20,
  })
  const { audits, categories, runtimeError } = JSON.parse(stdout) as Report
  if (runtimeError) throw new Error(runtimeError.message)
  const ms = (name: string) => Math.round(audits[name]!.numericValue)
  return {
    score: categories.performance.score,
    fcp: ms('first-contentful-paint'),
    lcp: ms('largest-contentful-paint'),
    tbt: ms('total-blocking-time'),
    si: ms('speed-index'),
    shift: audits['cumulative-layout-shift']!.numericValue,
  }
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const medians = (runs: Run[]) =>
  Object.fromEntries((Object.keys(runs[0]!) as (keyof Run)[]).map((key) => [key, median(runs.map((run) => run[key]))])) as Run

const products: RunningProduct[] = []
try {
  const quiet = { MASTHEAD_DEMO_NETWORK: 'off' }
  const ours = await startProduct(quiet)
  products.push(ours)
  const bare = await startProduct({ ...quiet, MASTHEAD_CONSOLE_DIR: bareDir })
  products.push(bare)
  const owner = await enter(ours.url, 'owner')
  const { items } = (await (await fetch(`${ours.url}/v1/assets?page_size=1`, { headers: { cookie: owner.cookie! } })).json()) as {
    items: { id: string }[]
  }
  const pages: Record<string, Page> = {
    sign_in: { path: '/#/login', who: 'nobody' },
    overview: { path: '/#/', who: 'owner' },
    overview_empty: { path: '/#/', who: 'empty' },
    assets: { path: '/#/assets', who: 'owner' },
    asset: { path: `/#/assets/${items[0]!.id}`, who: 'owner' },
    backoffice: { path: '/#/masa', who: 'staff' },
  }
  const asked = process.argv.slice(2).filter((name) => name in pages)
  const runs: Record<string, Run[]> = { bare: [] }
  for (let round = 0; round < rounds; round++) {
    runs.bare!.push(await measure('/', await enter(bare.url, 'owner')))
    for (const [name, { path, who }] of Object.entries(pages))
      if (asked.length === 0 || asked.includes(name)) (runs[name] ??= []).push(await measure(path, await enter(ours.url, who)))
  }
  const figures = Object.fromEntries(Object.entries(runs).map(([name, each]) => [name, medians(each)]))
  console.log(JSON.stringify({ figure: 'lighthouse', limits: { score: 0.9, or_under_bare: 0.05, shift: 0.05 }, ...figures }))
} finally {
  await context.close()
  for (const product of products) await product.stop()
  for (const dir of [bareDir, profile]) rmSync(dir, { recursive: true, force: true })
}
