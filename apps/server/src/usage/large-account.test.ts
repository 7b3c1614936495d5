import { expect, test } from 'vitest'
import { getOverview } from '@masthead/contract/overview/operations'
import { getTotalUsage, getUsageSums } from '@masthead/contract/usage/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset, addNetworks, addTag, addUsage } from './test-usage.ts'

/** An account that counts as large, with an asset of the tag `part`. */
async function openLarge(house: House) {
  house.clock.set('2026-11-21T14:31:48Z')
  await addNetworks(house)
  const large = await house.newOwner()
  const tag = await addTag(house, large, 'part')
  const some = await addAsset(house, large, { name: 'some', tags: [tag] })
  await house.db.insertInto('asset_count').values({ account_id: large.account_id, type: 'core', sim_status: '', count: 10_001 }).execute()
  return { large, tag, some }
}

test('of a large account one answer serves all who see all of it for a while; who sees a part gets their own', async () => {
  await using house = await openHouse()
  const { large, tag, some } = await openLarge(house)
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

test('the sums of a large account are those of its total usage, and are read anew for each who asks', async () => {
  await using house = await openHouse()
  const { large, tag, some } = await openLarge(house)
  const other = await addAsset(house, large, { name: 'other' })
  const use = (sim_id: string, hour: string, up: number) => addUsage(house, large, [{ sim_id, hour, up, down: 1 }])
  await use(some.sim_id, '2026-10-20T09:00:00Z', 5)
  await use(some.sim_id, '2026-10-25T09:00:00Z', 100)
  await use(some.sim_id, '2026-11-20T09:00:00Z', 7)
  await use(other.sim_id, '2026-11-21T14:00:00Z', 1000)
  const part = await house.newMember(large, ['usage.view'], [tag])
  for (const query of [{}, { interval: 'hour' as const, start: '2026-11-20', end: '2026-11-22' }])
    for (const who of [large, part]) {
      const sums = (await who.call(getUsageSums, { query })).body
      const total = (await who.call(getTotalUsage, { query })).body
      expect(total).toMatchObject(sums)
    }
  const { body } = await large.call(getUsageSums)
  expect(body).toMatchObject({ bytes_up: 1007, bytes_down: 2, previous_bytes: 6, previous_end: '2026-10-21T15:00:00.000Z' })
  expect(body.previous_points[24]).toEqual({ at: '2026-10-25T00:00:00.000Z', bytes_up: 100, bytes_down: 1 })
  expect((await part.call(getUsageSums)).body.bytes_up).toBe(7)
  await use(other.sim_id, '2026-11-21T14:00:00Z', 1000)
  expect((await large.call(getUsageSums)).body.bytes_up).toBe(2007)
})
