import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { newKey } from './developers/test-keys.ts'
import { routes } from './routes.ts'

// What is answered beside the calls of the contract, which matrix.test.ts asks for: who may see it. An address that is added needs a row.
type Row = { nobody: number; member: number; key: number; why: string }
const everybody = (why: string, status = 200): Row => ({ nobody: status, member: status, key: status, why })

const rows: Record<string, Row> = {
  '/v1/live': { nobody: 401, member: 200, key: 403, why: 'Names of what changed on the account; programs have webhooks' },
  '/v1/terminal-sessions/:name/socket': {
    nobody: 401,
    member: 403,
    key: 403,
    why: 'What is shown and typed in a terminal: sessions alone',
  },
  '/v1/terminal-sessions/:name/file': { nobody: 401, member: 403, key: 403, why: 'A file through a terminal: sessions alone' },
  '/v1/devices/terminal-file/:name': { nobody: 403, member: 403, key: 403, why: 'A device brings its own key, and no session opens it' },
  '/v1/devices/terminal/:name': { nobody: 403, member: 403, key: 403, why: 'A device brings its own key, and no session opens it' },
  '/v1/devices/tunnel/:name': { nobody: 403, member: 403, key: 403, why: 'A device brings its own key, and no session opens it' },
  '/v1/openapi.json': everybody('What the calls promise is no secret'),
  '/v1/docs': everybody('Leads to the screen that shows it', 302),
  '/v1/auth/identity/start': everybody('Leads to the provider, or back to the sign-in', 302),
  '/v1/auth/identity/callback': everybody('Leads on whoever began in this browser; all others to the sign-in', 302),
  '/hooks/stripe': { nobody: 405, member: 405, key: 405, why: 'The card provider posts there, and signs what it says' },
  '/v2/': { nobody: 401, member: 401, key: 401, why: 'The registry: a key comes as a password, and no session opens it' },
  '/v2/token': { nobody: 401, member: 401, key: 401, why: 'Gives tokens to who shows a key as a password' },
  '/v2/_catalog': { nobody: 401, member: 401, key: 401, why: 'Names of the repositories of who shows a key' },
  '/v2/*': { nobody: 401, member: 401, key: 401, why: 'Images: push and pull' },
  '/v1/core/deploy': { nobody: 405, member: 405, key: 405, why: 'CORE devices ask there, with the token of a deployment' },
  '/agent/node/SHASUMS256.txt': everybody('Which Node.js devices get with their agent'),
  '/agent/node/:name': everybody('Node.js as nodejs.org gives it to everybody; none is here', 404),
  '/healthz': everybody('For whoever watches the process'),
  '/readyz': everybody('Names of parts and whether they are up'),
  '/metrics': everybody('Figures are at an address of their own, or for who has the token: health/metrics-server.test.ts', 404),
  '/': everybody('The console: it asks who one is itself'),
  '/*': everybody('Files of the console'),
}
const file = '/robots.txt'

let house: House
let dir: string
const callers: Record<keyof Omit<Row, 'why'>, Record<string, string>> = { nobody: {}, member: {}, key: {} }
let address: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'masthead-console-'))
  await writeFile(join(dir, 'index.html'), '<html><head></head></html>')
  await writeFile(join(dir, file), 'User-agent: *')
  house = await openHouse({ config: { consoleDir: dir } })
  const owner = await house.newOwner()
  callers.member = { cookie: (await house.newMember(owner, [])).cookie }
  callers.key = { 'x-api-key': (await newKey(house, owner, ['assets.view'])).secret }
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await rm(dir, { recursive: true })
})

/** Of others' servers, which sign what they say, of devices, which bring a token, and of who pushes images: no browser's session opens these. */
const posted = new Set(['/hooks/stripe', '/v1/core/deploy', '/v2/token', '/v2/*'])

test('every address is a call of the contract, or has a row; and all it takes is GET, but for what is posted there', () => {
  const calls = new Set(routes.map(({ op }) => `/v1${op.path.replaceAll(/\{\w+\}/g, ':name')}`))
  const outside = [...house.server.answersAt].filter(([url]) => !calls.has(url))
  expect(outside.map(([url]) => url).toSorted()).toEqual(Object.keys(rows).toSorted())
  expect(
    outside.filter(([url, methods]) => !posted.has(url) && [...methods].some((method) => method !== 'GET' && method !== 'HEAD'))
  ).toEqual([])
})

test.each(Object.entries(rows))('%s', async (url, row) => {
  for (const [who, headers] of Object.entries(callers)) {
    const stop = new AbortController()
    const answer = await fetch(address + (url === '/*' ? file : url), { headers, redirect: 'manual', signal: stop.signal })
    expect(answer.status, `${who}: ${row.why}`).toBe(row[who as 'nobody'])
    if (url !== '/v1/live') await answer.text()
    stop.abort()
  }
})

test.each(Object.keys(rows).filter((url) => !/^.(healthz|readyz)/.test(url)))('%s by a name that is not ours is 421', async (url) => {
  const { statusCode } = await house.server.inject({
    method: 'GET',
    url: url === '/*' ? file : url,
    headers: { host: 'rebound.evil.test' },
  })
  expect(statusCode).toBe(421)
})

test('what everybody may see names nobody', async () => {
  const [{ email }] = (await house.db.selectFrom('person').select('email').execute()) as [{ email: string }]
  for (const url of Object.keys(rows).filter((one) => one !== '/v1/live'))
    expect(await (await fetch(address + url, { headers: callers.member, redirect: 'manual' })).text(), url).not.toContain(email)
})
