import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { answerByCallback } from './answer-by-callback.ts'
import { keptMemory } from '../test-kept-memory.ts'

let house: House
beforeAll(async () => void (house = await openHouse()))
afterAll(() => house[Symbol.asyncDispose]())

test('a client answers promises and callbacks as before', async () => {
  const client = new pg.Client(house.databaseUrl)
  answerByCallback(client)
  await client.connect()
  try {
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect((await client.query('select $1::int as n', [2])).rows).toEqual([{ n: 2 }])
    expect((await client.query({ text: 'select $1::int', values: [3], rowMode: 'array' })).rows).toEqual([[3]])
    await expect(client.query('select 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' })
    const heard = (...asked: unknown[]) =>
      new Promise((resolve) =>
        (client.query as (...given: unknown[]) => void)(...asked, (error: unknown, result: pg.QueryResult) => resolve([error, result.rows]))
      )
    expect(await heard('select 4 as four')).toEqual([null, [{ four: 4 }]])
    expect(await heard('select $1::int as n', [5])).toEqual([null, [{ n: 5 }]])
  } finally {
    await client.end()
  }
})

test('answers are forgotten, and none keeps the next', async () => {
  const kept = (how: string) =>
    keptMemory(
      {
        before: `
          import pg from 'pg'
          import { answerByCallback } from ${JSON.stringify(fileURLToPath(new URL('answer-by-callback.ts', import.meta.url)))}
          const client = new pg.Client(process.argv[1])
          if (process.argv[2] === 'ours') answerByCallback(client)
          await client.connect()`,
        round: `for (let i = 0; i < 50; i++) await client.query("select i, repeat('x', 50) as a from generate_series(1, 200) i", [])`,
        after: 'await client.end()',
      },
      house.databaseUrl,
      how
    )
  const [theirs, ours] = [await kept('theirs'), await kept('ours')]
  // In MB. Should theirs be forgotten one day, too, ours are no longer needed.
  expect(ours).toBeLessThan(theirs / 4)
})
