import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../kernel/database/migrations/migrate.ts'
import { openPool } from '../kernel/database/pool.ts'
import { binariesFor, prepareHome, privateDirectory, socketDirectory } from './home.ts'
import { endServer, runToEnd, startServer } from './process.ts'
import { fast, query, useEmbeddedPostgres } from './test-embedded-postgres.ts'

const { root, start } = useEmbeddedPostgres()

const without = (url: string, changes: Record<string, string>) => {
  const address = new URL(url)
  for (const [name, value] of Object.entries(changes)) address.searchParams.set(name, value)
  return address.toString()
}

test('another process of the same user is not let in without the password, and the product is no superuser', async () => {
  const dataDir = join(root, 'closed-door')
  const database = await start({ dataDir })
  const strangers: Record<string, string>[] = [
    { password: 'guessed' },
    { user: 'postgres', password: '' },
    { user: 'postgres' },
    { user: 'nobody' },
  ]
  for (const changes of strangers) await expect(query(without(database.url, changes), 'select 1')).rejects.toThrow(/password/)
  const { rows } = await query(
    database.url,
    'select rolname, rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user'
  )
  expect(rows).toEqual([{ rolname: 'masthead', rolsuper: false, rolcreaterole: false, rolcreatedb: false }])
  await expect(query(database.url, "copy (select 1) to program 'true'")).rejects.toThrow(/permission denied/)
  const home = prepareHome(dataDir, () => {})
  expect(statSync(join(home.dir, 'database-passwords')).mode & 0o777).toBe(0o600)
  expect(statSync(socketDirectory(home)).mode & 0o777).toBe(0o700)
  expect(database.shown).not.toContain(new URL(database.url).searchParams.get('password'))
  expect(database.shown).toContain('database-passwords')
})

test('passwords that were lost are made anew, and those of another cluster are said to be', async () => {
  const dataDir = join(root, 'lost')
  const first = await start({ dataDir })
  await query(first.url, 'create table kept (n int)')
  await first.stop()
  const file = join(prepareHome(dataDir, () => {}).dir, 'database-passwords')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/:[\w-]+$/gm, ':of-another-cluster'))
  await expect(start({ dataDir })).rejects.toThrow(/are not those of this database/)
  rmSync(file)
  const again = await start({ dataDir })
  expect(new URL(again.url).searchParams.get('password')).not.toBe(new URL(first.url).searchParams.get('password'))
  expect((await query(again.url, 'select from kept')).rowCount).toBe(0)
})

test('a first start that ends before the database has its passwords leaves what the next one goes on with', async () => {
  const dataDir = join(root, 'half-made')
  await expect(start({ dataDir, settings: { ...fast, no_such_setting: 'on' } })).rejects.toThrow(/no_such_setting/)
  expect((await query((await start({ dataDir })).url, 'select 1')).rowCount).toBe(1)
})

/** A cluster as releases before made it: it trusts everybody, and the superuser owns all. */
async function olderCluster(dataDir: string) {
  const home = prepareHome(dataDir, () => {})
  const { bin } = binariesFor(home)
  const cluster = privateDirectory(join(home.dir, 'cluster'), home.user)
  const how = ['-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync']
  await runToEnd(join(bin, 'initdb'), ['-D', cluster, ...how], home.user)
  const socket = socketDirectory(home)
  const args = ['-D', cluster, '-k', socket, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_locks_per_transaction=256']
  const { child, ready } = startServer(join(bin, 'postgres'), args, home.user, () => {})
  await ready
  const url = (database: string) => `postgresql:///${database}?host=${encodeURIComponent(socket)}&port=5432&user=postgres`
  await query(url('postgres'), 'create database masthead')
  const pool = openPool(url('masthead'), { max: 2 })
  await migrate(pool)
  await pool.query(`insert into account (id, team_name) values ('acc_old', 'Old hands')`)
  await pool.end()
  await endServer(child)
}

test('a cluster of an earlier release moves over at its next start, with all that is in it', async () => {
  const dataDir = join(root, 'older')
  await olderCluster(dataDir)
  const database = await start({ dataDir })
  expect((await query(database.url, `select team_name from account where id = 'acc_old'`)).rows).toEqual([{ team_name: 'Old hands' }])
  const foreign = `select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = relnamespace
      where nspname = 'public' and relowner <> 'masthead'::regrole and relkind <> 'i'
    union all select p.oid::regprocedure::text from pg_proc p where pronamespace = 'public'::regnamespace and proowner <> 'masthead'::regrole
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`
  expect((await query(database.url, foreign)).rows).toEqual([])
  await query(database.url, `select ensure_usage_partitions(current_date, current_date + 2)`)
  await query(database.url, `alter table account add column of_the_next_release int; drop table mail cascade`)
  await expect(query(without(database.url, { user: 'postgres', password: '' }), 'select 1')).rejects.toThrow(/password/)
  await database.stop()
  expect((await query((await start({ dataDir })).url, 'select from account')).rowCount).toBe(1)
})
