import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'
import { noIntegrations } from './integrations.ts'

test('with nothing set, everything runs on this machine alone with the demo', () => {
  expect(loadConfig({})).toMatchObject({
    databaseUrl: undefined,
    dataDir: resolve('.data'),
    host: '127.0.0.1',
    ports: { http: 8080, radiusAuth: 1812, radiusAcct: 1813, mqtt: 1883, mqtts: 8883 },
    demo: true,
    demoNetwork: true,
    registration: true,
    trustProxy: 0,
    sessionDays: 14,
    sessionIdleHours: 24,
    recordingDays: 90,
    staffSecondFactor: false,
  })
})

const settings = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
const documented = [
  ...new Set([...settings.matchAll(/`((?:MASTHEAD|OIDC|SMTP|DATABASE|TAG|STRIPE|MAP|SCANNER)_[A-Z_]+)`/g)].map(([, name]) => name!)),
]

test('each variable of ours is among the settings of the documentation', () => {
  const source = readFileSync(new URL('config.ts', import.meta.url), 'utf8')
  const names = [...source.matchAll(/^ {2}(MASTHEAD_\w+):/gm)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name) => !documented.includes(name))).toEqual([])
})

const odd = [
  '-1',
  '0',
  '1.5',
  '1e3',
  '0x10',
  '99999',
  ' 8080 ',
  '   ',
  'NaN',
  'ON',
  'true',
  'abc',
  '"on"',
  '/proc/x',
  'http://',
  'javascript:alert(1)',
  'a\nb',
  'x'.repeat(5000),
]

test.each(documented)('%s: an odd value is understood, or refused in words', (name) => {
  for (const value of odd)
    try {
      loadConfig({ [name]: value })
    } catch (error) {
      expect(error, value).toBeInstanceOf(ConfigError)
      expect((error as Error).message, value).toMatch(/^[A-Z_]+ (must|is) /)
      expect((error as Error).message, value).not.toMatch(/Invalid|undefined|x{99}/)
    }
})

test('no port is asked for twice', () => {
  const mistake = (env: Record<string, string>) => {
    try {
      return loadConfig(env) && null
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(mistake({ MASTHEAD_HTTP_PORT: '9464' })).toBe('MASTHEAD_METRICS_PORT must be another than MASTHEAD_HTTP_PORT, which is 9464')
  expect(mistake({ MASTHEAD_RADIUS_ACCT_PORT: '1812' })).toMatch(
    /^MASTHEAD_RADIUS_ACCT_PORT must be another than MASTHEAD_RADIUS_AUTH_PORT/
  )
  expect(mistake({ MASTHEAD_HTTP_PORT: '9464', MASTHEAD_HOST: '0.0.0.0' })).toMatch(/must be another/)
  expect(mistake({ MASTHEAD_MQTTS_PORT: '8080' })).toBe('MASTHEAD_MQTTS_PORT must be another than MASTHEAD_HTTP_PORT, which is 8080')
  expect(mistake({ MASTHEAD_MQTT_PORT: '9464' })).toBe('MASTHEAD_MQTT_PORT must be another than MASTHEAD_METRICS_PORT, which is 9464')
  for (const [range, inside] of [
    ['8000-8099', 'MASTHEAD_HTTP_PORT, which is 8080'],
    ['1883-1900', 'MASTHEAD_MQTT_PORT, which is 1883'],
    ['8800-8883', 'MASTHEAD_MQTTS_PORT, which is 8883'],
    ['9464-9464', 'MASTHEAD_METRICS_PORT, which is 9464'],
  ])
    expect(mistake({ MASTHEAD_TUNNEL_PORTS: range! })).toBe(`MASTHEAD_TUNNEL_PORTS must leave out the port of ${inside}`)
  expect(mistake({ MASTHEAD_TUNNEL_PORTS: '8000-8099', MASTHEAD_TUNNEL_HOST: '0.0.0.0' })).toMatch(/^MASTHEAD_TUNNEL_PORTS must leave out/)
  expect(mistake({ MASTHEAD_TUNNEL_PORTS: '8000-8099', MASTHEAD_TUNNEL_HOST: '192.0.2.1' })).toBeNull()
  expect(mistake({ MASTHEAD_TUNNEL_PORTS: '1800-1883', MASTHEAD_ROLES: 'api,meter' })).toBeNull()
  expect(mistake({ MASTHEAD_TUNNEL_PORTS: '8000-8099', MASTHEAD_ROLES: 'worker,meter' })).toBeNull()
  // Of no process, at another address, or chosen by the system.
  expect(mistake({ MASTHEAD_HTTP_PORT: '9464', MASTHEAD_ROLES: 'worker,meter' })).toBeNull()
  expect(mistake({ MASTHEAD_HTTP_PORT: '9464', MASTHEAD_HOST: '192.0.2.1' })).toBeNull()
  expect(mistake({ MASTHEAD_RADIUS_AUTH_PORT: '0', MASTHEAD_RADIUS_ACCT_PORT: '0' })).toBeNull()
  for (const host of ['127.0.0.1 ', 'http://localhost', 'x'.repeat(300)])
    expect(mistake({ MASTHEAD_HOST: host })).toMatch(/^MASTHEAD_HOST must be an address/)
})

test('a number is digits, and an address in the footer leads to a page or a mailbox', () => {
  const refused = (env: Record<string, string>) => expect(() => loadConfig(env)).toThrow(ConfigError)
  for (const value of ['   ', '0x10', '1e3', '-1', '1.5', '65536']) refused({ MASTHEAD_HTTP_PORT: value })
  expect(loadConfig({ MASTHEAD_HTTP_PORT: ' 80 ', MASTHEAD_DEMO_SPEED: '0.5' })).toMatchObject({ ports: { http: 80 }, demoSpeed: 0.5 })
  for (const value of ['javascript:alert(1)', 'data:text/html,x', 'example.com']) refused({ MASTHEAD_CONTACT_URL: value })
  expect(loadConfig({ MASTHEAD_CONTACT_URL: 'mailto:help@example.com' }).links.contact).toBe('mailto:help@example.com')
})

test('an empty variable is as good as none', () => {
  expect(loadConfig({ MASTHEAD_HTTP_PORT: '', DATABASE_URL: '' })).toMatchObject({ ports: { http: 8080 }, databaseUrl: undefined })
})

test('the demo is off with a database of one’s own, unless it is asked for', () => {
  const DATABASE_URL = 'postgres://db/masthead'
  expect(loadConfig({ DATABASE_URL }).demo).toBe(false)
  expect(loadConfig({ DATABASE_URL, MASTHEAD_DEMO: 'on' }).demo).toBe(true)
  expect(loadConfig({ MASTHEAD_DEMO: 'off' }).demo).toBe(false)
})

test('staff need two factors, unless the demo or whoever runs the installation says otherwise', () => {
  const demand = (env: Record<string, string>) => loadConfig(env).staffSecondFactor
  expect([demand({ MASTHEAD_DEMO: 'off' }), demand({ DATABASE_URL: 'postgres://db/masthead' })]).toEqual([true, true])
  expect(demand({ MASTHEAD_STAFF_SECOND_FACTOR: 'on' })).toBe(true)
  expect(demand({ MASTHEAD_DEMO: 'off', MASTHEAD_STAFF_SECOND_FACTOR: 'off' })).toBe(false)
})

test('a speed that is no number is reported like any other mistake', () => {
  expect(() => loadConfig({ MASTHEAD_DEMO_SPEED: 'fast' })).toThrow(/^MASTHEAD_DEMO_SPEED must be a number from 0.1 to 1000$/)
  expect(() => loadConfig({ MASTHEAD_FASTEST_LINK: 'fast' })).toThrow(/^MASTHEAD_FASTEST_LINK must be a whole number from /)
})

test('every mistake is reported at once, by the name of its variable, and no value is repeated', () => {
  const env = {
    DATABASE_URL: 'mysql://root:hunter2@db',
    MASTHEAD_HTTP_PORT: '80800',
    MASTHEAD_ROLES: 'api,cook',
    MASTHEAD_DEMO: 'maybe',
    MASTHEAD_PUBLIC_URL: 'console',
    MASTHEAD_SESSION_DAYS: '1.5',
    MASTHEAD_LOG_LEVEL: 'loud',
    MASTHEAD_TRUST_PROXY: 'yes',
  }
  const fail = () => loadConfig(env)
  expect(fail).toThrow(ConfigError)
  for (const name of Object.keys(env)) expect(fail).toThrow(name)
  expect(fail).not.toThrow('hunter2')
})

test.each([
  ['on', 1],
  ['off', 0],
  ['2', 2],
])('MASTHEAD_TRUST_PROXY=%s trusts %i proxies', (value, count) => {
  expect(loadConfig({ MASTHEAD_TRUST_PROXY: value }).trustProxy).toBe(count)
})

test('roles are a list', () => {
  expect(loadConfig({ MASTHEAD_ROLES: 'api, meter' }).roles).toEqual(['api', 'meter'])
  expect(words({ MASTHEAD_ROLES: 'api,brokers' })).toBe('MASTHEAD_ROLES must be some of api, worker, meter, broker')
})

const words = (env: Record<string, string>) => {
  try {
    return loadConfig(env).integrations
  } catch (error) {
    return (error as Error).message
  }
}

test('services of others are absent unless they are named', () => {
  expect(loadConfig({}).integrations).toEqual(noIntegrations)
})

test('a map takes the tiles of a host that is named, with whose they are', () => {
  const env = { MAP_TILES_URL: 'https://tiles.example.com/{z}/{x}/{y}.png', MAP_TILES_ATTRIBUTION: '© Example' }
  expect(words(env)).toEqual({ ...noIntegrations, mapTiles: { url: env.MAP_TILES_URL, attribution: '© Example' } })
})

test('a scanner is asked at one address, and pulls from us at another or at the one that people use', () => {
  const env = { SCANNER_URL: 'http://scanner:8080/api/v1/', MASTHEAD_PUBLIC_URL: 'https://console.example.com/iot' }
  const scanner = { url: 'http://scanner:8080', authorization: undefined, registry: 'https://console.example.com', atOnce: 2 }
  expect(words(env)).toEqual({ ...noIntegrations, scanner })
  const more = { SCANNER_AUTHORIZATION: 'Bearer abc', SCANNER_REGISTRY_URL: 'http://masthead:8080', SCANNER_AT_ONCE: '5' }
  expect(words({ ...env, ...more })).toMatchObject({
    scanner: { authorization: 'Bearer abc', registry: 'http://masthead:8080', atOnce: 5 },
  })
})

test('an identity provider has a name of its own, and opens accounts where people may register', () => {
  const env = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'masthead' }
  expect(words(env)).toMatchObject({
    identity: {
      issuer: env.OIDC_ISSUER,
      name: 'login.example.com',
      audience: 'masthead',
      scopes: 'openid email profile',
      opensAccounts: true,
    },
  })
  expect(words({ ...env, MASTHEAD_REGISTRATION: 'off' })).toMatchObject({ identity: { opensAccounts: false } })
  expect(words({ ...env, MASTHEAD_REGISTRATION: 'off', OIDC_REGISTRATION: 'on' })).toMatchObject({ identity: { opensAccounts: true } })
})

test.each([
  [{ OIDC_ISSUER: 'https://login.example.com' }, /OIDC_CLIENT_ID must be set too/],
  [{ OIDC_CLIENT_ID: 'masthead' }, /OIDC_ISSUER must be set too/],
  [{ OIDC_ISSUER: 'http://login.example.com', OIDC_CLIENT_ID: 'masthead' }, /OIDC_ISSUER must be .*https/],
  [{ OIDC_ISSUER: 'login.example.com', OIDC_CLIENT_ID: 'masthead' }, /OIDC_ISSUER must be/],
  [{ OIDC_SCOPES: 'email' }, /OIDC_SCOPES must be scopes with openid/],
  [{ TAG_MANAGER_ID: "GTM-1';x" }, /TAG_MANAGER_ID must be an id like/],
  [{ TAG_MANAGER_ID: 'GTM-ABC1234', TAG_MANAGER_HOSTS: "https://a.test, 'unsafe-inline'" }, /TAG_MANAGER_HOSTS must be origins/],
  [{ STRIPE_PUBLISHABLE_KEY: 'sk_live_secret' }, /STRIPE_PUBLISHABLE_KEY must be a publishable key/],
  [{ STRIPE_PUBLISHABLE_KEY: 'pk_live_a', STRIPE_SECRET_KEY: 'rk_test_b' }, /both must be live, or both test/],
  [{ STRIPE_SCRIPT_URL: 'https://js.test/; script-src *' }, /STRIPE_SCRIPT_URL must be/],
  [{ MASTHEAD_CONSOLE_ORIGINS: 'https://console.example.com/app' }, /MASTHEAD_CONSOLE_ORIGINS must be origins like/],
  [{ MASTHEAD_CONSOLE_ORIGINS: 'http://console.example.com' }, /without https only on this machine/],
  [{ MASTHEAD_CONSOLE_ORIGINS: 'https://*.example.com' }, /MASTHEAD_CONSOLE_ORIGINS must be/],
  [{ MASTHEAD_BROKER_URL: 'ws://broker.example.com' }, /MASTHEAD_BROKER_URL must be .*only on this machine/],
  [{ MASTHEAD_REGISTRY_HOST: 'https://registry.example.com' }, /MASTHEAD_REGISTRY_HOST must be a host/],
  [{ MAP_TILES_URL: 'https://tiles.example.com/{z}/{x}/{y}.png' }, /MAP_TILES_ATTRIBUTION must be set too/],
  [{ MAP_TILES_ATTRIBUTION: '© Example' }, /MAP_TILES_URL must be set too/],
  [{ MAP_TILES_URL: 'https://tiles.example.com/{z}/{x}.png', MAP_TILES_ATTRIBUTION: '© Example' }, /MAP_TILES_URL must be an address like/],
  [{ MAP_TILES_URL: 'http://tiles.example.com/{z}/{x}/{y}.png', MAP_TILES_ATTRIBUTION: '© Example' }, /without https only on this machine/],
  [
    { MAP_TILES_URL: 'https://{s}.example.com/{z}/{x}/{y}.png', MAP_TILES_ATTRIBUTION: '© Example' },
    /MAP_TILES_URL must be an address like/,
  ],
  [{ SCANNER_URL: 'https://scanner.example.com' }, /SCANNER_REGISTRY_URL must be set too, or MASTHEAD_PUBLIC_URL/],
  [{ SCANNER_AUTHORIZATION: 'Bearer abc' }, /SCANNER_URL must be set too/],
  [{ SCANNER_URL: 'http://scanner.example.com' }, /SCANNER_URL must be .*private network/],
  [{ SCANNER_URL: 'https://user:secret@scanner.example.com' }, /SCANNER_URL must be the address/],
  [{ SCANNER_AUTHORIZATION: 'abc' }, /SCANNER_AUTHORIZATION must be what the scanner asks for/],
  [{ SCANNER_AT_ONCE: '0' }, /SCANNER_AT_ONCE must be a whole number from 1 to 50/],
  [{ MAP_TILES_URL: "https://t.test/{z}/{x}/{y}; script-src 'x'", MAP_TILES_ATTRIBUTION: '©' }, /MAP_TILES_URL must be an address like/],
])('%o is refused in words', (env, said) => {
  expect(words(env)).toMatch(said)
})

test('a mistake is said once', () => {
  expect(words({ MAP_TILES_URL: 'tiles', MAP_TILES_ATTRIBUTION: '© Example' })).toBe(
    'MAP_TILES_URL must be an address like https://tiles.example.com/{z}/{x}/{y}.png; without https only on this machine'
  )
})

test('an address of the database that no program can use is said at the start; sockets and what is encoded are taken', () => {
  const load = (address: string) => () => loadConfig({ DATABASE_URL: address })
  for (const several of [
    'postgres://masthead:pw@192.0.2.20:5432,192.0.2.21:5432/masthead?target_session_attrs=read-write',
    'postgresql://db1.example.com,db2.example.com/masthead',
  ])
    expect(load(several)).toThrow(/^DATABASE_URL must name one host\./)
  for (const raw of ['postgres://masthead:p#w@127.0.0.1/masthead', 'postgres://masthead:p/w@127.0.0.1:5432/masthead'])
    expect(load(raw)).toThrow(/^DATABASE_URL must be an address like .* as %23 %2F/)
  for (const right of [
    'postgres://masthead:p%23,w@127.0.0.1:5432/masthead',
    'postgres://masthead@[::1]:5432/masthead?options=-c%20a%3Db,c',
    'postgres://masthead:a b@/masthead?host=/var/run/postgresql',
    'postgres://masthead@%2Fvar%2Frun%2Fpostgresql/masthead',
    'postgres:///masthead',
  ])
    expect(load(right)).not.toThrow()
  expect(() => loadConfig({ DATABASE_URL: 'postgres:///a', DATABASE_DIRECT_URL: 'postgres://a,b/c' })).toThrow(
    'DATABASE_DIRECT_URL must name one host'
  )
})
