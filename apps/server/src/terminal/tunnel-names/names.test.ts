import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createPlainServer, type AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as ops from '@masthead/contract/terminal/tunnel-operations'
import { makeCertificate } from '../../devices/broker/own-certificate.ts'
import { openTerminalHouse, soon, type TerminalHouse } from '../test-terminal.ts'

let house: TerminalHouse
let page: Server
let port: number
beforeAll(async () => {
  house = await openTerminalHouse()
  Object.assign(house.app.config.tunnels, { domain: 'tunnels.test' })
  // The web page of a device.
  page = createServer((asked, answer) => {
    answer.setHeader('set-cookie', ['light=on; Domain=test; Path=/', 'masthead_session=stolen; Domain=test'])
    let bytes = 0
    asked.on('data', (chunk: Buffer) => (bytes += chunk.byteLength))
    asked.on('end', () => {
      if (asked.url === '/odd') return asked.socket.end('HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n')
      if (asked.url === '/half') {
        answer.writeHead(200, { 'content-length': 1000 })
        answer.write('half')
        return setTimeout(() => asked.socket.destroy(), 50)
      }
      return answer.end(JSON.stringify({ path: asked.url, method: asked.method, headers: asked.headers, bytes }))
    })
  })
  const sockets = new WebSocketServer({ server: page })
  sockets.on('connection', (socket) => socket.on('message', (data: Buffer) => socket.send(data)))
  page.listen(0, '127.0.0.1')
  await once(page, 'listening')
  port = (page.address() as AddressInfo).port
})
afterAll(async () => {
  page.closeAllConnections()
  page.close()
  await house[Symbol.asyncDispose]()
})

async function openNamed(sources = ['127.0.0.1/32'], to = { port, tls: false }) {
  const opened = await house.owner.call(ops.openTunnel, {
    params: { asset_id: house.asset_id },
    body: { ...to, address: null, sources, minutes: 15 },
  })
  const { id } = opened.body
  const url = await vi.waitFor(
    async () => {
      const found = await house.owner.call(ops.getTunnel, { params: { tunnel_id: id } })
      expect(found.body.url).toBeTruthy()
      return found.body.url!
    },
    { timeout: 30_000, interval: 50 }
  )
  return { id, host: new URL(url).host }
}

async function ask(host: string, path: string, { headers = {}, body }: { headers?: OutgoingHttpHeaders; body?: Buffer } = {}) {
  const asked = request(`${house.address}${path}`, { method: body ? 'POST' : 'GET', headers: { host, ...headers } })
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  let whole = true
  try {
    for await (const chunk of answer) chunks.push(chunk as Buffer)
  } catch {
    whole = false
  }
  const text = Buffer.concat(chunks).toString()
  return { status: answer.statusCode, headers: answer.headers, text, whole }
}

test('the web page of a device at a name of its own: what is asked goes to it, and no cookie of the console', async () => {
  const { host } = await openNamed()
  const cookie = `${house.owner.cookie}; light=on; masthead_step=x; __Host-masthead_device=y`
  const asked = await ask(host, '/v1/account?x=1', { headers: { cookie, 'x-forwarded-for': '203.0.113.9' } })
  const seen = JSON.parse(asked.text) as { path: string; headers: Record<string, string> }
  expect(seen.path).toBe('/v1/account?x=1')
  expect(seen.headers).toMatchObject({ host, cookie: 'light=on', 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': host })
  expect(asked.headers['set-cookie']).toEqual(['light=on; Path=/'])
  expect(asked.headers['content-security-policy']).toBeUndefined()
  const sent = await ask(host, '/upload', { body: Buffer.alloc(5_000_000) })
  expect(JSON.parse(sent.text)).toMatchObject({ method: 'POST', bytes: 5_000_000 })
  expect((await ask(host, '/half')).whole).toBe(false)
  // A status that is none ends this answer, and nothing else.
  expect((await ask(host, '/odd')).status).toBe(502)
  // The console is where it was, and answers to no other name.
  expect((await ask(new URL(house.address).host, '/healthz')).text).not.toContain('"path"')
  expect((await ask('elsewhere.test', '/v1/account')).status).toBe(421)
}, 60_000)

test('a WebSocket goes through, and ends with the tunnel; then there is nothing at its name', async () => {
  const { id, host } = await openNamed()
  const socket = new WebSocket(`${house.address.replace('http', 'ws')}/live`, { headers: { host, cookie: house.owner.cookie } })
  await once(socket, 'open')
  socket.send('hello')
  expect(String((await once(socket, 'message'))[0])).toBe('hello')
  const closed = once(socket, 'close')
  await house.owner.call(ops.revokeTunnel, { params: { tunnel_id: id } })
  await soon('The end of the WebSocket', closed)
  expect(await ask(host, '/')).toMatchObject({ status: 502, text: expect.stringContaining('This tunnel is not open') as string })
  expect((await ask('nothing.tunnels.test', '/')).status).toBe(502)
  expect((await house.owner.call(ops.getTunnel, { params: { tunnel_id: id } })).body.url).toBeNull()
}, 60_000)

test('a port that speaks HTTPS is asked so, with whatever certificate it has; where it was not said what it speaks, the answer is in words', async () => {
  // Of another name than the one by which it is asked, and from nobody whom anybody knows.
  const secure = createSecureServer(makeCertificate(['router.local'], Date.now()), (asked, answer) =>
    answer.end(JSON.stringify({ path: asked.url, forwarded: asked.headers['x-forwarded-proto'] }))
  )
  const sockets = new WebSocketServer({ server: secure })
  sockets.on('connection', (socket) => socket.on('message', (data: Buffer) => socket.send(data)))
  secure.listen(0, '127.0.0.1')
  await once(secure, 'listening')
  const at = (secure.address() as AddressInfo).port
  const local = ['127.0.0.1/32']
  const { id, host } = await openNamed(local, { port: at, tls: true })
  expect((await house.owner.call(ops.getTunnel, { params: { tunnel_id: id } })).body.tls).toBe(true)
  for (let nth = 0; nth < 3; nth++) {
    const asked = await ask(host, `/admin?n=${nth}`)
    expect(asked.status).toBe(200)
    expect(JSON.parse(asked.text)).toEqual({ path: `/admin?n=${nth}`, forwarded: 'http' })
  }
  const socket = new WebSocket(`${house.address.replace('http', 'ws')}/live`, { headers: { host } })
  await once(socket, 'open')
  socket.send('hello')
  expect(String((await once(socket, 'message'))[0])).toBe('hello')
  const closed = once(socket, 'close')
  await house.owner.call(ops.revokeTunnel, { params: { tunnel_id: id } })
  await soon('The end of the WebSocket', closed)

  const unsaid = await openNamed(local, { port: at, tls: false })
  expect(await ask(unsaid.host, '/')).toMatchObject({ status: 502, text: expect.stringContaining('Where its port speaks HTTPS') as string })
  // Nothing listens there, and something that never answers.
  const silent = createPlainServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const silentPort = (silent.address() as AddressInfo).port
  const deaf = await openNamed(local, { port: silentPort, tls: true })
  const said = await ask(deaf.host, '/')
  expect(said).toMatchObject({ status: 502, text: expect.stringContaining('without an answer') as string })
  expect(said.text).not.toContain('Where its port speaks HTTPS')
  silent.close()
  await once(silent, 'close')
  expect((await ask(deaf.host, '/')).text).toMatch(/^The device could not connect to its port: .*ECONNREFUSED/)
  await house.owner.call(ops.revokeTunnel, { params: { tunnel_id: deaf.id } })
  const shut = await openNamed(local, { port: silentPort, tls: false })
  expect((await ask(shut.host, '/')).text).toMatch(/^The device could not connect to its port: .*ECONNREFUSED/)
  await house.owner.call(ops.revokeTunnel, { params: { tunnel_id: shut.id } })
  const wrong = await openNamed(local, { port, tls: true })
  expect(await ask(wrong.host, '/')).toMatchObject({ status: 502, text: expect.stringContaining('does not speak HTTPS') as string })
  for (const each of [unsaid, wrong]) await house.owner.call(ops.revokeTunnel, { params: { tunnel_id: each.id } })
  for (const client of sockets.clients) client.terminate()
  secure.closeAllConnections()
  secure.close()
}, 90_000)

test('from another address than the tunnel is for it is refused, and written down', async () => {
  const { id, host } = await openNamed(['203.0.113.0/24'])
  expect((await ask(host, '/', { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(403)
  const refused = new WebSocket(`${house.address.replace('http', 'ws')}/`, { headers: { host } })
  const [error] = (await once(refused, 'error')) as [Error]
  expect(error.message).toContain('403')
  await vi.waitFor(async () => {
    const { body } = await house.owner.call(ops.listTunnelConnections, { params: { tunnel_id: id } })
    expect(body.items.map(({ result }) => result)).toEqual(['source', 'source'])
  })
}, 60_000)
