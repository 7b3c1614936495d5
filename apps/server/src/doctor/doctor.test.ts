import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:tls'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabase } from '@masthead/testkit/cluster'
import { openHouse, type House } from '@masthead/testkit/house'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { addJob } from '../kernel/jobs/jobs.ts'
import { loadConfig } from '../kernel/config.ts'
import { runCommand } from '../command.ts'
import { doctorNeeds } from '../open-app.ts'
import { createMetricsServer } from '../health/metrics-server.ts'
import { putGateway } from '../gateways/test-gateway.ts'
import { metadata, openScanner, saying } from '../registry/scans/test-scanner.ts'
import { runChecks } from './finding.ts'
import { examine } from './index.ts'
import { machineChecks } from './machine-checks.ts'

// Made for this test: of localhost, believed by nobody.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8XoSqZlph6J1hQac
XucOUDv5tjsiQkK9nxHm9EA+4juhRANCAAQXQR86SBdvNkSOrm6sl9/i9Juww10E
tpP5i6Tx2J0TWAvNrbA6Njiax1cC0yomQHDZg6zqEorKZbmaRYZRL5Fu
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUY/624ae1cCdP85w42Vxo718ZawwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNDIyNTUwMVoYDzIxMjYxMDMx
MjI1NTAxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQXQR86SBdvNkSOrm6sl9/i9Juww10EtpP5i6Tx2J0TWAvNrbA6Njia
x1cC0yomQHDZg6zqEorKZbmaRYZRL5Fuo2kwZzAdBgNVHQ4EFgQU3ypXLsOwIAgt
MkzPhhpSPduxhx4wHwYDVR0jBBgwFoAU3ypXLsOwIAgtMkzPhhpSPduxhx4wDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SQAwRgIhAP+Kjigab3rdrqrt4pJCpLrTMjl2EyOmKBv3SpOdmQ80AiEA2nNUAvtK
2FDWTDPvci40TNPDruF87OSa/S6YkuPu90Q=
-----END CERTIFICATE-----`

let house: House
const dataDir = mkdtempSync(join(tmpdir(), 'masthead-doctor-'))
beforeAll(async () => {
  house = await openHouse()
  await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true })
})

const here = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  DATABASE_URL: house.databaseUrl,
  MASTHEAD_SECRET_KEY: testSecretKey,
  MASTHEAD_DATA_DIR: dataDir,
  MASTHEAD_HTTP_PORT: '0',
  MASTHEAD_RADIUS_AUTH_PORT: '0',
  MASTHEAD_RADIUS_ACCT_PORT: '0',
  MASTHEAD_MQTT_PORT: '0',
  MASTHEAD_MQTTS_PORT: '0',
  MASTHEAD_TUNNEL_PORTS: '0-0',
  MASTHEAD_METRICS_PORT: '0',
  ...more,
})
async function doctor(env: NodeJS.ProcessEnv) {
  const said: string[] = []
  const code = await runCommand(['doctor'], { env, say: (text) => said.push(text), complain: (text) => said.push(text) })
  return { code, said: said.join('\n') }
}
const of = async (about: string, env: NodeJS.ProcessEnv, clock?: () => number) =>
  (await examine({ env, ...doctorNeeds, ...(clock && { clock }) })).filter((each) => each.about === about)
const like = (pattern: RegExp) => expect.stringMatching(pattern) as string

test('an installation where nothing is wrong ends with 0, and what to look at has its way out', async () => {
  const { code, said } = await doctor(here({ MASTHEAD_ROLES: 'api,worker' }))
  expect([code, said]).toEqual([0, like(/^ok +configuration +Every setting is understood$/m)])
  expect(said).toMatch(/^ok +database +PostgreSQL \d+/m)
  expect(said).toMatch(/^ok +migrations +At \d{4}-/m)
  expect(said).toMatch(/^ok +schema +All that the migrations made is there$/m)
  expect(said).toMatch(/^ok +secrets +The key here opens them$/m)
  expect(said).toMatch(/^look +gateways +There are none\n +npm run masthead -- gateway add/m)
  expect(said).toMatch(/\nNothing is wrong; \d+ to look at\.$/)
})

test('every wrong setting is named, and a database that is away does not keep the rest from being looked at', async () => {
  const wrong = await doctor({ MASTHEAD_HTTP_PORT: 'x', SMTP_URL: 'http://mail' })
  expect(wrong.code).toBe(1)
  expect(wrong.said).toMatch(/BAD +configuration +MASTHEAD_HTTP_PORT.*\n.*\nBAD +configuration +SMTP_URL/)
  const away = await doctor(here({ DATABASE_URL: 'postgres://127.0.0.1:1/none', MASTHEAD_HTTP_PROT: '1' }))
  expect(away.code).toBe(1)
  expect(away.said).toMatch(/BAD +database +The database at DATABASE_URL cannot be reached/)
  expect(away.said).toMatch(/look +configuration +MASTHEAD_HTTP_PROT is not a setting.*Did you mean MASTHEAD_HTTP_PORT/)
  expect(away.said).toMatch(/1 wrong, \d+ to look at\.$/)
})

test('it changes nothing: an empty database stays empty, and no directory is made', async () => {
  const url = await emptyDatabase()
  for (const _ of [1, 2])
    expect(await of('migrations', here({ DATABASE_URL: url }))).toMatchObject([{ state: 'warn', words: 'The database is empty' }])
  const { DATABASE_URL: _, ...own } = here({ MASTHEAD_DATA_DIR: join(dataDir, 'not-here') })
  for (const _ of [1, 2]) expect(await of('database', own)).toMatchObject([{ state: 'ok', words: like(/^None is there yet/) }])
})

test('a disk that is full where the database is to be started is said in words', async () => {
  const openDatabase = () => Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }))
  const found = await examine({ env: here(), ...doctorNeeds, openDatabase })
  expect(found.at(-1)).toMatchObject({ about: 'database', state: 'bad', words: like(/no room|full/i) })
  expect(found.at(-1)!.words).not.toContain('ENOSPC')
})

test('a database that root keeps elsewhere is named, as a copy of the directory has it not', async () => {
  const [dir, elsewhere] = ['of-root', 'elsewhere'].map((name) => join(dataDir, name)) as [string, string]
  mkdirSync(join(dir, 'postgres'), { recursive: true })
  mkdirSync(elsewhere)
  symlinkSync(elsewhere, join(dir, 'postgres/moved'))
  const machine = here({ MASTHEAD_DATA_DIR: dir })
  expect(await of('data directory', machine)).toMatchObject([{ state: 'ok', words: dir }])
  const config = loadConfig({ ...machine, DATABASE_URL: '' })
  const found = await runChecks(
    machineChecks.filter(({ about }) => about === 'data directory'),
    { config, now: 0, ...doctorNeeds }
  )
  expect(found).toMatchObject([{ words: `${dir}, and the database in ${elsewhere}: a copy needs both` }])
})

test('a unit that keeps the process from asking which addresses its machine has', async () => {
  expect(await of('addresses', here())).toMatchObject([{ state: 'ok' }])
  const readAddresses = () => {
    throw new Error('A system error occurred: uv_interface_addresses returned Unknown system error 97')
  }
  const found = await runChecks(
    machineChecks.filter(({ about }) => about === 'addresses'),
    { config: loadConfig(here()), now: 0, ...doctorNeeds, readAddresses }
  )
  expect(found).toMatchObject([{ state: 'bad', words: like(/no terminal of a CORE device opens: .*97$/), way: like(/AF_NETLINK/) }])
})

test('files of settings that are not there', async () => {
  const files = { MASTHEAD_CONSOLE_DIR: '/nowhere', MASTHEAD_TLS_CERT: '/no.pem', MASTHEAD_TLS_KEY: '/no.key', MASTHEAD_CDR_DIR: '/none' }
  const found = await of('configuration', here(files))
  expect(found.map(({ state, words }) => `${state} ${words.split(/[ :]/)[0]}`)).toEqual([
    'bad MASTHEAD_CONSOLE_DIR',
    'bad MASTHEAD_TLS_CERT',
    'bad MASTHEAD_CDR_DIR',
  ])
})

test('another key, and a clock that is off', async () => {
  expect(await of('secrets', here({ MASTHEAD_SECRET_KEY: Buffer.alloc(32, 9).toString('base64') }))).toMatchObject([{ state: 'bad' }])
  const drifts = [0, 5000, 60_000].map((ahead) => of('clock', here(), () => Date.now() + ahead))
  expect((await Promise.all(drifts)).flat().map(({ state }) => state)).toEqual(['ok', 'warn', 'bad'])
})

test('gateways that are silent, and jobs that wait or were given up', async () => {
  await house.settle() // makes the worker's tables
  await putGateway(house.db, { address: '198.51.100.9', secret: 'words' })
  expect(await of('gateways', here())).toMatchObject([{ state: 'warn', words: like(/has never reported/) }])
  await house.db.updateTable('gateway_address').set({ heard_at: new Date() }).execute()
  expect(await of('gateways', here())).toMatchObject([{ state: 'ok' }])
  expect((await of('jobs', here()))[0]).toMatchObject({ state: 'ok' })
  const timed = (ago: string) =>
    house.app.pool.query(
      `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution) values ('minutely', now(), now() - $1::interval)
       on conflict (identifier) do update set last_execution = excluded.last_execution`,
      [ago]
    )
  await timed('2 minutes')
  expect(await of('jobs', here())).toMatchObject([{ state: 'ok' }])
  await timed('7 minutes')
  expect(await of('jobs', here())).toMatchObject([{ state: 'bad', words: 'No worker has been there for 7 minutes' }])
  await timed('0')
  await house.db.transaction().execute((tx) => addJob(tx, 'nobody.does_it', {}))
  await house.app.pool.query(`update graphile_worker._private_jobs set run_at = now() - interval '3 hours'`)
  expect((await of('jobs', here()))[0]).toMatchObject({ state: 'bad', words: like(/^The first of \d+ jobs waits since 3 hours$/) })
  await house.app.pool.query(`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no'`)
  expect((await of('jobs', here()))[0]).toMatchObject({ state: 'bad', words: like(/given up/) })
})

test('a join whose job takes long, was given up, or is gone', async () => {
  await house.settle() // makes the worker's tables
  const joins = () => of('joins', here())
  expect(await joins()).toMatchObject([{ state: 'ok', words: 'No gateway is being joined to another' }])
  const put = (address: string) => putGateway(house.db, { name: 'Amsterdam', address })
  const [{ gateway_id: into }, { gateway_id }] = [await put('198.51.100.21'), await put('198.51.100.22')]
  await house.db.updateTable('gateway').set({ joined_into: into }).where('id', '=', gateway_id).execute()
  await house.db.transaction().execute((tx) => addJob(tx, 'move_ended_sessions', { gateway_id }))
  expect(await joins()).toMatchObject([{ state: 'ok', words: 'Sessions of 1 are being moved' }])
  const ofJob = `where payload ->> 'gateway_id' = '${gateway_id}'`
  await house.app.pool.query(`update graphile_worker._private_jobs set created_at = now() - interval '3 hours' ${ofJob}`)
  expect(await joins()).toMatchObject([{ state: 'warn', words: like(/joined to Amsterdam are being moved since 3 hours$/) }])
  await house.app.pool.query(`update graphile_worker._private_jobs set attempts = max_attempts ${ofJob}`)
  expect(await joins()).toMatchObject([{ state: 'bad', words: like(/were not moved$/) }])
  await house.app.pool.query(`delete from graphile_worker._private_jobs ${ofJob}`)
  expect(await joins()).toMatchObject([{ state: 'bad', words: like(/by no job$/), way: like(new RegExp(gateway_id)) }])
})

test('mail that waits, a mail server that is away, a port that is taken, one where we run', async () => {
  const mail = { id: 'mail_old', to_email: 'a@example.test', subject: 'Old', text: '', created_at: new Date(Date.now() - 3_600_000) }
  await house.db.insertInto('mail').values(mail).execute()
  const smtp = here({ SMTP_URL: 'smtp://127.0.0.1:1' })
  await house.settle() // makes the worker's tables
  expect(await of('mail', smtp)).toMatchObject([
    { state: 'warn', words: '1 were written while there was no mail server, and are not sent' },
  ])
  await house.db.transaction().execute((tx) => addJob(tx, 'mail.deliver', { id: mail.id }))
  expect(await of('mail', smtp)).toMatchObject([{ state: 'bad', words: 'The first of 1 mails waits since 60 minutes' }])
  expect(await of('mail server', smtp)).toMatchObject([{ state: 'bad' }])
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const port = String((taken.address() as AddressInfo).port)
  expect(await of('ports', here({ MASTHEAD_HTTP_PORT: port }))).toMatchObject([{ state: 'bad', words: like(new RegExp(port)) }])
  await new Promise((resolve) => taken.close(resolve))
  const own = String((house.server.server.address() as AddressInfo).port)
  expect(await of('ports', here({ MASTHEAD_HTTP_PORT: own }))).toMatchObject([{ state: 'ok', words: like(/Masthead runs/) }])
})

test('a scanner of images: none, one that answers, one with an old database, another program', async () => {
  expect(await of('scanner', here())).toMatchObject([{ state: 'ok', words: like(/^There is none/) }])
  await using trivy = await openScanner()
  const env = here({ SCANNER_URL: trivy.scanner.url, SCANNER_REGISTRY_URL: 'http://127.0.0.1:8080' })
  const withDatabase = (at: string | undefined) =>
    void (trivy.answers.metadata = metadata({ properties: { 'harbor.scanner-adapter/vulnerability-database-updated-at': at } }))
  withDatabase(new Date().toISOString())
  expect(await of('scanner', env)).toMatchObject([{ state: 'ok', words: like(/^Trivy 0\.50\.1 answers, with a database of \d{4}-/) }])
  withDatabase('2020-01-01T00:00:00Z')
  expect(await of('scanner', env)).toMatchObject([{ state: 'warn', words: like(/database of 2020-01-01$/) }])
  withDatabase(undefined)
  expect(await of('scanner', env)).toMatchObject([{ state: 'ok', words: 'Trivy 0.50.1 answers' }])
  trivy.answers.metadata = saying(200, 'hello', 'text/plain')
  expect(await of('scanner', env)).toMatchObject([{ state: 'bad', words: like(/is no scanner: it sends text\/plain/) }])
})

test('figures: none, given, kept from another token, their port taken by another program', async () => {
  const atPort = (port: number, token?: string) =>
    of('figures', here({ MASTHEAD_METRICS_PORT: String(port), ...(token && { MASTHEAD_METRICS_TOKEN: token }) }))
  const token = 'a token of the operator'
  const { metrics } = house.app.config
  const own = await createMetricsServer(
    { ...house.app, config: { ...house.app.config, metrics: { ...metrics, token } } },
    { parts: () => ({}) }
  )
  await own.listen({ host: '127.0.0.1', port: 0 })
  const { port } = own.server.address() as AddressInfo
  expect(await atPort(port, token)).toMatchObject([{ state: 'ok', words: `At http://127.0.0.1:${port}/metrics` }])
  expect(await atPort(port, `${token}s`)).toMatchObject([{ state: 'bad', words: like(/does not take the token/) }])
  // A machine with the role `meter` alone has no console to ask.
  const meter = await of('ports', here({ MASTHEAD_ROLES: 'meter', MASTHEAD_METRICS_PORT: String(port) }))
  expect(meter).toMatchObject([{ state: 'ok', words: `Masthead runs at http://127.0.0.1:${port}` }])
  await own.close()
  expect(await atPort(port)).toMatchObject([{ state: 'ok', words: 'Their port is free' }])
  await using other = await openOther()
  expect(await atPort(other.port)).toMatchObject([{ state: 'bad', words: like(/^Port \d+ is taken by another program/) }])
})

test('a Masthead that runs and gives no figures where it should', async () => {
  const { port } = house.server.server.address() as AddressInfo
  const found = await of('figures', here({ MASTHEAD_HTTP_PORT: String(port), MASTHEAD_METRICS_PORT: '0' }))
  expect(found).toMatchObject([{ state: 'warn', words: like(/^Nothing answers at .*, though Masthead runs$/) }])
})

/** A program that is not ours, at a port of its own. */
async function openOther() {
  const server = createHttpServer((_request, response) => response.end('something else'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: close }
}

test('a certificate that nobody believes, and a key that others may read', async () => {
  const proxy = createServer({ key, cert })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const found = await of('certificate', here({ MASTHEAD_PUBLIC_URL: `https://localhost:${port}` }))
  expect(found).toMatchObject([{ state: 'bad', way: like(/who signed it/), words: like(/not believed.*of localhost, until 21\d\d-/) }])
  await new Promise((resolve) => proxy.close(resolve))
  writeFileSync(join(dataDir, 'secret-keys'), `${testSecretKey}\n`, { mode: 0o644 })
  const { MASTHEAD_SECRET_KEY: _, ...file } = here()
  expect(await of('secret key', file)).toMatchObject([{ state: 'bad', way: like(/^chmod 600/) }])
  expect(await of('files', file)).toMatchObject([{ state: 'ok' }])
  for (const dir of [dataDir, join(dataDir, 'blobs')]) chmodSync(dir, 0o755)
  expect(await of('files', file)).toMatchObject([{ state: 'warn', way: like(/^chmod o-rwx .*blobs$/) }])
})
