import { expect, test } from 'vitest'
import { updateAsset } from '@masthead/contract/assets/operations'
import { raiseSimLimit } from '@masthead/contract/assets/sim-operations'
import * as ops from '@masthead/contract/network-groups/operations'
import { openHouse } from '@masthead/testkit/house'
import { addAsset } from '../assets/test-stock.ts'

test('a preview counts SIMs with what they were raised to in this period, and so it is', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const { body: group } = await ada.call(ops.createNetworkGroup, { body: { name: 'Reefers', limit_bytes: 1_000_000 } })
  const params = { network_group_id: group.id }
  const day = house.clock.now().toISOString().slice(0, 10)
  /** Used so much today, and raised to 2 MB this month. */
  const raised = async (bytes: number) => {
    const asset = await addAsset(house, ada)
    const used = { period_start: `${day.slice(0, 8)}01`, bytes_up: bytes, bytes_down: 0, day, day_up: bytes, day_down: 0 }
    const rest = { lifetime_up: bytes, lifetime_down: 0, seen_at: house.clock.now() }
    await house.db
      .insertInto('sim_counter')
      .values({ account_id: ada.account_id, sim_id: asset.sim!.id, ...used, ...rest })
      .execute()
    await ada.call(updateAsset, { params: { asset_id: asset.id }, body: { supersim: { network_group: group.id } } })
    expect((await ada.call(raiseSimLimit, { params: { asset_id: asset.id }, body: { bytes: 2_000_000 } })).status).toBe(200)
    return asset.id
  }
  const [below, beyond] = [await raised(1_500_000), await raised(2_500_000)]
  const blocked = async () => {
    await house.settle()
    const rows = await house.db.selectFrom('sim').select(['asset_id', 'status']).where('account_id', '=', ada.account_id).execute()
    return rows.filter(({ status }) => status === 'blocked').map(({ asset_id }) => asset_id)
  }
  const preview = async (body: object) => {
    const { body: said } = await ada.call(ops.previewNetworkGroup, { params, body: body as never })
    return { blocked: said.blocked, freed: said.freed }
  }
  expect(await blocked()).toEqual([beyond])
  expect(await preview({ limit_bytes: 1_200_000 })).toEqual({ blocked: 0, freed: 0 })
  expect(await preview({ limit_bytes: 3_000_000 })).toEqual({ blocked: 0, freed: 1 })
  expect(await preview({ limit_bytes: null })).toEqual({ blocked: 0, freed: 1 })
  expect(await preview({ on_limit: 'alert' })).toEqual({ blocked: 0, freed: 1 })
  // The raise is one of the month.
  expect(await preview({ limit_period: 'day' })).toEqual({ blocked: 1, freed: 0 })
  // With the group it ends, whatever the one that its SIMs move to has.
  expect(await preview({ limit_bytes: 1_200_000, deletes: true })).toEqual({ blocked: 1, freed: 0 })
  await ada.call(ops.updateNetworkGroup, { params, body: { limit_bytes: 1_200_000 } })
  expect(await blocked()).toEqual([beyond])
  await ada.call(ops.updateNetworkGroup, { params, body: { limit_bytes: 3_000_000 } })
  expect(await blocked()).toEqual([])
  await ada.call(ops.updateNetworkGroup, { params, body: { limit_bytes: 1_200_000, limit_period: 'day' } })
  expect((await blocked()).toSorted()).toEqual([below, beyond].toSorted())
})
