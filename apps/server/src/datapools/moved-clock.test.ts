import { addPoolAssets } from '@masthead/contract/datapools/operations'
import { openHouse } from '@masthead/testkit/house'
import { expect, test } from 'vitest'
import { addAsset } from '../assets/test-stock.ts'
import { systemActor, type Tx } from '../kernel/app.ts'
import { getPool } from './pool-queries.ts'
import { renewDuePools } from './renew-pools.ts'
import { takeUsage } from './take-usage.ts'
import { putPool } from './test-pools.ts'

test('after a clock that was 40 days ahead, what is used is taken from the term of today, and its end holds', async () => {
  await using house = await openHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  const ada = await house.newOwner()
  const week = { size_bytes: 100, validity_count: 7, validity_unit: 'day' as const }
  const [fixed, grows] = [await putPool(house, ada, week), await putPool(house, ada, { ...week, kind: 'dynamic' })]
  const [one, other] = [await addAsset(house, ada), await addAsset(house, ada)]
  const join = (pool_id: string, { id }: { id: string }) => ada.call(addPoolAssets, { params: { pool_id }, body: { assets: [id] } })
  await join(fixed, one)
  await join(grows, other)
  const see = (pool_id: string) => getPool(house.db, systemActor(ada.account_id, house.clock.now()), pool_id)
  const use = (bytes: number) =>
    house.db.transaction().execute((tx) => {
      const [at, now] = [house.clock.now(), house.clock.now().getTime()]
      const used = { account_id: ada.account_id, sim_id: one.sim!.id, from: now, at: now, bytes, mccmnc: '' }
      return takeUsage(tx as Tx, [used], at)
    })
  const blocks = async () => {
    await house.settle()
    const { blocks } = await house.db.selectFrom('sim').select('blocks').where('id', '=', one.sim!.id).executeTakeFirstOrThrow()
    return blocks.map(({ code }) => code)
  }
  const renewAt = async (time: string) => {
    house.clock.set(time)
    await renewDuePools(house.app)
  }
  await use(60)
  await renewAt('2026-12-30T12:00:00Z')
  await use(70)
  await renewAt('2026-11-20T13:00:00Z')
  expect(await see(fixed)).toMatchObject({ term_start: '2026-11-20T00:00:00.000Z', used_bytes: 60, state: 'active' })
  await use(50)
  expect(await see(fixed)).toMatchObject({ used_bytes: 110, state: 'exhausted' })
  expect(await blocks()).toEqual(['pool_exhausted'])
  // Terms that are there already begin when their time comes, with what SIMs bring that came meanwhile.
  await join(grows, await addAsset(house, ada))
  await renewAt('2026-11-27T00:01:00Z')
  expect(await see(fixed)).toMatchObject({ term_start: '2026-11-27T00:00:00.000Z', size_bytes: 100, used_bytes: 0, state: 'active' })
  expect(await see(grows)).toMatchObject({ term_start: '2026-11-27T00:00:00.000Z', size_bytes: 200, sims: 2 })
  expect(await blocks()).toEqual([])
  // What was used by that clock stays on its days.
  await renewAt('2026-12-30T12:00:00Z')
  expect(await see(fixed)).toMatchObject({ used_bytes: 70, size_bytes: 100 })
})
