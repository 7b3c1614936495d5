import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { getAsset, listAssets } from '@masthead/contract/assets/operations'
import type { Operation, Reply } from '@masthead/contract/kernel/operation'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { encodeRequest } from '@masthead/radius/authenticator'
import { codes } from '@masthead/radius/packet'
import { startProduct } from '@masthead/testkit/product'
import { browserArguments, findBrowser } from '../tools/browser.ts'

// From an accounting packet answered to the figure changed on an open screen, in milliseconds, beside 50 open consoles of the same account. Half
// of the rounds begin a second after the one before was seen, as a change does that comes alone; the others at once, so that each of them repeats
// the one before and is held back for a while.

const rounds = 60 // of each kind
const rest = 1000 // ms
const streams = 50
const perSession = 20 // as many as one may have
const limits = { p50: 150, p99: 500 } // ms
const step = 30_000_000 // bytes a round: enough to be seen with two decimals, and all rounds together fit 32 bits

const product = await startProduct({ MASTHEAD_DEMO_NETWORK: 'off' })
const executablePath = findBrowser()
const browser = await chromium.launch({ args: browserArguments, ...(executablePath && { executablePath }) })
const socket = createSocket('udp4')
const closed = new AbortController()
try {
  const page = await browser.newPage({ baseURL: product.url })
  const login = { email: 'owner@demo.test', password: 'masthead-demo' }
  await page.request.post('/v1/auth/login', { data: login })
  for (let open = 0; open < streams; open += perSession) await openStreams(login, Math.min(perSession, streams - open))
  const ask = async <Op extends Operation>(_op: Op, path: string) => (await (await page.request.get(`/v1${path}`)).json()) as Reply<Op>
  const [asset] = (await ask(listAssets, '/assets?search=depot-rotterdam')).items
  if (!asset?.sim?.imsi) throw new Error('The demo has no depot-rotterdam any more')
  await page.goto(`/#/assets/${asset.id}`)
  const used = async () => (await ask(getAsset, `/assets/${asset.id}`)).sim!.usage.period_bytes
  await page
    .getByText(formatBytes(await used()))
    .first()
    .waitFor()
  // What a start says was used is not counted.
  await account(asset.sim.imsi, 0)
  let reported = 0
  const measure = async (pauseFor: number) => {
    const taken: number[] = []
    for (let i = 0; i < rounds; i++) {
      await pause(pauseFor)
      const expected = formatBytes((await used()) + step)
      await account(asset.sim!.imsi!, ++reported)
      const answered = performance.now()
      await page.getByText(expected, { exact: false }).first().waitFor({ timeout: 20_000 })
      taken.push(performance.now() - answered)
    }
    taken.sort((a, b) => a - b)
    const [p50_ms, p99_ms] = [0.5, 0.99].map((share) => Math.round(taken[Math.floor(rounds * share)]!)) as [number, number]
    return { p50_ms, p99_ms, ratio: Math.max(p50_ms / limits.p50, p99_ms / limits.p99) }
  }
  const [alone, repeated] = [await measure(rest), await measure(0)]
  console.log(JSON.stringify({ figure: 'live-latency', rounds, streams, alone, repeated, limits, ok: alone.ratio <= 1 }))
  process.exitCode = alone.ratio <= 1 ? 0 : 1
} finally {
  socket.close()
  closed.abort()
  await browser.close()
  await product.stop()
}

/** Reports one more step of a session and waits for the answer. */
async function account(imsi: string, round: number) {
  const attributes = {
    acct_status_type: round === 0 ? 1 : 3,
    acct_session_id: 'latency',
    nas_identifier: 'bench',
    user_name: imsi,
    acct_session_time: round * 10,
    acct_input_octets: 0,
    acct_output_octets: round * step,
  }
  const request = encodeRequest({ code: codes.accounting_request, identifier: round, attributes }, Buffer.from('testing123'))
  const answer = once(socket, 'message')
  socket.send(request, product.acctPort, '127.0.0.1')
  await answer
}

/** As many consoles as one session may have open: each receives what the screen receives, and asks for nothing. */
async function openStreams(data: object, count: number) {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(data) }
  const answer = await fetch(`${product.url}/v1/auth/login`, request)
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  for (let i = 0; i < count; i++) {
    const { body } = await fetch(`${product.url}/v1/live`, { headers: { cookie }, signal: closed.signal })
    void body!.pipeTo(new WritableStream()).catch(() => {})
  }
}
