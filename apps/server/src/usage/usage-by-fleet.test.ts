import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '@masthead/contract/kernel/id'
import { exportTotalUsage, getTotalUsage } from '@masthead/contract/usage/operations'
import { openHouse } from '@masthead/testkit/house'
import { putPool } from '../datapools/test-pools.ts'
import { addAsset, addNetworks, addUsage } from './test-usage.ts'

test('usage by fleet and by data pool, for those who may see these', async () => {
  await using house = await openHouse()
  house.clock.set('2026-11-21T14:31:48Z')
  const owner = await house.newOwner()
  const { account_id } = owner
  await addNetworks(house)
  const [ship, truck, meter] = await Promise.all(['ship', 'truck', 'meter'].map((name) => addAsset(house, owner, { name })))
  const use = (sim_id: string, up: number) => ({ sim_id, hour: '2026-11-20T09:00:00Z', up, down: 0 })
  await addUsage(house, owner, [use(ship!.sim_id, 1000), use(truck!.sim_id, 350), use(meter!.sim_id, 50)])
  const ask = async (query: object) => {
    const { status, body } = await owner.call(getTotalUsage, { query: query as never })
    expect(status, body.detail).toBe(200)
    return body
  }

  const [at, fleet_id] = [house.clock.now(), newId({ prefix: 'flt' })]
  const fleet = { account_id, id: fleet_id, name: 'Ships', created_at: at, updated_at: at, updated_by: null }
  await house.db.insertInto('fleet').values(fleet).execute()
  await house.db.insertInto('fleet_asset').values({ account_id, asset_id: ship!.asset_id, fleet_id, added_at: at }).execute()
  expect((await ask({ group_by: 'fleet' })).items.map(({ key, label, bytes, sims }) => [key, label, bytes, sims])).toEqual([
    [fleet_id, 'Ships', 1000, 1],
    [null, 'In no fleet', 400, 2],
  ])
  const { series, items } = await ask({ group_by: 'fleet', search: 'shi', interval: 'hour', start: '2026-11-20T00:00:00Z' })
  expect([items.map(({ label }) => label), series.map(({ label }) => label)]).toEqual([['Ships'], ['Ships', 'In no fleet']])

  // A SIM that draws from two pools counts in both.
  const of = { account_id, email: owner.email }
  const [both, one] = [await putPool(house, of), await putPool(house, of)]
  for (const [id, name] of [
    [both, 'Both'],
    [one, 'One'],
  ] as const)
    await house.db.updateTable('data_pool').set({ name }).where('id', '=', id).execute()
  for (const [pool_id, sim_id] of [
    [both, ship!.sim_id],
    [both, truck!.sim_id],
    [one, ship!.sim_id],
  ])
    await sql`insert into data_pool_sim (account_id, sim_id, pool_id) values (${account_id}, ${sim_id}, ${pool_id})`.execute(house.db)
  expect((await ask({ group_by: 'pool' })).items.map(({ label, bytes, sims }) => [label, bytes, sims])).toEqual([
    ['Both', 1350, 2],
    ['One', 1000, 1],
    ['In no pool', 50, 1],
  ])
  expect((await ask({ group_by: 'pool', search: 'bot' })).items.map(({ key }) => key)).toEqual([both])

  const looker = await house.newMember(owner, ['usage.view', 'datapools.view'])
  const status = async (group_by: 'fleet' | 'pool') => [
    (await looker.call(getTotalUsage, { query: { group_by } as never })).status,
    (await looker.call(exportTotalUsage, { query: { group_by } as never })).status,
  ]
  expect([await status('pool'), await status('fleet')]).toEqual([
    [200, 200],
    [403, 403],
  ])
})
