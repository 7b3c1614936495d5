import { expect, test } from 'vitest'
import { getOverview } from '@masthead/contract/overview/operations'
import { getTotalUsage } from '@masthead/contract/usage/operations'
import { openHouse, type Person } from '@masthead/testkit/house'
import { addAsset, addNetworks, addTag, addUsage } from './test-usage.ts'

test('of a large account one answer serves all who see all of it for a while; who sees a part gets their own', async () => {
  await using house = await openHouse()
  house.clock.set('2026-11-21T14:31:48Z')
  await addNetworks(house)
  const large = await house.newOwner()
  const tag = await addTag(house, large, 'part')
  const some = await addAsset(house, large, { name: 'some', tags: [tag] })
  await house.db.insertInto('asset_count').values({ account_id: large.account_id, type: 'core', sim_status: '', count: 10_001 }).execute()
  const all = await house.newMember(large, ['usage.view', 'overview.view'])
  const part = await house.newMember(large, ['usage.view'], [tag])
  const use = (hour: string) => addUsage(house, large, [{ sim_id: some.sim_id, hour, up: 7, down: 0 }])
  await use('2026-11-20T09:00:00Z')
  const bytes = async (person: Person, query = {}) => (await person.call(getTotalUsage, { query })).body.bytes_up
  expect([await bytes(large), await bytes(all), await bytes(part)]).toEqual([7, 7, 7])
  const atAGlance = async () => (await all.call(getOverview)).body.usage.bytes_up
  const asOf = async () => [(await large.call(getTotalUsage)).body.as_of, (await all.call(getOverview)).body.as_of]
  expect(await atAGlance()).toBe(7)
  house.clock.advance({ seconds: 9 })
  await use('2026-11-20T10:00:00Z')
  expect([await bytes(large), await bytes(all), await bytes(part)]).toEqual([7, 7, 14])
  expect(await bytes(large, { group_by: 'tag' })).toBe(14)
  // Of an account the hours are kept.
  expect(await atAGlance()).toBe(14)
  expect(await asOf(), 'how old they are is told').toEqual(['2026-11-21T14:31:48.000Z', '2026-11-21T14:31:48.000Z'])
  expect((await part.call(getTotalUsage)).body.as_of).toBe(null)
})
