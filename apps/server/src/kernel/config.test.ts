import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'

test('with nothing set, everything runs on this machine alone with the demo', () => {
  expect(loadConfig({})).toMatchObject({
    databaseUrl: undefined,
    dataDir: resolve('.data'),
    host: '127.0.0.1',
    ports: { http: 8080, radiusAuth: 1812, radiusAcct: 1813 },
    demo: true,
    demoNetwork: true,
    registration: true,
    trustProxy: 0,
    sessionDays: 14,
  })
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

test('every mistake is told at once, by the name of its variable, and no value is repeated', () => {
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
})
