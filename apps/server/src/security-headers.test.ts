import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from './kernel/config.ts'
import { securityHeaders } from './security-headers.ts'

/** Each directive with its sources, as a browser reads it. */
const policy = (env: Record<string, string>) =>
  (securityHeaders(loadConfig(env)).contentSecurityPolicy as { directives: Record<string, string[]> }).directives

const plain = policy({})

test('without a service no host but ours is in the policy', () => {
  expect(JSON.stringify(plain)).not.toMatch(/https?:|wss?:|\*/)
  expect(plain.frameSrc).toBeUndefined()
})

test('an identity provider changes nothing: the browser only goes there and comes back', () => {
  expect(policy({ OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'masthead' })).toEqual(plain)
})

test('a tag manager may be loaded, and what it loads may come from the hosts named and from no other', () => {
  const env = { TAG_MANAGER_ID: 'GTM-ABC1234', TAG_MANAGER_HOSTS: 'https://*.stats.example.com' }
  const tags = ['https://www.googletagmanager.com', 'https://*.stats.example.com']
  expect(policy(env)).toEqual({
    ...plain,
    scriptSrc: ["'self'", ...tags],
    imgSrc: ["'self'", 'data:', ...tags],
    connectSrc: ["'self'", ...tags],
  })
  // Hosts without a tag manager are hosts for nothing.
  expect(policy({ TAG_MANAGER_HOSTS: 'https://*.stats.example.com' })).toEqual(plain)
})

test('a card provider brings its script, its frames and its API', () => {
  expect(policy({ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' })).toEqual({
    ...plain,
    scriptSrc: ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com'],
    frameSrc: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    connectSrc: ["'self'", 'https://api.stripe.com'],
  })
  const sandbox = policy({ STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_SCRIPT_URL: 'http://127.0.0.1:9000/v3/' })
  expect([sandbox.scriptSrc, sandbox.frameSrc, sandbox.connectSrc].map((list) => list?.filter((each) => each !== "'self'"))).toEqual([
    ['http://127.0.0.1:9000'],
    ['http://127.0.0.1:9000'],
    ['http://127.0.0.1:9000'],
  ])
})

test('a broker elsewhere may be talked to; a registry is only named', () => {
  const env = { MASTHEAD_BROKER_URL: 'wss://broker.example.com:9443/mqtt', MASTHEAD_REGISTRY_HOST: 'registry.example.com' }
  expect(policy(env)).toEqual({ ...plain, connectSrc: ["'self'", 'wss://broker.example.com:9443'] })
})

test('tiles of a map are pictures of one host, and nothing else of it may be loaded or asked', () => {
  const env = { MAP_TILES_URL: 'https://tiles.example.com:8443/{z}/{x}/{y}.png?key=k', MAP_TILES_ATTRIBUTION: '© Example' }
  expect(policy(env)).toEqual({ ...plain, imgSrc: ["'self'", 'data:', 'https://tiles.example.com:8443'] })
})

test('the API that the console was built for is in the policy, where it is elsewhere', () => {
  const dir = mkdtempSync(join(tmpdir(), 'masthead-console-'))
  const builtFor = (api: string) => {
    writeFileSync(join(dir, 'index.html'), `<head><meta name="masthead-api" content="${api}"></head>`)
    return policy({ MASTHEAD_CONSOLE_DIR: dir })
  }
  expect(builtFor('https://api.example.com/v1')).toEqual({
    ...plain,
    connectSrc: ["'self'", 'https://api.example.com', 'wss://api.example.com'],
  })
  expect(builtFor('/v1')).toEqual(plain)
  rmSync(dir, { recursive: true })
})
