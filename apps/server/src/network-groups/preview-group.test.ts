import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { updateAsset } from '@masthead/contract/assets/operations'
import { raiseSimLimit } from '@masthead/contract/assets/sim-operations'
import * as ops from '@masthead/contract/network-groups/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset, addSession } from '../assets/test-stock.ts'

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
/** Assets whose SIM is blocked. */
const blocked = async () => {
  await house.settle()
  const rows = await house.db.selectFrom('sim').select(['asset_id', 'status']).where('account_id', '=', ada.account_id).execute()
  return rows.filter(({ status }) => status === 'blocked').map(({ asset_id }) => asset_id)
}

test('a preview counts SIMs with what they were raised to in this period, and so it is', async () => {
  const { body: group } = await create({ limit_bytes: 1_000_000 })
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
  expect((await blocked()).toSorted()).toEqual([below, beyond].toSorted())
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
  const use = async (bytes_up: number) => {
    const day = house.clock.now().toISOString().slice(0, 10)
    const counter = { period_start: `${day.slice(0, 8)}01`, bytes_up, bytes_down: 0, lifetime_up: bytes_up, lifetime_down: 0 }
    await house.db
      .insertInto('sim_counter')
      .values({ account_id: ada.account_id, sim_id: asset.sim!.id, ...counter, seen_at: house.clock.now() })
      .onConflict((conflict) => conflict.columns(['account_id', 'sim_id']).doUpdateSet({ bytes_up }))
      .execute()
  }
  await use(1_500_000)
  expect(await atLimit()).toBe(1)
  await ada.call(raiseSimLimit, { params: { asset_id: asset.id }, body: { bytes: 2_000_000 } })
  expect(await atLimit()).toBe(0)
  await use(2_500_000)
  expect(await atLimit()).toBe(1)
})
