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
