import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newTrials, today } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
  await sql`insert into network values ('260-06', 'Play', 'PL') on conflict do nothing`.execute(house.db)
})
afterAll(() => house[Symbol.asyncDispose]())

test('what a SIM uses a day on average is that of a day and the six before it, those without data too', async () => {
  const { asset, use, tried, fired } = await newTrials(house)
  const truck = await asset('truck')
  // Eight days ago, no part of the week of today any more.
  await use(truck, 7000, '2026-11-13')
  await use(truck, 350, '2026-11-15')
  await use(truck, 350, today)
  await use(await asset('light'), 600, today)
  const metric = 'usage_average'
  expect(await tried({ metric, threshold: 100 })).toEqual([
    ['truck', today, 100],
    ['truck', '2026-11-15', 1050],
    ['truck', '2026-11-13', 1000],
  ])
  expect(await tried({ metric, threshold: 1001 })).toEqual([['truck', '2026-11-15', 1050]])
  expect(await fired({ metric, threshold: 100 })).toEqual([['truck', today, 100]])
  expect(await fired({ metric, threshold: 101 })).toEqual([])
})

test('the average of several assets counts those that sent nothing, and only those that are meant', async () => {
  const { owner, asset, use, tried, fired } = await newTrials(house)
  const tag_id = (await owner.call(createTag, { body: { name: 'fleet' } })).body.id
  const [one, two] = [await asset('one', tag_id), await asset('two', tag_id)]
  await asset('quiet', tag_id)
  const other = await asset('other')
  await sql`update sim set state_changed_at = '2026-11-01', activated_at = '2026-11-01', created_at = '2026-11-01'
    where account_id = ${owner.account_id}`.execute(house.db)
  await use(one, 200)
  await use(two, 100)
  await use(other, 9000)
  const metric = 'assets_average_day'
  expect(await tried({ metric, threshold: 100, scope: 'tag:fleet' })).toEqual([[null, today, 100]])
  expect(await tried({ metric, threshold: 101, scope: 'tag:fleet' })).toEqual([])
  expect(await fired({ metric, threshold: 2000 })).toEqual([[null, today, 2325]])
})
