import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import { getUserInfo, logout, switchAccount } from '@masthead/contract/auth/operations'
import { register } from '@masthead/contract/auth/sign-in-operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { wordsOfPart } from './health/health.ts'
import { createMetricsServer } from './health/metrics-server.ts'
import { createMetrics } from './kernel/metrics.ts'
import { createServer } from './server.ts'

let house: House
let owner: Person
beforeAll(async () => {
  house = await openHouse()
  owner = await house.newOwner()
})
afterAll(() => house[Symbol.asyncDispose]())

const json = { 'content-type': 'application/json' }
const post = (url: string, payload: string, headers: Record<string, string> = json) =>
  house.server.inject({ method: 'POST', url, payload, headers })
const registration = { email: 'new@example.test', password: 'correct horse battery', team_name: 'New' }

describe('a failure', () => {
  test('is problem+json with code, title, the same words as detail and message, and the id of the request', async () => {
    const answer = await house.server.inject({ method: 'GET', url: '/v1/account' })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    const body = answer.json<Record<string, string>>()
    expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'message', 'request_id', 'title'])
    expect(body.message).toBe(body.detail)
    expect(body.request_id).toMatch(/^req_\w{20}$/)
    expect(answer.headers['x-request-id']).toBe(body.request_id)
  })

  test('never takes the id of a request from outside', async () => {
    const answer = await house.server.inject({
      method: 'GET',
      url: '/v1/account',
      headers: { 'x-request-id': 'forged', 'request-id': 'forged' },
    })
    expect(answer.headers['x-request-id']).not.toBe('forged')
  })

  test.each([
    ['malformed JSON', '{"email": "a', json, 400, 'invalid_request'],
    ['another form of body', 'email=a', { 'content-type': 'application/x-www-form-urlencoded' }, 400, 'invalid_request'],
    ['plain text', '{}', { 'content-type': 'text/plain' }, 400, 'invalid_request'],
    ['a CSV where JSON is wanted', 'a,b', { 'content-type': 'text/csv' }, 400, 'invalid_request'],
    ['a poisoned object', '{"__proto__": {"x": 1}, "email": "a@b.test"}', json, 400, 'invalid_request'],
    ['a list', '[]', json, 400, 'invalid_request'],
    ['a NUL that no text can hold', JSON.stringify({ ...registration, team_name: 'A\0B' }), json, 400, 'invalid_request'],
    ['two megabytes', JSON.stringify({ ...registration, team_name: 'x'.repeat(2_000_000) }), json, 413, 'too_large'],
  ] as const)('%s is refused in words', async (_, payload, headers, status, code) => {
    const answer = await post('/v1/auth/register', payload, headers)
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code])
    expect(answer.json<{ detail: string }>().detail).toMatch(/^[A-Z].{10}/)
  })

  test.each(['/v1/nothing', '/v1', '/v1/assets/a/b/c/d', '/static/missing.js', '/v1/%zz', '/nothing'])(
    '%s is not found, in JSON',
    async (url) => {
      const answer = await house.server.inject({ method: 'GET', url })
      expect([400, 404]).toContain(answer.statusCode)
      expect(answer.json<{ code: string }>().code).toMatch(/not_found|invalid_request/)
      expect(answer.headers['x-request-id']).toBeDefined()
    }
  )

  test('a call without a body may say it is JSON', async () => {
    const other = await house.newOwner()
    const answer = await house.server.inject({ method: 'POST', url: '/v1/auth/logout', headers: { ...json, cookie: other.cookie } })
    expect(answer.statusCode).toBe(200)
  })
})

describe('another site', () => {
  const send = (headers: Record<string, string>) =>
    owner.call(switchAccount, { body: { team_member_email: owner.email } }, { host: '127.0.0.1:8080', ...headers })

  test.each([
    ['its page', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
    ['a sister site', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:9090' }],
    ['its page, over plain http', { origin: 'http://evil.test' }],
    ['another port of our host', { origin: 'http://127.0.0.1:9090' }],
    ['a sandboxed frame', { origin: 'null' }],
  ])('cannot write: %s', async (_, headers) => {
    expect(await send(headers)).toMatchObject({ status: 403, body: { code: 'cross_site' } })
  })

  test.each([
    ['our console', { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:8080' }],
    ['our console over plain http', { origin: 'http://127.0.0.1:8080' }],
    ['a visitor who typed the address', { 'sec-fetch-site': 'none' }],
    ['a program', {}],
  ])('while %s can', async (_, headers) => {
    expect((await send(headers)).status).toBe(200)
  })

  test('cannot sign a visitor in as somebody else or out', async () => {
    const headers = { ...json, origin: 'http://evil.test', cookie: owner.cookie }
    expect((await post('/v1/auth/login', '{}', headers)).statusCode).toBe(403)
    expect((await owner.call(logout, {}, { origin: 'http://evil.test' })).status).toBe(403)
    expect((await owner.call(getUserInfo)).status).toBe(200)
  })

  test('behind a proxy that hides our name, the configured address is ours', async () => {
    await using behind = await openHouse({ config: { publicUrl: 'https://console.example.test', trustProxy: 1 } })
    const proxied = { host: '127.0.0.1:8080', 'x-forwarded-host': 'console.example.test' }
    const from = (origin: string) => {
      const body = { ...registration, email: `${new URL(origin).host.slice(0, 4)}@example.test` }
      return behind.anyone.call(register, { body }, { ...proxied, origin })
    }
    expect((await from('https://console.example.test')).status).toBe(200)
    expect((await from('https://elsewhere.example.test')).status).toBe(403)
  })
})

describe('headers', () => {
  test('allow no inline script, no frame, no sniffing, and answers of the API are not kept', async () => {
    const { headers } = await house.server.inject({ method: 'GET', url: '/v1/auth/setup' })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
    expect(headers['strict-transport-security']).toBeUndefined()
  })

  test('ask for https only where our address is https', async () => {
    await using secure = await openHouse({ config: { publicUrl: 'https://console.example.test' } })
    const { headers } = await secure.server.inject({ method: 'GET', url: '/', headers: { host: 'console.example.test' } })
    expect(headers['strict-transport-security']).toMatch(/max-age=\d{8}/)
  })
})

describe('health', () => {
  test('answers of the process, the database and each part; figures for Prometheus, beside', async () => {
    expect((await house.server.inject('/healthz')).json()).toEqual({ ok: true })
    expect((await house.server.inject('/readyz')).json()).toEqual({ ok: true, parts: { database: true, schema: true } })
    await owner.call(getAccount)
    const metrics = await (await createMetricsServer(house.app, { parts: () => ({}) })).inject('/metrics')
    expect(metrics.headers['content-type']).toMatch(/text\/plain/)
    expect(metrics.body).toMatch(/masthead_http_request_seconds_count\{operation="account.getAccount",status="200"\} [1-9]/)
  })

  test('a part that fails again and again is reported in words, and the others go on', async () => {
    const [up, down] = [
      { isUp: () => true, tooOften: () => 0 },
      { isUp: () => false, tooOften: () => 0 },
    ]
    const parts = {
      meter: wordsOfPart('The meter', { ...up, tooOften: () => 5 }),
      jobs: wordsOfPart('The worker', down),
      other: wordsOfPart('Another', up),
    }
    const server = await createServer({ ...house.app, metrics: createMetrics() }, { ready: { parts: () => parts } })
    const answer = await server.inject('/readyz')
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      {
        ok: false,
        parts: { database: true, schema: true, meter: false, jobs: false, other: true },
        words: ['The meter ended 5 times in a row; it is started again each time', 'The worker is not up'],
      },
    ])
    expect((await server.inject('/v1/auth/setup')).statusCode).toBe(200)
    await server.close()
  })

  test('every connection to the database cut again and again: calls succeed or are 503, and what succeeded is kept', async () => {
    await using cut = await openHouse()
    const person = await cut.newOwner()
    const kept: string[] = []
    const statuses = new Set<number>()
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    let over = false
    const calling = Array.from({ length: 6 }, async (_, who) => {
      for (let n = 0; !over; n++) {
        const name = `Tag ${who} ${n}`
        const { status } = await person.call(createTag, { body: { name, color: 'blue' } }, { 'idempotency-key': name })
        statuses.add(status)
        if (status === 200) kept.push(name)
      }
    })
    for (let n = 0; n < 25; n++) await cut.database.cut()
    over = true
    await Promise.all(calling)
    process.off('unhandledRejection', note)
    expect([...statuses].toSorted()).toEqual([200, 503])
    expect(unhandled).toEqual([])
    const names = (await cut.db.selectFrom('tag').select('name').execute()).map(({ name }) => name)
    expect(kept.filter((name) => !names.includes(name))).toEqual([])
  })

  test('with the database away: not ready, 503 in words with Retry-After, and well again afterwards', async () => {
    await using lonely = await openHouse()
    const person = await lonely.newOwner()
    await lonely.database.away()
    const answer = await person.call(getAccount)
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', detail: expect.stringMatching(/not available right now/) } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    const red = { ok: false, parts: { database: false, schema: true }, words: ['The database cannot be reached'] }
    expect((await lonely.server.inject('/readyz')).json()).toEqual(red)
    expect((await lonely.server.inject('/healthz')).statusCode).toBe(200)
    await lonely.database.back()
    await expect.poll(async () => (await person.call(getAccount)).status).toBe(200)
    await expect.poll(async () => (await lonely.server.inject('/readyz')).statusCode, { timeout: 5000 }).toBe(200)
  })
})

describe('the console', () => {
  let dir: string
  let built: House
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'masthead-console-'))
    await mkdir(join(dir, 'static'))
    await writeFile(join(dir, 'index.html'), '<!doctype html><head><title>Masthead</title></head>')
    await writeFile(join(dir, 'static/app-abc123.js'), 'console.log(1)')
    await writeFile(join(dir, 'favicon.svg'), '<svg/>')
    const links = { privacy: 'https://a.test/?x="<b>"&y', terms: null, community: null, contact: null }
    built = await openHouse({ config: { consoleDir: dir, links } })
  })
  afterAll(async () => {
    await built[Symbol.asyncDispose]()
    await rm(dir, { recursive: true })
  })
  const get = (url: string, accept = 'text/html,*/*;q=0.8') => built.server.inject({ method: 'GET', url, headers: { accept } })

  test('hashed files are kept for a year, the page and the rest are asked for anew', async () => {
    expect((await get('/static/app-abc123.js', '*/*')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get('/favicon.svg', '*/*')).headers['cache-control']).toBe('no-cache')
    const page = await get('/')
    expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' })
    expect(page.body).toContain('Masthead')
  })

  test('the page holds the settings, and nothing in them can leave their place', async () => {
    const [, content] = /<meta name="masthead-settings" content="([^"<]*)" \/><\/head>/.exec((await get('/')).body) ?? []
    const text = content?.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
    expect(JSON.parse(text ?? '')).toMatchObject({ links: { privacy: 'https://a.test/?x="<b>"&y', terms: null } })
  })

  test.each(['/assets', '/assets/ast_1/network', '/usage/total?start=2026-01-01', '/v1ew', '/login'])(
    '%s is a page of its own',
    async (url) => {
      expect(await get(url)).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
    }
  )

  test('the page is there for programs too, but no page stands in for a lost file or an unknown call', async () => {
    expect((await get('/', '*/*')).statusCode).toBe(200)
    expect((await built.server.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(200)
    for (const [url, accept] of [
      ['/static/app-old.js', 'text/html'],
      ['/static/', 'text/html'],
      ['/static', 'text/html'],
      ['/lost.js', '*/*'],
      ['/v1/lost', 'text/html'],
      ['/static/../index.html/..%2f..%2fetc/passwd', '*/*'],
    ])
      expect((await get(url!, accept)).statusCode, url).toBe(404)
    expect((await built.server.inject({ method: 'POST', url: '/assets', headers: { accept: 'text/html' } })).statusCode).toBe(404)
  })

  test('an installation whose console is not built says so', async () => {
    await using bare = await openHouse({ config: { consoleDir: join(dir, 'missing') } })
    const answer = await bare.server.inject({ method: 'GET', url: '/', headers: { accept: 'text/html' } })
    expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([
      404,
      'The console is not built here. npm start builds it',
    ])
  })
})

test('what is no HTTP at all gets an answer and the server lives on', async () => {
  const address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  const heard: Buffer[] = []
  socket.on('data', (piece) => heard.push(piece))
  socket.end('\x16\x03\x01 nonsense\r\n\r\n')
  await new Promise((resolve) => socket.once('close', resolve))
  expect(Buffer.concat(heard).toString()).toMatch(/^HTTP\/1.1 400/)
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
})
