import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { runCommand } from './command.ts'
import { consoleSettings } from './console-settings.ts'
import { keepTunnelHash } from './kernel/secrets/tunnel-command.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('the command that shows tunnels is of the installation, and the page has its hash alone', async () => {
  const out: string[] = []
  const env = { DATABASE_URL: house.databaseUrl, MASTHEAD_SECRET_KEY: testSecretKey }
  for (let time = 0; time < 2; time++) expect(await runCommand(['tunnels', 'command'], { env, say: (text) => out.push(text) })).toBe(0)
  expect(out[1]).toBe(out[0])
  const name = /^masthead\('([\w-]{24})'\)$/.exec(out[0]!)![1]!
  const tunnels = keepTunnelHash(house.app.db)
  expect(tunnels.known()).toBeNull()
  await tunnels.ask()
  expect(tunnels.known()).toBe(createHash('sha256').update(name).digest('hex'))
  expect(consoleSettings(house.app.config, tunnels.known()).tunnels).toBe(tunnels.known())
})

test('while the database is away there is no hash, and it is asked for again', async () => {
  let away = true
  const read = (_: unknown, name: string): unknown => {
    if (away && name === 'selectFrom') throw new Error('The database is away')
    const value = Reflect.get(house.app.db, name, house.app.db) as unknown
    return typeof value === 'function' ? value.bind(house.app.db) : value
  }
  const db = new Proxy({}, { get: read }) as typeof house.app.db
  const tunnels = keepTunnelHash(db)
  await tunnels.ask()
  expect(tunnels.known()).toBeNull()
  away = false
  await expect.poll(() => tunnels.known()).toMatch(/^[0-9a-f]{64}$/)
})
