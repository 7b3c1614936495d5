import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '@masthead/testkit/cluster'
import { openDatabase } from './open-database.ts'
import { breakWhenFrozen } from './frozen-database.ts'
import { openPool } from './pool.ts'
import { openProxy } from './test-proxy.ts'
import { openWriteProbe } from './write-probe.ts'

const silent = 'The database does not answer'

test('a database that hangs is reported in bounded time, and so is that it answers again', async () => {
  const proxy = await openProxy((await cloneDatabase()).url)
  const pool = openPool(proxy.url, { max: 2 })
  breakWhenFrozen(pool, { every: 20, patience: 1000 })
  const whyNot = openWriteProbe(openDatabase(pool), { freshFor: 0, patience: 300 })
  try {
    await expect.poll(whyNot, { timeout: 10_000 }).toBeNull()
    proxy.freeze()
    expect(await Promise.all([whyNot(), whyNot()])).toEqual([silent, silent])
    // The same question is still under way: whoever asks now does not wait again.
    expect(await whyNot()).toBe(silent)
    expect(pool.totalCount).toBe(1)
    await expect.poll(() => pool.totalCount, { timeout: 10_000 }).toBe(0)
    proxy.thaw()
    await expect.poll(whyNot, { timeout: 10_000 }).toBeNull()
  } finally {
    proxy.thaw()
    proxy.close()
    await pool.end()
  }
})

test('however many ask, the database is asked once, and a change is seen once the answer is old', async () => {
  const database = await cloneDatabase()
  const pool = openPool(database.url, { max: 2 })
  const db = openDatabase(pool)
  try {
    const shared = openWriteProbe(db, { freshFor: 60_000 })
    expect(await Promise.all(Array.from({ length: 100 }, shared))).toEqual(Array.from({ length: 100 }, () => null))
    const written = async () => (await sql<{ at: Date }>`select written_at as at from readiness`.execute(db)).rows[0]!.at
    const once = await written()
    expect(await shared()).toBeNull()
    expect(await written()).toEqual(once)
    const fresh = openWriteProbe(db, { freshFor: 0 })
    // As a full disk says it to a sort that needs some.
    await sql`create or replace function prove_writable() returns void language plpgsql as $$ begin
      raise exception 'could not write to file' using errcode = '53100'; end $$`.execute(db)
    expect(await fresh()).toBe('There is no room on the disk of the database')
    expect(await shared()).toBeNull()
  } finally {
    await pool.end()
  }
})

test('what proves it needs room on the disk', async () => {
  const pool = openPool((await cloneDatabase()).url, { max: 1 })
  try {
    const used = async () => {
      await pool.query('select pg_stat_force_next_flush()')
      const { rows } = await pool.query('select temp_bytes from pg_stat_database where datname = current_database()')
      return (rows[0] as { temp_bytes: number }).temp_bytes
    }
    expect(await used()).toBe(0)
    await pool.query('select prove_writable()')
    await expect.poll(used).toBeGreaterThan(8192)
  } finally {
    await pool.end()
  }
})
