import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Asset } from '@masthead/contract/assets/asset'
import { updateAsset } from '@masthead/contract/assets/operations'
import { raiseSimLimit } from '@masthead/contract/assets/sim-operations'
import * as ops from '@masthead/contract/network-groups/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset, addSession, blockedAssets, putCounter } from '../assets/test-stock.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const create = (body: object) => ada.call(ops.createNetworkGroup, { body: { name: 'Reefers', ...body } as never })
const move = (asset_id: string, network_group: string) =>
  ada.call(updateAsset, { params: { asset_id }, body: { supersim: { network_group } } })
const blocked = () => blockedAssets(house, ada)
const uses = (asset: Asset, bytes_up: number, more: { day?: string; day_up?: number; day_down?: number } = {}) =>
  putCounter(house, { account_id: ada.account_id, sim_id: asset.sim!.id, bytes_up, ...more })

test('a preview counts SIMs with what they were raised to in this period, and so it is', async () => {
  const { body: group } = await create({ limit_bytes: 1_000_000 })
  const params = { network_group_id: group.id }
  const day = house.clock.now().toISOString().slice(0, 10)
  /** Used so much today, and raised to 2 MB this month. */
  const raised = async (bytes: number) => {
    const asset = await addAsset(house, ada)
    await uses(asset, bytes, { day, day_up: bytes, day_down: 0 })
    await move(asset.id, group.id)
    expect((await ada.call(raiseSimLimit, { params: { asset_id: asset.id }, body: { bytes: 2_000_000 } })).status).toBe(200)
    return asset.id
  }
  const [below, beyond] = [await raised(1_500_000), await raised(2_500_000)]
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
  expect(await blocked()).toEqual([below, beyond].toSorted())
})

test('a SIM with sessions in two networks is one SIM: attached, cut and without an operator', async () => {
  const { body: group } = await create({})
  const asset = await addAsset(house, ada)
  await move(asset.id, group.id)
  for (const mccmnc of ['216-30', '260-06', '262-01']) await addSession(house, asset, ada.account_id, { mccmnc, rat: 'EUTRAN' })
  const params = { network_group_id: group.id }
  expect((await ada.call(ops.getNetworkGroup, { params })).body).toMatchObject({ sims: 1, sims_attached: 1 })
  const { body: said } = await ada.call(ops.previewNetworkGroup, { params, body: { countries: ['DE'] } })
  expect(said).toMatchObject({ sims: 1, attached: 1, cut: 1, stranded: 1, stranded_countries: ['HU', 'PL'] })
})

test('a lock of a group is previewed: whom it blocks in the device they are used in, and whom taking it off frees', async () => {
  const [right, wrong] = ['490154203237518', '356938035643809']
  const { body: group } = await create({})
  const params = { network_group_id: group.id }
  /** A SIM of the group that accepts one device, and was seen in one. */
  const seenIn = async (imei: string, own: 'off' | null, isUsed: boolean) => {
    const asset = await addAsset(house, ada)
    await move(asset.id, group.id)
    await house.db
      .updateTable('sim')
      .set({ imei, imeis: [right], imei_lock: own })
      .where('id', '=', asset.sim!.id)
      .execute()
    if (isUsed) await addSession(house, asset, ada.account_id, { imei })
    return asset.id
  }
  const used = await seenIn(wrong, null, true)
  await seenIn(wrong, null, false)
  await seenIn(right, null, true)
  await seenIn(wrong, 'off', true)
  const preview = async (imei_lock: boolean) => {
    const { wrong_device, device_freed } = (await ada.call(ops.previewNetworkGroup, { params, body: { imei_lock } })).body
    return { wrong_device, device_freed }
  }
  expect(await preview(false)).toEqual({ wrong_device: 0, device_freed: 0 })
  expect(await preview(true)).toEqual({ wrong_device: 1, device_freed: 0 })
  await ada.call(ops.updateNetworkGroup, { params, body: { imei_lock: true } })
  expect(await blocked()).toEqual([used])
  expect(await preview(true)).toEqual({ wrong_device: 0, device_freed: 0 })
  expect(await preview(false)).toEqual({ wrong_device: 0, device_freed: 1 })
  await ada.call(ops.updateNetworkGroup, { params, body: { imei_lock: false } })
  expect(await blocked()).toEqual([])
})

test('a SIM that was raised beyond the limit of its group has reached it once that is used up, too', async () => {
  const { body: group } = await create({ limit_bytes: 1_000_000 })
  const asset = await addAsset(house, ada)
  await move(asset.id, group.id)
  const atLimit = async () => (await ada.call(ops.listNetworkGroups)).body.items.find(({ id }) => id === group.id)!.sims_at_limit
  await uses(asset, 1_500_000)
  expect(await atLimit()).toBe(1)
  await ada.call(raiseSimLimit, { params: { asset_id: asset.id }, body: { bytes: 2_000_000 } })
  expect(await atLimit()).toBe(0)
  await uses(asset, 2_500_000)
  expect(await atLimit()).toBe(1)
})
