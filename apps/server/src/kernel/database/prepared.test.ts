import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { prepared, runPrepared } from './prepared.ts'

let house: House
beforeAll(async () => void (house = await openHouse()))
afterAll(() => house[Symbol.asyncDispose]())

const keptPlans = sql<{ statement: string }>`select statement from pg_prepared_statements`

test('a prepared statement is kept by the connection, another is not', async () => {
  const doubled = prepared<{ doubled: number }>('select $1::int * 2 as doubled')
  await house.db.connection().execute(async (db) => {
    for (const number of [4, 5]) expect(await doubled(db, [number])).toEqual([{ doubled: number * 2 }])
    expect(await runPrepared(db, sql<{ word: string }>`select ${'x'}::text || 'y' as word`)).toEqual([{ word: 'xy' }])
    await sql`select ${1}::int as once`.execute(db)
    const { rows } = await keptPlans.execute(db)
    expect(rows.map((row) => row.statement).sort()).toEqual(
      ['select $1::int * 2 as doubled', "select $1::text || 'y' as word"].map((text) => `/* prepared */ ${text}`)
    )
  })
})

test('it works in a transaction and after its failure', async () => {
  const divided = prepared<{ divided: number }>('select 8 / $1::int as divided')
  await expect(house.db.transaction().execute((tx) => divided(tx, [0]))).rejects.toMatchObject({ code: '22012' })
  expect(await house.db.transaction().execute((tx) => divided(tx, [2]))).toEqual([{ divided: 4 }])
})
