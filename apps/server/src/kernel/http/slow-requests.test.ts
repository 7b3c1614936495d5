import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadInventory } from '@masthead/contract/backoffice/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { callerFor, newScene, type Scene } from '../../test-samples.ts'

let house: House
let proxied: House
let scene: Scene
let staff: Awaited<ReturnType<typeof callerFor>>
const requests = { headersWithin: 400, bodyWithin: 400, uploadRate: 1000, connectionsPerAddress: 20 }
beforeAll(async () => {
  house = await openHouse({ config: { requests } })
  proxied = await openHouse({ config: { requests, trustProxy: 1 } })
  scene = await newScene(house)
  staff = await callerFor(house, loadInventory, scene)
  for (const { server } of [house, proxied]) await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  for (const each of [house, proxied]) await each[Symbol.asyncDispose]()
})

async function open({ server }: House): Promise<Socket> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  // Closed while we still write.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Writes a request, then a piece of it again and again until the other side closes. Answers what was answered. */
async function drip(from: House, head: string[], piece: string): Promise<string> {
  const socket = await open(from)
  let answer = ''
  socket.on('data', (data) => (answer += data.toString()))
  socket.write(head.join('\r\n'))
  const more = setInterval(() => socket.write(piece), 50)
  await once(socket, 'close')
  clearInterval(more)
  return answer
}
const headers = (more: Record<string, string>) => Object.entries(more).map(([name, value]) => `${name}: ${value}`)
const post = (path: string, more: Record<string, string>) => [`POST ${path} HTTP/1.1`, 'Host: localhost', ...headers(more), '', '']

test('headers that drip in end the connection, and so does one that says nothing', async () => {
  expect(await drip(house, ['GET / HTTP/1.1', 'Host: localhost', 'x: '], 'y')).toMatch(/^HTTP\/1\.1 408 /)
  const silent = await open(house)
  await once(silent.resume(), 'close')
})

test.each(['/v1/auth/login', '/v1/nothing', '/v1/assets'])('a body of a byte now and then is answered 408 and cut: %s', async (path) => {
  const json = { 'Content-Type': 'application/json', 'Content-Length': '1000000' }
  for (const each of [house, proxied]) {
    const answer = await drip(each, post(path, json), ' ')
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    if (path === '/v1/auth/login') expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*"code":"too_slow"/)
  }
})

test('in chunks it is no other', async () => {
  const chunked = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
  expect(await drip(house, post('/v1/auth/login', chunked), '1\r\n \r\n')).toMatch(/^HTTP\/1\.1 408 /)
})

const upload = () =>
  post(`/v1${loadInventory.path}`, {
    'Content-Type': 'text/csv',
    'Transfer-Encoding': 'chunked',
    Cookie: staff.person.cookie,
    ...staff.headers,
  })

test('an upload that brings next to nothing is cut', async () => {
  expect(await drip(house, upload(), '1\r\n \r\n')).toMatch(/^HTTP\/1\.1 408 [^]*An upload has to bring 1000 bytes a second/)
})

test('one that keeps coming may take many times as long, and is loaded whole', async () => {
  const socket = await open(house)
  let answer = ''
  socket.on('data', (data) => (answer += data.toString()))
  const chunk = (text: string) => socket.write(`${text.length.toString(16)}\r\n${text}\r\n`)
  socket.write(upload().join('\r\n'))
  chunk('type,serial,iccid,imsi,msisdn,eid,imei\n')
  const ends = Date.now() + 4 * requests.bodyWithin
  let sent = 0
  while (Date.now() < ends) {
    for (let i = 0; i < 10; i++) chunk(`plastic_sim,SLOW-${String(sent++).padStart(6, '0')},${8988300000000000000n + BigInt(sent)},,,,\n`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  socket.write('0\r\n\r\n')
  await expect.poll(() => answer, { timeout: 20_000 }).toMatch(/^HTTP\/1\.1 200 [^]*"failed":0/)
  expect(answer).toContain(`"rows":${sent},"loaded":${sent},`)
  socket.destroy()
})

test('one address opens so many connections and no more; behind a proxy it is the proxy that counts', async () => {
  const opened = await Promise.all(Array.from({ length: requests.connectionsPerAddress }, () => open(house)))
  const ask = (socket: Socket) => {
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return new Promise((resolve) => socket.once('data', () => resolve('answered')).once('close', () => resolve('closed')))
  }
  expect(await ask(opened[0]!)).toBe('answered')
  expect(await ask(await open(house))).toBe('closed')
  for (const socket of opened) socket.destroy()
  const many = await Promise.all(Array.from({ length: requests.connectionsPerAddress + 1 }, () => open(proxied)))
  expect(await ask(many.at(-1)!)).toBe('answered')
  for (const socket of many) socket.destroy()
})

test('who goes away in the middle of a request is no failure of ours', async () => {
  const said = vi.spyOn(house.app.log, 'error')
  const socket = await open(house)
  const json = { 'Content-Type': 'application/json', 'Content-Length': '100' }
  socket.write(`${post('/v1/auth/login', json).join('\r\n')}{"email":`)
  const connections = () => new Promise<number>((resolve) => house.server.server.getConnections((_error, count) => resolve(count)))
  await expect.poll(connections).toBe(1)
  socket.destroy()
  await expect.poll(connections).toBe(0)
  expect(said).not.toHaveBeenCalled()
})
