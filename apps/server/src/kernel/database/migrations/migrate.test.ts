import { readdirSync } from 'node:fs'
import { emptyDatabase } from '@masthead/testkit/cluster'
import { expect, test } from 'vitest'
import { openPool } from '../pool.ts'
import { migrate } from './migrate.ts'

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

test('migrations are numbered without gaps or doubles', () => {
  expect(files.toSorted().map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, i) => i + 1))
})
