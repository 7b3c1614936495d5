import { sql } from 'kysely'
import { setPoolTags } from '@masthead/contract/datapools/operations'
import { updateAsset } from '@masthead/contract/assets/operations'
import { createTag, deleteTag } from '@masthead/contract/tags/operations'
import { getTotalUsage } from '@masthead/contract/usage/operations'
import { expect, test } from 'vitest'
import { openPooledHouse } from '../datapools/test-pooled-house.ts'
import { putPool } from '../datapools/test-pools.ts'
import { packetOf } from '../metering/test-network.ts'
import { rollUpAll } from '../usage/roll-ups/test-roll-up-all.ts'
import { clearTags } from './tasks.ts'

test('a tag that is deleted leaves its assets by a job, and their SIMs its data pool; it counts nowhere meanwhile', async () => {
  await using house = await openPooledHouse()
  const { account_id } = house.owner
  const sims = await Promise.all(Array.from({ length: 3 }, () => house.newSim()))
  const [first, , third] = sims
  const { id } = (await house.owner.call(createTag, { body: { name: 'fleet' } })).body
  const kept = (await house.owner.call(createTag, { body: { name: 'kept' } })).body.id
  const [pool_id, other] = [await putPool(house, house.owner), await putPool(house, house.owner)]
  await house.owner.call(setPoolTags, { params: { pool_id }, body: { tags: ['fleet'] } })
  await house.owner.call(setPoolTags, { params: { pool_id: other }, body: { tags: ['kept'] } })
  for (const { asset_id } of sims) await house.owner.call(updateAsset, { params: { asset_id }, body: { tags: ['fleet'] } })
  await house.owner.call(updateAsset, { params: { asset_id: third!.asset_id }, body: { tags: ['fleet', 'kept'] } })
  await house.client.account(packetOf(first!, 'interim', { time: 60, up: 7 }))
  await house.settle()
  await rollUpAll(house.app)
  const tagged = async () => {
    const { rows } = await sql<{
      tag_id: string
      count: number
    }>`select tag_id, count(*)::int as count from asset_tag group by 1 order by 1`.execute(house.db)
    return Object.fromEntries(rows.map(({ tag_id, count }) => [tag_id, count]))
  }
  const members = async () => {
    const rows = await house.db.selectFrom('data_pool_sim').select(['pool_id', 'sim_id']).execute()
    return rows.map((row) => `${row.pool_id} ${row.sim_id}`).toSorted()
  }
  const groups = async () => {
    const { body } = await house.owner.call(getTotalUsage, {
      query: { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z', group_by: 'tag' },
    })
    return body.items.map(({ key, bytes_up }) => [key, bytes_up])
  }
  expect(await tagged()).toEqual({ [id]: 3, [kept]: 1 })
  expect(await members()).toEqual([...sims.map((sim) => `${pool_id} ${sim.id}`), `${other} ${third!.id}`].toSorted())
  expect(await groups()).toEqual([[id, 7]])

  expect((await house.owner.call(deleteTag, { params: { tag_id: id } })).status).toBe(200)
  expect(await tagged(), 'nothing of it was done within the request').toEqual({ [id]: 3, [kept]: 1 })
  expect(await groups()).toEqual([[null, 7]])
  await house.settle()
  expect(await tagged()).toEqual({ [kept]: 1 })
  expect(await members()).toEqual([`${other} ${third!.id}`])
  const sim = await house.db.selectFrom('sim').select('pool_id').where('id', '=', first!.id).executeTakeFirstOrThrow()
  expect(sim.pool_id).toBeNull()
  // A second run, and one that names a tag that is there, do nothing.
  await clearTags(house.app, { account_id, tag_ids: [id, kept] })
  expect(await tagged()).toEqual({ [kept]: 1 })
  expect(await members()).toEqual([`${other} ${third!.id}`])
})
