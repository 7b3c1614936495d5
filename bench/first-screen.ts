import { rmSync } from 'node:fs'
import { chromium, type Browser, type CDPSession } from '@playwright/test'
import { startProduct, type RunningProduct } from '@masthead/testkit/product'
import { browserArguments, findBrowser } from '../tools/browser.ts'
import { buildBarePage } from './pages/bare.ts'

// What the first screen costs: JavaScript as sent (gzip), requests, time until the first row stands; beside a bare React page that shows
// the same rows from the same server in the same run.

const rounds = 7
const screens = { overview: { path: '/#/', shown: 'h1' }, assets: { path: '/#/assets', shown: 'main [role=row] a, main tbody tr a' } }

type Load = { ms: number; requests: number; scripts_bytes: number; total_bytes: number }

/** Opens a page in a fresh browser context with nothing cached, as gzip, and waits until the first row can be seen. */
async function load(browser: Browser, product: RunningProduct, cookie: string, path: string, shown: string): Promise<Load> {
  const context = await browser.newContext({ extraHTTPHeaders: { 'accept-encoding': 'gzip' } })
  const [name, value] = cookie.split('=') as [string, string]
  await context.addCookies([{ name, value, url: product.url }])
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const count = await counting(cdp)
  const begun = performance.now()
  await page.goto(product.url + path, { waitUntil: 'commit' })
  await page.locator(shown).first().waitFor()
  const ms = performance.now() - begun
  await page.waitForTimeout(500) // what still comes belongs to the screen
  const { requests, scripts_bytes, total_bytes } = count()
  await context.close()
  return { ms, requests, scripts_bytes, total_bytes }
}

async function counting(cdp: CDPSession) {
  const scripts = new Set<string>()
  let [requests, scripts_bytes, total_bytes] = [0, 0, 0]
  await cdp.send('Network.enable')
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  cdp.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    if (request.url.startsWith('data:')) return
    requests++
    if (type === 'Script') scripts.add(requestId)
  })
  const headers = new Map<string, number>()
  cdp.on('Network.responseReceived', ({ requestId, response }) => void headers.set(requestId, response.encodedDataLength))
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    total_bytes += encodedDataLength
    if (scripts.has(requestId)) scripts_bytes += encodedDataLength - (headers.get(requestId) ?? 0)
  })
  return () => ({ requests, scripts_bytes, total_bytes })
}

async function signIn({ url }: RunningProduct) {
  const reply = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@demo.test', password: 'masthead-demo' }),
  })
  return reply.headers.getSetCookie()[0]!.split(';')[0]!
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const summary = (loads: Load[]) => ({
  ms: Math.round(median(loads.map(({ ms }) => ms))),
  requests: Math.max(...loads.map(({ requests }) => requests)),
  scripts_bytes: Math.max(...loads.map(({ scripts_bytes }) => scripts_bytes)),
  total_bytes: Math.max(...loads.map(({ total_bytes }) => total_bytes)),
})

const bareDir = await buildBarePage()
const products: RunningProduct[] = []
const executablePath = findBrowser()
const browser = await chromium.launch({ args: browserArguments, ...(executablePath && { executablePath }) })
try {
  const quiet = { MASTHEAD_DEMO_NETWORK: 'off' }
  const ours = await startProduct(quiet)
  products.push(ours)
  const bare = await startProduct({ ...quiet, MASTHEAD_CONSOLE_DIR: bareDir })
  products.push(bare)
  const [ourCookie, bareCookie] = [await signIn(ours), await signIn(bare)]
  const loads: Record<string, Load[]> = { bare: [], overview: [], assets: [] }
  for (let i = 0; i <= rounds; i++) {
    const round = {
      bare: await load(browser, bare, bareCookie, '/', 'tr'),
      overview: await load(browser, ours, ourCookie, screens.overview.path, screens.overview.shown),
      assets: await load(browser, ours, ourCookie, screens.assets.path, screens.assets.shown),
    }
    if (i > 0) for (const [name, each] of Object.entries(round)) loads[name]!.push(each) // the first round warms up
  }
  const [reference, overview, assets] = [summary(loads.bare!), summary(loads.overview!), summary(loads.assets!)]
  console.log(
    JSON.stringify({
      figure: 'first-screen',
      bare: reference,
      overview,
      assets,
      limits: { scripts_bytes: 180_000, requests: 15, ratio: 3 },
      ratio_overview: overview.ms / reference.ms,
      ratio_assets: assets.ms / reference.ms,
    })
  )
} finally {
  await browser.close()
  for (const product of products) await product.stop()
  rmSync(bareDir, { recursive: true, force: true })
}
