import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { emptyDatabase } from '@masthead/testkit/cluster'
import { noKeys } from '../secrets/secret-keys.ts'
import { connectDatabase } from './open-database.ts'
import { prepared } from './prepared.ts'
import { whyNotPooled } from './pooler.ts'
import { openPooler } from './test-pooler.ts'

let house: House
beforeAll(async () => void (house = await openHouse()))
afterAll(() => house[Symbol.asyncDispose]())

const connectBy = (url: string) => {
  const { db, own, pools } = connectDatabase(url, { name: 'test', writes: 3, reads: 3, keys: noKeys, directUrl: house.databaseUrl })
  return { db, own, [Symbol.asyncDispose]: async () => void (await Promise.all(pools.map((pool) => pool.end()))) }
}

test('the start says in words what a pooler needs, and where two addresses do not belong together', async () => {
  await using pooler = await openPooler(house.databaseUrl)
  const why = (databaseUrl: string, directUrl?: string) => whyNotPooled({ databaseUrl, directUrl })
  expect(await why(house.databaseUrl)).toBeNull()
  expect(await why(pooler.url)).toContain('set DATABASE_DIRECT_URL to the address of PostgreSQL itself')
  expect(await why(pooler.url, house.databaseUrl)).toBeNull()
  expect(await why(pooler.url, pooler.url)).toContain('DATABASE_DIRECT_URL leads to a pooler')
  expect(await why(pooler.url, await emptyDatabase())).toBe('DATABASE_DIRECT_URL and DATABASE_URL lead to different databases.')
  expect(await whyNotPooled({ databaseUrl: undefined, directUrl: undefined })).toBeNull()
})

const twice = prepared<{ n: number }>('select $1::int * 2 as n')

test('through a pooler reads and writes of many go on beside each other, kept statements and all', async () => {
  await using pooler = await openPooler(house.databaseUrl)
  await using one = connectBy(pooler.url)
  await using other = connectBy(pooler.url)
  const work = Array.from({ length: 40 }, async (_, n) => {
    const { db } = n % 2 ? one : other
    const [row] = await twice(db, [n])
    expect(row).toEqual({ n: n * 2 })
    const key = `pooler ${n}`
    await db.transaction().execute((tx) => tx.insertInto('attempt').values({ key, count: n, window_ends_at: new Date() }).execute())
    const found = await db.snapshot((each) => each.selectFrom('attempt').select('count').where('key', '=', key).executeTakeFirstOrThrow())
    expect(found.count).toBe(n)
  })
  await Promise.all(work)
})

test('what only reads is refused every write by the database, and leaves nothing behind for who writes', async () => {
  await using pooler = await openPooler(house.databaseUrl, 1)
  await using one = connectBy(pooler.url)
  const write = sql`insert into attempt (key, count, window_ends_at) values ('by a read', 1, now())`
  const readOnly = { code: '25006' }
  await expect(
    write.execute(one.db).catch((error: Error & { cause?: unknown }) => Promise.reject(error.cause ?? error))
  ).rejects.toMatchObject(readOnly)
  await expect(sql`select 1 / 0`.execute(one.db)).rejects.toThrow('division by zero')
  // The session is well again, and may write for who may.
  expect((await sql`select 1 as one`.execute(one.db)).rows).toEqual([{ one: 1 }])
  await one.db.transaction().execute((tx) => write.execute(tx))
})

test('what needs a session has one of its own, past the pooler', async () => {
  await using pooler = await openPooler(house.databaseUrl, 1)
  await using one = connectBy(pooler.url)
  const lock = sql<{ got: boolean }>`select pg_try_advisory_lock(4711) as got`
  await one.db.connection().execute(async (mine) => {
    expect((await lock.execute(mine)).rows).toEqual([{ got: true }])
    await one.db.connection().execute(async (other) => expect((await lock.execute(other)).rows).toEqual([{ got: false }]))
  })
  expect(one.own.options.connectionString).toBe(house.databaseUrl)
})
