import { expect, test } from 'vitest'
import { getEnforcementFigures, listEnforcements } from '@masthead/contract/assets/enforcement-operations'
import { releaseAsset } from '@masthead/contract/assets/sim-operations'
import { openHouse } from '@masthead/testkit/house'
import { addAsset } from '../test-stock.ts'
import { addEnforcement } from './test-enforcement.ts'

test('the list, its total and the figures are of the same enforcements: those of assets that are there', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const [kept, leaving] = [await addAsset(house, ada), await addAsset(house, ada)]
  for (const { id } of [kept, leaving, kept]) await addEnforcement(house, ada.account_id, id)
  const seen = async () => {
    // A page that has not all of them: its total is counted.
    const { body } = await ada.call(listEnforcements, { query: { page_size: 1 } as never })
    const { reached } = (await ada.call(getEnforcementFigures)).body
    const { items } = (await ada.call(listEnforcements)).body
    return [items.map(({ asset_id }) => asset_id).toSorted(), body.total, reached]
  }
  expect(await seen()).toEqual([[kept.id, kept.id, leaving.id].toSorted(), 3, 3])
  const released = await ada.call(releaseAsset, { params: { asset_id: leaving.id }, body: { to: null, serial: leaving.serial } })
  expect(released.status).toBe(200)
  expect(await seen()).toEqual([[kept.id, kept.id], 2, 2])
})
