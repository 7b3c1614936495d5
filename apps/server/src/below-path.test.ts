import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHouse, type House } from '@masthead/testkit/house'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailText } from './kernel/mail/mail.ts'

const consoleDir = mkdtempSync(join(tmpdir(), 'masthead-console-'))
mkdirSync(join(consoleDir, 'static'))
writeFileSync(join(consoleDir, 'static/app.js'), 'export {}')
writeFileSync(
  join(consoleDir, 'index.html'),
  '<html><head><script type="module" src="./static/app.js"></script><link rel="icon" href="./static/icon.svg"></head></html>'
)

let below: House
let root: House
beforeAll(async () => {
  below = await openHouse({ config: { consoleDir, publicUrl: 'https://example.test/iot', basePath: '/iot', trustProxy: 1 } })
  root = await openHouse({ config: { consoleDir } })
})
afterAll(async () => {
  await Promise.all([below[Symbol.asyncDispose](), root[Symbol.asyncDispose]()])
  rmSync(consoleDir, { recursive: true })
})

const ask = (url: string, house = below) => house.server.inject({ url, headers: { host: 'example.test', accept: 'text/html' } })

test('calls, files, health and the page are there whether the proxy leaves the path or takes it away', async () => {
  for (const path of ['', '/iot']) {
    expect((await ask(`${path}/v1/auth/user_info`)).statusCode, path).toBe(401)
    expect((await ask(`${path}/static/app.js`)).body, path).toBe('export {}')
    expect((await ask(`${path}/healthz`)).json(), path).toEqual({ ok: true })
    for (const page of ['/', '/assets/ast_1?tab=network'])
      expect((await ask(path + page)).body, path + page).toContain('/iot/static/app.js')
  }
  for (const url of ['/iot', '/iot?a=1']) expect((await ask(url)).body, url).toContain('src="/iot/static/app.js"')
  // Another path that begins alike is not ours.
  expect((await ask('/iot2/v1/auth/user_info')).statusCode).toBe(200)
  expect((await ask('/iot2/v1/auth/user_info')).headers['content-type']).toContain('text/html')
})

test('the page names its files from the root of the host, and says to the console where it stands', async () => {
  const { body } = await ask('/iot/')
  expect(body).toContain('src="/iot/static/app.js"')
  expect(body).toContain('href="/iot/static/icon.svg"')
  expect(body).toContain('&quot;base_path&quot;:&quot;/iot&quot;')
  const { body: atRoot } = await root.server.inject({ url: '/', headers: { accept: 'text/html' } })
  expect(atRoot).toContain('src="/static/app.js"')
  expect(atRoot).not.toContain('base_path')
})

test('cookies are of this host alone under TLS, those of the release before go from this path, and scripts come from it alone', async () => {
  const registered = await below.server.inject({
    method: 'POST',
    url: '/iot/v1/auth/register',
    headers: { host: 'example.test', cookie: 'masthead_session=older' },
    payload: { email: 'keeper@pier.test', password: 'four lamps on the pier', team_name: 'Pier' },
  })
  expect(registered.statusCode).toBe(200)
  // A browser takes `__Host-` for the path `/` alone.
  expect(registered.cookies.map(({ name, path, value }) => [name, path, value !== '']).toSorted()).toEqual([
    ['__Host-masthead_device', '/', true],
    ['__Host-masthead_session', '/', true],
    ['masthead_session', '/iot', false],
  ])
  const policy = String((await ask('/iot/')).headers['content-security-policy'])
  expect(policy).toMatch(/script-src https:\/\/example\.test\/iot\/(;|$)/)
  // To a browser `https:` is no address of a socket: terminals need the other one.
  expect(policy).toMatch(/connect-src https:\/\/example\.test\/iot\/ wss:\/\/example\.test\/iot\/(;|$)/)
})

test('links of mails, redirects and the description of the API have the path once', async () => {
  expect(mailText('{console}/profile', below.app.config)).toBe('https://example.test/iot/#/profile')
  expect((await ask('/iot/v1/docs')).headers.location).toBe('/iot/#/docs')
  const described = await ask('/iot/v1/openapi.json')
  expect(described.json()).toMatchObject({ servers: [{ url: '/iot/v1' }] })
  expect((await root.server.inject('/v1/openapi.json')).json()).toMatchObject({ servers: [{ url: '/v1' }] })
})
