import { fork } from 'node:child_process'
import { once } from 'node:events'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { folderOf, openPrograms, openTransaction } from './test-migrations.ts'

// kill -9 of the process that migrates, in the middle of each kind of migration.
const first = {
  '0001-thing.sql': 'create table thing (id int primary key, a int, b int); insert into thing select n, n from generate_series(1, 10) n;',
}

const begin = (url: string, folder: URL) =>
  fork(new URL('test-migrating-process.ts', import.meta.url), [url, folder.href], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

async function kill(child: ReturnType<typeof fork>) {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const numberOf = async (pool: pg.Pool, text: string) => (await pool.query<{ n: number }>(text)).rows[0]!.n
const waitsForLock = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
const done = `select count(*)::int as n from migration`

test('in a transaction: as if it had not begun', async () => {
  await using programs = await openPrograms()
  const { url, pool, other } = programs
  await migrate(pool, { folder: folderOf(first) })
  const writer = await openTransaction(other, 'update thing set b = 1 where id = 7')
  const folder = folderOf({ ...first, '0002-more.sql': 'create table more (id int); update thing set a = a + 100;' })
  const child = begin(url, folder)
  await expect.poll(() => numberOf(other, waitsForLock), { timeout: 20_000 }).toBe(1)
  await kill(child)
  await writer.end()
  await migrate(pool, { folder })
  expect([await numberOf(pool, done), await numberOf(pool, 'select sum(a)::int as n from thing')]).toEqual([2, 1055])
})

test('in batches: what was done stays, and the rest follows', async () => {
  await using programs = await openPrograms()
  const { url, pool, other } = programs
  await migrate(pool, { folder: folderOf(first) })
  const writer = await openTransaction(other, 'select from thing where id = 7 for update')
  const batch = 'update thing set b = a where id in (select id from thing where b is null order by id limit 3);'
  const folder = folderOf({ ...first, '0002-fill.sql': `-- serves from 0001\n-- runs in batches\n${batch}` })
  const filled = 'select count(b)::int as n from thing'
  const child = begin(url, folder)
  await expect.poll(() => numberOf(other, filled), { timeout: 20_000 }).toBe(6)
  await kill(child)
  expect([await numberOf(other, filled), await numberOf(other, done)]).toEqual([6, 1])
  await writer.end()
  await migrate(pool, { folder })
  expect([await numberOf(pool, filled), await numberOf(pool, done)]).toEqual([10, 2])
})

test('outside a transaction: an index that was left half made is made anew, one that was finished is kept', async () => {
  await using programs = await openPrograms()
  const { url, pool, other } = programs
  await migrate(pool, { folder: folderOf(first) })
  const make = (name: string) =>
    `-- serves from 0001\n-- runs outside a transaction\ncreate index concurrently if not exists ${name} on thing (a);`
  const folder = folderOf({ ...first, '0002-by-a.sql': make('thing_a') })
  const valid = `select indexrelid::int as oid, indisvalid as ok from pg_index where indexrelid = 'thing_a'::regclass`
  const index = async () => (await other.query<{ oid: number; ok: boolean }>(valid)).rows[0]!

  const writer = await openTransaction(other, 'update thing set b = 1 where id = 7')
  const child = begin(url, folder)
  await expect.poll(() => numberOf(other, waitsForLock), { timeout: 20_000 }).toBe(1)
  await kill(child)
  // The database goes on with it by itself, unless it falls, too.
  await other.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  )
  await writer.end()
  const half = await index()
  expect(half.ok).toBe(false)
  await migrate(pool, { folder })
  const whole = await index()
  expect(whole).toEqual({ oid: expect.not.toSatisfy((oid: number) => oid === half.oid), ok: true })

  await pool.query(`delete from migration where name = '0002-by-a.sql'`)
  await migrate(pool, { folder })
  expect(await index()).toEqual(whole)
  expect(await numberOf(pool, done)).toBe(2)
})
