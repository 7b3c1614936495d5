import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putFeed } from '../../feeds/test-feed.ts'
import { newTrials, today } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const hour = (time: string, day = today) => new Date(`${day}T${time}:00:00Z`)

/** SIMs that were active long before the days that a rule looks at. */
const activeSince = (account_id: string, at: string) =>
  house.db
    .updateTable('sim')
    .set({ activated_at: new Date(at) })
    .where('account_id', '=', account_id)
    .execute()

test('little data of a day fires once the day is over, for SIMs that should have sent', async () => {
  const { owner, asset, use, tried, make, look, firings } = await newTrials(house)
  const { account_id } = owner
  const [, little, much, blocked, fed, idle] = [
    await asset('none'),
    await asset('little'),
    await asset('much'),
    await asset('blocked'),
    await asset('fed'),
    await asset('idle'),
  ]
  await activeSince(account_id, '2026-11-19T23:00:00Z')
  const fresh = await asset('fresh')
  await sql`update sim set created_at = ${hour('08', '2026-11-20')} where account_id = ${account_id} and id = ${fresh.sim_id}`.execute(
    house.db
  )
  await sql`update sim set state = 'inactive' where account_id = ${account_id} and id = ${idle.sim_id}`.execute(house.db)
  await use(little, 1000, '2026-11-20')
  await use(much, 1001, '2026-11-20')
  await sql`insert into sim_lapse values (${account_id}, ${blocked.sim_id}, 'blocked', ${hour('22', '2026-11-20')}, ${hour('01')})`.execute(
    house.db
  )
  const { id: feed_id } = await putFeed(house.db)
  const waits = { counted_to: hour('00', '2026-11-20'), unjudged_from: hour('05', '2026-11-20') }
  await house.db
    .insertInto('sim_feed')
    .values({ account_id, sim_id: fed.sim_id, feed_id, ...waits })
    .execute()
  const low = { metric: 'low_day', threshold: 1000 } as const
  const found = [
    ['little', '2026-11-20', 1000],
    ['none', '2026-11-20', 0],
  ]
  expect((await tried(low)).toSorted()).toEqual(found)
  const id = await make(low, 1)
  const days = async () => (await firings(id)).map(({ asset_name, day, value }) => [asset_name, day, value]).toSorted()
  await look()
  await look()
  expect(await days()).toEqual(found)
  // Usage of its last minutes may come when a day is over.
  house.clock.set('2026-11-22T00:40:00Z')
  await look()
  expect(await days()).toEqual(found)
  house.clock.set('2026-11-22T01:00:00Z')
  await look()
  const names = (await days()).filter(([, day]) => day === today).map(([name]) => name)
  expect(names).toEqual(['fresh', 'little', 'much', 'none'])
})

test('little data of several assets together fires once for them, and not before there are any', async () => {
  const { owner, asset, use, tried, make, look, firings } = await newTrials(house)
  const tag = (await owner.call(createTag, { body: { name: 'fleet' } })).body.id
  const [one, two, other] = [await asset('one', tag), await asset('two', tag), await asset('other')]
  await activeSince(owner.account_id, '2026-11-18T10:00:00Z')
  await use(one, 60, '2026-11-19')
  await use(two, 50, '2026-11-19')
  await use(one, 60, '2026-11-20')
  await use(other, 900, '2026-11-20')
  const low = { metric: 'assets_low_day', scope: 'tag:fleet' } as const
  expect(await tried({ ...low, threshold: 60 })).toEqual([[null, '2026-11-20', 60]])
  expect(await tried({ ...low, threshold: 59 })).toEqual([])
  expect((await tried({ ...low, threshold: 110 })).length).toBe(2)
  expect(await tried({ ...low, scope: '', threshold: 110 })).toEqual([[null, '2026-11-19', 110]])
  const id = await make({ ...low, threshold: 60 }, 1)
  await look()
  await look()
  expect(await firings(id)).toMatchObject([{ asset_name: null, day: '2026-11-20', value: 60 }])
  // What a feed will tell of the day is not known yet.
  const { id: feed_id } = await putFeed(house.db)
  const waits = { counted_to: hour('00', '2026-11-20'), unjudged_from: hour('05', '2026-11-20') }
  await house.db
    .insertInto('sim_feed')
    .values({ account_id: owner.account_id, sim_id: two.sim_id, feed_id, ...waits })
    .execute()
  expect(await tried({ ...low, threshold: 60 })).toEqual([])
})
