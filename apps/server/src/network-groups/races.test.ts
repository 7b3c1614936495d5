import { getAsset, updateAsset } from '@masthead/contract/assets/operations'
import { raiseSimLimit } from '@masthead/contract/assets/sim-operations'
import type { GroupFields } from '@masthead/contract/network-groups/network-group'
import { createNetworkGroup, deleteNetworkGroup, updateNetworkGroup } from '@masthead/contract/network-groups/operations'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../assets/test-stock.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const newGroup = async (fields: GroupFields = {}) => (await ada.call(createNetworkGroup, { body: { name: 'Meters', ...fields } })).body.id
const put = (asset_id: string, network_group: string) =>
  ada.call(updateAsset, { params: { asset_id }, body: { supersim: { network_group } } })
const simOf = async (asset_id: string) => (await ada.call(getAsset, { params: { asset_id } })).body.sim!

test('a group is deleted while SIMs are put into it: they are in it before, or it is not there any more', async () => {
  const assets = await Promise.all(Array.from({ length: 6 }, () => addAsset(house, ada)))
  for (let round = 0; round < 3; round++) {
    const id = await newGroup()
    const [deleted, ...moved] = await Promise.all([
      ada.call(deleteNetworkGroup, { params: { network_group_id: id } }),
      ...assets.map((asset) => put(asset.id, id)),
    ])
    expect(deleted.status).toBe(200)
    for (const { status, body } of moved) expect(body.code ?? status).toBeOneOf([200, 'network_group_unknown'])
    for (const asset of assets) expect((await simOf(asset.id)).network_group.id).toBe('default')
  }
})

test("a SIM that was allowed more has what its group's limit becomes, where that is more", async () => {
  const [asset, id] = [await addAsset(house, ada), await newGroup({ limit_bytes: 1e6 })]
  await put(asset.id, id)
  const change = (body: GroupFields) => ada.call(updateNetworkGroup, { params: { network_group_id: id }, body })
  const limitOf = async () => {
    const { limit_bytes, limit_of } = (await simOf(asset.id)).usage
    return [limit_bytes, limit_of?.raised, limit_of?.usual_bytes]
  }
  const raise = () => ada.call(raiseSimLimit, { params: { asset_id: asset.id }, body: { bytes: 5e6 } })
  await raise()
  await change({ limit_bytes: 2e6 })
  expect(await limitOf()).toEqual([5e6, true, 2e6])
  await change({ limit_bytes: 1e9 })
  expect(await limitOf()).toEqual([1e9, false, 1e9])
  await change({ limit_bytes: 1e6 })
  await raise()
  await change({ limit_bytes: null })
  expect(await limitOf()).toEqual([null, undefined, undefined])
})
