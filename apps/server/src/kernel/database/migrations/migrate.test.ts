import { readdirSync } from 'node:fs'
import { emptyDatabase } from '@masthead/testkit/cluster'
import type pg from 'pg'
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

const openEmpty = async (options: string) => {
  const url = await emptyDatabase(options)
  const pool = openPool(url, { max: 2 })
  return Object.assign(pool, { database: new URL(url).pathname.slice(1), [Symbol.asyncDispose]: () => pool.end() })
}
const tables = async (pool: pg.Pool) =>
  (await pool.query<{ name: string }>(`select relname as name from pg_class where relname = 'migration'`)).rows

test.each([
  [`encoding 'SQL_ASCII' locale_provider libc locale 'C'`, 'The database is encoded in SQL_ASCII, which does not know every letter.'],
  [`encoding 'UTF8' locale_provider libc locale 'C'`, 'The locale of the database knows no letters but those of ASCII.'],
])(
  'an empty database that cannot keep or compare every letter is refused in words (%s); one that is in use already goes on',
  async (options, why) => {
    await using pool = await openEmpty(options)
    const { rows } = await pool.query<{ owner: string }>('select current_user as owner')
    const way = `createdb --owner=${rows[0]!.owner} --encoding=UTF8 --locale=C.UTF-8 --template=template0 ${pool.database}`
    await expect(migrate(pool, { until: '0001' })).rejects.toThrow(
      new MigrationStopped(`${why} Drop it, as it is empty, and make it anew: ${way}`)
    )
    expect(await tables(pool)).toEqual([])
    // As one that was filled by a release that asked nothing.
    await pool.query(`create table migration (name text primary key, done_at timestamptz not null default now())`)
    await pool.query(`insert into migration (name) values ('of before')`)
    await migrate(pool, { until: '0000' })
  }
)

// What createdb sends for it, with either kind of cluster.
test.each(['', 'locale_provider libc'])('one that is made as the words say is taken (%s)', async (provider) => {
  await using pool = await openEmpty(`encoding 'UTF8' locale 'C.UTF-8' ${provider}`)
  await migrate(pool, { until: '0001' })
  expect(await tables(pool)).toEqual([{ name: 'migration' }])
})

test('migrations are numbered without gaps or doubles', () => {
  expect(files.toSorted().map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, i) => i + 1))
})
