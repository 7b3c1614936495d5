import { expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { limitsBeside } from './run-migration.ts'
import { folderOf, listen, openPrograms, openTransaction } from './test-migrations.ts'

// Migrations of a database that others work on meanwhile.
const first = {
  '0001-thing.sql': 'create table thing (id int primary key, a int, b int); insert into thing select n, n from generate_series(1, 10) n;',
}
const quick = { ...limitsBeside, lock: 1000 }
const patient = { timeout: 20_000 }
const columnsOf = `select count(*)::int as n from information_schema.columns where table_name = 'thing'`

test('a lock that somebody has is asked for again and again, others get past it meanwhile, and the log says who has it', async () => {
  await using programs = await openPrograms()
  const { pool, other } = programs
  await migrate(pool, { folder: folderOf(first) })
  const reader = await openTransaction(other, 'select from thing')
  const log = listen()
  const folder = folderOf({ ...first, '0002-wider.sql': 'alter table thing add column c int;' })
  const migrating = migrate(pool, { folder, log, limits: quick })
  await expect
    .poll(() => log.words.join('\n'))
    .toMatch(/Migration 0002-wider\.sql waits for process \d+ of PostgreSQL \(the other, idle in/)
  expect((await other.query('select count(*)::int as n from thing')).rows).toEqual([{ n: 10 }])
  expect((await other.query(columnsOf)).rows).toEqual([{ n: 3 }])
  await reader.end()
  await migrating
  expect((await other.query(columnsOf)).rows).toEqual([{ n: 4 }])
})

test('who gets no lock in all the time there is gives up in words, and nothing of the migration is left', async () => {
  await using programs = await openPrograms()
  const { pool, other } = programs
  await migrate(pool, { folder: folderOf(first) })
  const reader = await openTransaction(other, 'select from thing')
  const folder = folderOf({ ...first, '0002-wider.sql': 'create table more (id int); alter table thing add column c int;' })
  await expect(migrate(pool, { folder, limits: { ...quick, patience: 0 } })).rejects.toMatchObject({
    name: 'MigrationStopped',
    message: expect.stringMatching(/^Migration 0002-wider\.sql got no lock in 0 s: it waits for process \d+ .*\(the other.*End that/),
  })
  expect((await other.query(`select to_regclass('more') as more`)).rows).toEqual([{ more: null }])
  await reader.end()
  await migrate(pool, { folder })
  expect((await other.query(columnsOf)).rows).toEqual([{ n: 4 }])
})

test('a statement that holds others up for too long is ended in words; alone on the database it may', async () => {
  await using programs = await openPrograms()
  const { pool } = programs
  const folder = folderOf({ ...first, '0002-long.sql': '-- serves from 0001\nselect pg_sleep(0.3); create table more (id int);' })
  await expect(migrate(pool, { folder, limits: { ...quick, statement: 20 } })).rejects.toMatchObject({
    name: 'MigrationStopped',
    message: expect.stringMatching(/^Migration 0002-long\.sql was ended because it took too long .*migrate --alone$/),
  })
  expect((await pool.query(`select name from migration where name like '%.sql'`)).rows).toEqual([{ name: '0001-thing.sql' }])
  await migrate(pool, { folder, limits: { ...quick, statement: 0 } })
})

test('what runs outside a transaction takes as long as it must, whatever limit the database has', async () => {
  await using programs = await openPrograms()
  const { pool, other } = programs
  const { rows } = await other.query<{ name: string }>('select current_database() as name')
  await other.query(`alter database "${rows[0]!.name}" set statement_timeout = '1h'`)
  const limit = `select current_setting('statement_timeout') as now`
  const folder = folderOf({
    ...first,
    '0002-outside.sql': `-- serves from 0001\n-- runs outside a transaction\ncreate table found as ${limit};`,
  })
  await migrate(pool, { folder })
  expect((await pool.query('select now from found')).rows).toEqual([{ now: '0' }])
  expect((await pool.query(limit)).rows).toEqual([{ now: '1h' }])
})

const indexed = {
  ...first,
  '0002-by-a.sql': '-- serves from 0001\n-- runs outside a transaction\ncreate index concurrently if not exists thing_a on thing (a);',
}

test('two at once: the one that waits says for whom, and holds up no index that is made concurrently', async () => {
  await using programs = await openPrograms()
  const { pool, other } = programs
  await migrate(pool, { folder: folderOf(first) })
  const writer = await openTransaction(other, 'update thing set b = 1 where id = 1')
  const folder = folderOf(indexed)
  const [one, two] = [listen(), listen()]
  const migrating = migrate(pool, { folder, log: one })
  await expect.poll(() => one.words.join('\n'), patient).toMatch(/0002-by-a\.sql waits for process \d+ .*the other, idle in transaction/)
  const waiting = migrate(other, { folder, log: two })
  await expect.poll(() => two.words, patient).toEqual([expect.stringMatching(/^Waiting for process \d+ .*\(masthead, active/)])
  await writer.end()
  await Promise.all([migrating, waiting])
  expect((await other.query(`select indisvalid as ok from pg_index where indexrelid = 'thing_a'::regclass`)).rows).toEqual([{ ok: true }])
})

test('a program whose migrations are all done starts while a newer one still migrates', async () => {
  await using programs = await openPrograms()
  const { pool, other } = programs
  await migrate(pool, { folder: folderOf(first) })
  const writer = await openTransaction(other, 'update thing set b = 1 where id = 1')
  const log = listen()
  const newer = migrate(pool, { folder: folderOf(indexed), log })
  await expect.poll(() => log.words.join('\n'), patient).toContain('waits for')
  await migrate(other, { folder: folderOf(first) })
  expect((await other.query('select count(*)::int as n from migration')).rows).toEqual([{ n: 1 }])
  await writer.end()
  await newer
})

test('each schema serves the programs that it says, and no older one', async () => {
  await using programs = await openPrograms()
  const { pool, other } = programs
  const expand = { ...first, '0002-expand.sql': '-- serves from 0001\nalter table thing add column c int;' }
  const contract = { ...expand, '0003-contract.sql': '-- serves from 0002\nalter table thing drop column b;' }
  await migrate(pool, { folder: folderOf(expand) })
  await migrate(other, { folder: folderOf(first) })
  await migrate(pool, { folder: folderOf(contract) })
  await migrate(other, { folder: folderOf(expand) })
  await expect(migrate(other, { folder: folderOf(first) })).rejects.toThrow(
    /too old for its database: .* brought to migration 0003, which serves programs from 0002 on, and this program ends at 0001\. Bring/
  )
})
