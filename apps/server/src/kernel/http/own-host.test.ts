import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { checkHost } from './own-host.ts'

const publicUrl = 'https://console.example.test:8443'
let plain: House
let named: House
let proxied: House
let owner: Person
beforeAll(async () => {
  plain = await openHouse()
  named = await openHouse({ config: { publicUrl } })
  proxied = await openHouse({ config: { publicUrl, trustProxy: 1 } })
  owner = await plain.newOwner()
  await plain.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  for (const house of [plain, named, proxied]) await house[Symbol.asyncDispose]()
})

/** The answer to a request as it is written here, over a real connection. */
async function send(...lines: string[]): Promise<string> {
  return write([...lines, 'Connection: close'])
}
async function write(lines: string[]): Promise<string> {
  const socket = connect((plain.server.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.end([...lines, '', ''].join('\r\n'))
  return text(socket)
}
const asked = async (house: House, host: string, url = '/v1/auth/setup', headers = {}) =>
  (await house.server.inject({ method: 'GET', url, headers: { host, ...headers } })).statusCode

describe('while no address is configured', () => {
  test.each(['localhost', 'localhost:8080', 'LOCALHOST', '127.0.0.1:8080', '192.0.2.7', '[::1]:8080', '[2001:db8::7]'])(
    '%s is ours',
    async (host) => {
      expect(await asked(plain, host)).toBe(200)
    }
  )

  test.each([
    'evil.test',
    'evil.test:8080',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    'a@localhost',
    'localhost, evil.test',
    '[::1',
    '2130706433',
    'localhost.',
  ])('%s is not', async (host) => expect(await asked(plain, host)).toBe(421))

  test('the refusal says what to set, and is all that is said', async () => {
    const { body, statusCode } = await plain.server.inject({ method: 'GET', url: '/v1/auth/setup', headers: { host: 'evil.test' } })
    expect(statusCode).toBe(421)
    expect(JSON.parse(body)).toMatchObject({
      code: 'host_unknown',
      detail: expect.stringMatching(/^Masthead does not answer to “evil\.test”: set MASTHEAD_PUBLIC_URL to the address that people use/),
    })
  })
})

describe('over a real connection', () => {
  test('two Hosts are refused, also two that are ours, and also by the health checks', async () => {
    for (const second of ['evil.test', 'localhost'])
      expect(await send('GET /v1/auth/setup HTTP/1.1', 'Host: localhost', `hOst: ${second}`)).toMatch(/^HTTP\/1\.1 400 /)
    expect(await send('GET /healthz HTTP/1.1', 'Host: localhost', 'Host: localhost')).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('none is refused, but for the health checks', async () => {
    expect(await send('GET /v1/auth/setup HTTP/1.0')).toMatch(/^HTTP\/1\.1 421 /)
    expect(await send('GET /healthz HTTP/1.0')).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('a whole address in the first line is no way around it', async () => {
    expect(await send('GET http://evil.test/v1/auth/setup HTTP/1.1', 'Host: localhost')).toMatch(/^HTTP\/1\.1 4(04|21) /)
    expect(await send('GET http://localhost/v1/auth/setup HTTP/1.1', 'Host: evil.test')).toMatch(/^HTTP\/1\.1 4(04|21) /)
  })

  test('the live stream and an upgrade to a WebSocket are asked too', async () => {
    const session = `Cookie: ${owner.cookie}`
    expect(await send('GET /v1/live HTTP/1.1', 'Host: evil.test', session)).toMatch(/^HTTP\/1\.1 421 /)
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    const asked = async (path: string, ...hosts: string[]) =>
      (await write([`GET ${path} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), session, ...upgrade])).slice(0, 12)
    for (const path of ['/v1/live', '/mqtt', '/mqtt?x', '/', '/v1/terminal-sessions/x/socket', '/v1/devices/tunnel/x']) {
      expect([path, await asked(path, 'evil.test')]).toEqual([path, 'HTTP/1.1 421'])
      expect([path, await asked(path, 'localhost', 'evil.test')]).toEqual([path, 'HTTP/1.1 400'])
    }
    // There is no broker here, which is said to whom it is meant for alone.
    expect(await asked('/mqtt', 'localhost')).toBe('HTTP/1.1 503')
  })
})

describe('with a configured address', () => {
  test('its name is ours, whatever the port, and no other, nor a number', async () => {
    for (const host of ['console.example.test:8443', 'console.example.test', 'Console.Example.Test'])
      expect(await asked(named, host)).toBe(200)
    for (const host of ['localhost', '127.0.0.1:8080', 'evil.test', 'a.console.example.test'])
      expect([host, await asked(named, host)]).toEqual([host, 421])
  })

  test('health checks come by any name, figures by a number too', async () => {
    for (const url of ['/healthz', '/readyz', '/readyz?verbose']) expect(await asked(named, 'masthead.internal', url)).toBe(200)
    expect(await asked(named, '10.0.0.5:8080', '/metrics')).toBe(404) // answered, and not without a token
    expect(await asked(named, 'evil.test', '/metrics')).toBe(421)
  })

  test('a proxy may ask by our number and say what it was asked', async () => {
    const forwarded = (name: string) => ({ 'x-forwarded-host': name })
    const setup = '/v1/auth/setup'
    expect(await asked(proxied, '127.0.0.1:8080', setup, forwarded('console.example.test'))).toBe(200)
    expect(await asked(proxied, '127.0.0.1:8080', setup, forwarded('evil.test'))).toBe(421)
    expect(await asked(proxied, '127.0.0.1:8080')).toBe(421)
    // A page on a name that leads here may say whatever it likes in this header.
    expect(await asked(proxied, 'evil.test', setup, forwarded('console.example.test'))).toBe(421)
    expect(await asked(named, 'evil.test', setup, forwarded('console.example.test'))).toBe(421)
  })

  test('CORE devices ask by the name that is built into them, for their enrolment alone', async () => {
    const deploy = '/v1/core/deploy'
    for (const name of ['api.sixfab.com', 'API.sixfab.com:443', 'api.sixfab.dev']) {
      expect(await asked(named, name, deploy)).toBe(405)
      expect(await asked(named, name)).toBe(421)
      expect(await asked(proxied, '127.0.0.1:8080', deploy, { 'x-forwarded-host': name })).toBe(405)
    }
    expect(await asked(named, 'evil.test', deploy)).toBe(421)
  })

  test('names of tunnels and of a registry are added by who has them', () => {
    const request = { url: '/', headers: { host: 'a.tunnels.test:443' }, rawHeaders: ['Host', 'a.tunnels.test:443'] } as never
    expect(() => checkHost(request, { publicUrl, trustProxy: 0 })).toThrow('MASTHEAD_PUBLIC_URL')
    expect(() => checkHost(request, { publicUrl, trustProxy: 0 }, (name) => name.endsWith('.tunnels.test'))).not.toThrow()
  })
})
