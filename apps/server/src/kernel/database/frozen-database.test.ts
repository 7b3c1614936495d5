import { expect, test } from 'vitest'
import { cloneDatabase } from '@masthead/testkit/cluster'
import { asProblem } from '../http/as-problem.ts'
import { openPool } from './pool.ts'
import { breakWhenFrozen } from './frozen-database.ts'
import { openProxy } from './test-proxy.ts'

test('whoever waits for a database gone silent hears that it is away, and later calls find it again; slow work is left alone', async () => {
  const proxy = await openProxy((await cloneDatabase()).url)
  const pool = openPool(proxy.url, { max: 3 })
  breakWhenFrozen(pool, { every: 20, patience: 300 })
  try {
    // Long beyond the patience, but the database lets others in.
    await pool.query('select pg_sleep(0.6)')
    await pool.query('create table note (words text)')
    await Promise.all([1, 2, 3].map((n) => pool.query('select pg_sleep(0.05), $1::int', [n])))
    expect(pool.idleCount).toBe(3)
    const client = await pool.connect()
    await client.query('begin')
    proxy.freeze()
    const write = client.query(`insert into note values ('never')`)
    const [lost, read] = await Promise.all([write.catch((error: Error) => error), pool.query('select 1').catch((error: Error) => error)])
    for (const error of [lost, read]) expect(asProblem(error as never).kind.status).toBe(503)
    client.release()
    // Nobody is given the one that nobody waited for.
    await expect.poll(() => pool.totalCount).toBe(0)
    proxy.thaw()
    // A connection with a transaction left open must not serve anybody else.
    await pool.query(`insert into note values ('kept')`)
    expect((await pool.query('select words from note')).rows).toEqual([{ words: 'kept' }])
  } finally {
    proxy.close()
    await pool.end()
  }
})

test('connections that are busy with one query after the other are not asked about', async () => {
  const proxy = await openProxy((await cloneDatabase()).url)
  const pool = openPool(proxy.url, { max: 2 })
  breakWhenFrozen(pool, { every: 100, patience: 3000 })
  try {
    // Some twelve checks, each at two busy connections. No query is there at two of them, unless the machine stands still for so long.
    const until = performance.now() + 1200
    const inTurn = async () => {
      while (performance.now() < until) await pool.query('select 1')
    }
    await Promise.all([inTurn(), inTurn()])
    // Two are the pool's. Asked at every check, it would be ten more.
    const opened = proxy.opened()
    expect(opened).toBeLessThan(8)
    const long = pool.query('select pg_sleep(600)').catch(() => {})
    await expect.poll(() => proxy.opened()).toBeGreaterThan(opened)
    await pool.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(600)'`
    )
    await long
  } finally {
    proxy.close()
    await pool.end()
  }
})
