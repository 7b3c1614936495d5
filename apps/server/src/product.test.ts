import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { loadConfig } from './kernel/config.ts'
import { startProduct } from './product.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

test('a start that waits for its database ends when it is asked to, and answers as if it had been stopped', async () => {
  const asked = new AbortController()
  const env = { DATABASE_URL: house.databaseUrl, MASTHEAD_SECRET_KEY: testSecretKey, MASTHEAD_HTTP_PORT: '0', MASTHEAD_ROLES: 'api' }
  await house.db.transaction().execute(async (tx) => {
    await sql`lock table network in access exclusive mode`.execute(tx)
    const start = startProduct({ config: loadConfig(env), log: house.app.log, signal: asked.signal })
    await expect.poll(async () => (await waiting.execute(house.db)).rows.length).toBe(1)
    asked.abort()
    const product = await start
    expect(product.greeting).toBe('')
    await product.stop()
  })
})

test('a start that cannot be is refused in words before anything is made: a taken port for figures, a file as the directory, files that are not there', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'masthead-refused-'))
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const ports = {
    MASTHEAD_HTTP_PORT: '0',
    MASTHEAD_RADIUS_AUTH_PORT: '0',
    MASTHEAD_RADIUS_ACCT_PORT: '0',
    MASTHEAD_MQTT_PORT: '0',
    MASTHEAD_MQTTS_PORT: '0',
    MASTHEAD_TUNNEL_PORTS: '0-0',
  }
  const start = (env: Record<string, string>) =>
    startProduct({ config: loadConfig({ ...ports, ...env }), log: house.app.log, signal: new AbortController().signal })
  const port = String((taken.address() as AddressInfo).port)
  const dataDir = join(dir, 'none-yet')
  await expect(start({ MASTHEAD_DATA_DIR: dataDir, MASTHEAD_METRICS_PORT: port })).rejects.toThrow(
    `Port ${port} is taken by another program. Set MASTHEAD_METRICS_PORT to another port.`
  )
  expect(existsSync(dataDir)).toBe(false)
  const file = join(dir, 'file')
  writeFileSync(file, '')
  await expect(start({ MASTHEAD_DATA_DIR: join(file, 'below'), MASTHEAD_METRICS_PORT: '0' })).rejects.toThrow(
    `${join(file, 'below')} cannot be made: ${file} is a file, not a directory. Set MASTHEAD_DATA_DIR`
  )
  const files = { MASTHEAD_CONSOLE_DIR: join(dir, 'unbuilt'), MASTHEAD_TLS_CERT: join(dir, 'no.pem'), MASTHEAD_TLS_KEY: file }
  await expect(start({ MASTHEAD_DATA_DIR: dataDir, MASTHEAD_METRICS_PORT: '0', ...files })).rejects.toThrow(
    `MASTHEAD_CONSOLE_DIR is ${join(dir, 'unbuilt')}, where there is no index.html of a built console.
MASTHEAD_TLS_CERT and MASTHEAD_TLS_KEY: ENOENT: no such file or directory, open '${join(dir, 'no.pem')}'.`
  )
  expect(existsSync(dataDir)).toBe(false)
  taken.close()
  rmSync(dir, { recursive: true })
})
