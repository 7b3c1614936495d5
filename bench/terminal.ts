// A key to its echo, and what a shell writes: browser, server, agent, shell, recorded; beside the same two WebSockets that only hand on.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket, WebSocketServer } from 'ws'
import { startAgent } from '@masthead/agent/agent'
import { openEngine } from '@masthead/agent/engine/engine'
import { realPlaces } from '@masthead/agent/host/vitals'
import { startShell, type Shell } from '@masthead/agent/terminal/shell'
import { takenEach } from '@masthead/contract/terminal/wire'
import { startProduct } from '@masthead/testkit/product'

const keys = Number(process.env.BENCH_KEYS ?? 500)
const warmUp = 50
const megabytes = Number(process.env.BENCH_MB ?? 40)
/** Nothing is waited for longer: what hangs says what it was. */
const stepWithin = Number(process.env.BENCH_STEP_SECONDS ?? 90) * 1000
const limits = { p50: 2, p99: 3, output: 0.8 }

function within<T>(what: string, step: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${stepWithin / 1000} s`)), stepWithin)
  })
  return Promise.race([step, late]).finally(() => clearTimeout(timer))
}

type Way = { type: (text: string) => void; onBytes: (hear: (bytes: Buffer) => void) => void }

async function measure(name: string, { type, onBytes }: Way) {
  let hear = (_: Buffer) => {}
  onBytes((bytes) => hear(bytes))
  const heard = (done: (all: string) => boolean) => {
    let all = ''
    return new Promise<void>((resolve) => {
      hear = (bytes) => done((all += bytes.toString('latin1'))) && resolve()
    })
  }
  const ready = heard((all) => all.includes('ready-1'))
  // As many keys as come are read, and then the shell goes on.
  type(`stty -icanon echo; PS1=; echo ready-$((0+1)); head -c ${keys + warmUp} > /dev/null\r`)
  await within(`${name}: the first command`, ready)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const taken: number[] = []
  for (let key = -warmUp; key < keys; key++) {
    const echo = heard(() => true)
    const from = performance.now()
    type('x')
    await within(`${name}: the echo of key ${key}`, echo)
    if (key >= 0) taken.push(performance.now() - from)
  }
  const over = heard((all) => all.includes('over-1'))
  type('stty -echo; echo over-$((0+1))\r')
  await within(`${name}: the end of the keys`, over)
  let size = 0
  const all = new Promise<void>((resolve) => {
    hear = (bytes) => (size += bytes.length) >= megabytes * 1e6 && resolve()
  })
  const from = performance.now()
  type(`head -c ${megabytes * 1e6} /dev/zero | tr '\\0' a\r`)
  await within(`${name}: ${megabytes} MB of output`, all)
  const output_mb_s = megabytes / ((performance.now() - from) / 1000)
  const at = (of: number) => Number(taken.toSorted((a, b) => a - b)[Math.floor(taken.length * of)]!.toFixed(3))
  return { p50_ms: at(0.5), p99_ms: at(0.99), output_mb_s: Number(output_mb_s.toFixed(1)) }
}

/** A shell behind two WebSockets that hand on what comes, held up by their buffers alone. */
async function openBare() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(server, 'listening')
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ends: WebSocket[] = []
  server.on('connection', (socket) => {
    ends.push(socket)
    if (ends.length < 2) return
    const [device, browser] = ends as [WebSocket, WebSocket]
    device.on('message', (data) => browser.send(data as Buffer))
    browser.on('message', (data) => device.send(data as Buffer))
  })
  const device = new WebSocket(url, { perMessageDeflate: false })
  await once(device, 'open')
  // What it shows first comes before it is here.
  let shell: Shell | undefined
  shell = await startShell(
    { cols: 80, rows: 24 },
    {
      onBytes: (bytes) => {
        if (device.bufferedAmount > 256 * 1024) shell?.pause()
        device.send(bytes, () => device.bufferedAmount < 64 * 1024 && shell?.resume())
      },
      onExit: () => {},
    }
  )
  device.on('message', (data) => shell?.write(data as Buffer, () => {}))
  const browser = new WebSocket(url, { perMessageDeflate: false })
  await once(browser, 'open')
  return {
    way: {
      type: (text: string) => browser.send(Buffer.from(text)),
      onBytes: (hear) => void browser.on('message', (data: Buffer) => hear(data)),
    } satisfies Way,
    stop: () => {
      shell?.end()
      for (const socket of [device, browser]) socket.terminate()
      server.close()
    },
  }
}

/** A shell of the product: its server, and an agent of its own beside it. */
async function openOurs(url: string) {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/v1/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    if (cookies.length > 0) headers.cookie = cookies.join('; ')
    return (await answer.json()) as {
      items: { id: string }[]
      id: string
      code: string
      device_id: string
      token: string
      mqtt_port: number
    }
  }
  await call('POST', 'auth/login', { email: 'owner@demo.test', password: 'masthead-demo' })
  const asset = (await call('GET', 'assets?type=alpon_x4&page_size=1')).items[0]!.id
  const { code } = await call('POST', `assets/${asset}/alpon/claim-code`, {})
  const { device_id, token, mqtt_port } = await call('POST', 'devices/enrol', { code })
  const folder = mkdtempSync(join(tmpdir(), 'bench-terminal-'))
  const agent = startAgent({
    login: { server: url, url: `mqtt://127.0.0.1:${mqtt_port}`, device_id, token },
    engine: openEngine('/nowhere'),
    places: realPlaces,
    notesPath: join(folder, 'notes.json'),
    say: () => {},
    reboot: () => {},
  })
  const open = () => call('POST', `assets/${asset}/terminal`, { cols: 80, rows: 24 })
  const until = performance.now() + stepWithin
  const ask = () =>
    open().catch((error: Error) => {
      if (performance.now() > until) throw error
      return undefined
    })
  let session = await ask()
  for (; !session; session = await ask()) await new Promise((resolve) => setTimeout(resolve, 200))
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/terminal-sessions/${session.id}/socket?client=bench`, {
    headers: { cookie: headers.cookie!, origin: url },
    perMessageDeflate: false,
  })
  let [place, told] = [0, 0]
  let heard = (_: Buffer) => {}
  const shell = new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code, why) => reject(new Error(`The window closed: ${code} ${String(why)}`)))
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return void (String(data).includes('"shell"') && resolve())
      place += data.length
      if (place - told >= takenEach) socket.send(JSON.stringify({ t: 'taken', at: (told = place) }))
      heard(data)
    })
  })
  shell.catch(() => {})
  await within('ours: the shell', shell)
  return {
    way: { type: (text) => socket.send(Buffer.from(text)), onBytes: (hear) => void (heard = hear) } satisfies Way,
    stop: async () => {
      socket.close()
      await agent.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const product = await startProduct({ MASTHEAD_DEMO_NETWORK: 'off' })
try {
  const terminal = await openOurs(product.url)
  const ours = await measure('ours', terminal.way)
  await terminal.stop()
  const bare = await openBare()
  const plain = await measure('bare', bare.way)
  bare.stop()
  const ratio = {
    p50: ours.p50_ms / plain.p50_ms,
    p99: ours.p99_ms / plain.p99_ms,
    output: ours.output_mb_s / plain.output_mb_s,
  }
  console.log(JSON.stringify({ figure: 'terminal', ours, plain, ratio, limits }))
  const isFast = ours.output_mb_s >= 18 || ratio.output >= limits.output
  process.exitCode = ratio.p50 <= limits.p50 && ratio.p99 <= limits.p99 && isFast ? 0 : 1
} finally {
  await product.stop()
}
