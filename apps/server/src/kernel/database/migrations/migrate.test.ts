import { readdirSync } from 'node:fs'
import { emptyDatabase } from '@masthead/testkit/cluster'
import { expect, test } from 'vitest'
import { openPool } from '../pool.ts'
import { migrate } from './migrate.ts'
import { MigrationStopped } from './run-migration.ts'

const files = readdirSync(new URL('../../../../db/migrations/', import.meta.url)).filter((name) => name.endsWith('.sql'))

test('two that migrate an empty database at once take turns; a third finds all done', async () => {
  const url = await emptyDatabase()
  const pools = [openPool(url, { max: 3 }), openPool(url, { max: 3 })]
  await Promise.all(pools.map((pool) => migrate(pool)))
  const done = async () =>
    (await pools[0]!.query<{ name: string; done_at: Date }>('select name, done_at from migration order by name')).rows
  const first = await done()
  expect(first.map(({ name }) => name)).toEqual(files.toSorted())
  await migrate(pools[1]!)
  expect(await done()).toEqual(first)
  await Promise.all(pools.map((pool) => pool.end()))
})

test('a database that cannot keep every letter is refused in words before anything is in it; one that is in use already goes on', async () => {
  const url = await emptyDatabase(`encoding 'SQL_ASCII' locale_provider libc locale 'C'`)
  await using pool = Object.assign(openPool(url, { max: 2 }), { [Symbol.asyncDispose]: () => pool.end() })
  await expect(migrate(pool, { until: '0001' })).rejects.toThrow(
    new MigrationStopped(
      'The database is encoded in SQL_ASCII, which does not know every letter. Make it anew: createdb -E UTF8 -T template0.'
    )
  )
  const tables = async () => (await pool.query<{ name: string }>(`select relname as name from pg_class where relname = 'migration'`)).rows
  expect(await tables()).toEqual([])
  // As one that was filled by a release that asked nothing.
  await pool.query(`create table migration (name text primary key, done_at timestamptz not null default now())`)
  await pool.query(`insert into migration (name) values ('of before')`)
  await migrate(pool, { until: '0000' })
})

test('migrations are numbered without gaps or doubles', () => {
  expect(files.toSorted().map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, i) => i + 1))
})
