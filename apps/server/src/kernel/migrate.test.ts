import { readdirSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { clusterVariable } from '@masthead/testkit/cluster'
import { expect, test } from 'vitest'
import { openPool } from './pool.ts'
import { migrate } from './migrate.ts'

const files = readdirSync(new URL('../../db/migrations/', import.meta.url)).filter((name) => name.endsWith('.sql'))

/** A database with nothing in it. */
async function emptyDatabase() {
  const name = `empty_${randomUUID().slice(0, 8)}`
  const client = new pg.Client({ connectionString: process.env[clusterVariable] })
  await client.connect()
  await client.query(`create database ${name} template template0`).finally(() => client.end())
  const url = new URL(process.env[clusterVariable]!)
  url.pathname = `/${name}`
  return url.toString()
}

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

test('migrations are numbered without gaps or doubles', () => {
  expect(files.toSorted().map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, i) => i + 1))
})
