import { listLeftAssets, startCsvChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { getAsset, updateAsset } from '@masthead/contract/assets/operations'
import { raiseSimLimit } from '@masthead/contract/assets/sim-operations'
import type { GroupFields } from '@masthead/contract/network-groups/network-group'
import { createNetworkGroup, deleteNetworkGroup, updateNetworkGroup } from '@masthead/contract/network-groups/operations'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { setNetworkGroup } from '../assets/set-network-group.ts'
import { addAsset } from '../assets/test-stock.ts'
import { systemActor, type Tx } from '../kernel/app.ts'
import { setLimit } from '../metering/index.ts'

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

test('a SIM that comes into an empty group as it is deleted keeps nothing of it', async () => {
  const [asset, id] = [await addAsset(house, ada), await newGroup({ imei_lock: true })]
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  let deleted!: Promise<{ status: number }>
  await house.app.db.transaction().execute(async (tx) => {
    await setNetworkGroup(tx, systemActor(ada.account_id, house.clock.now()), asset.id, id)
    deleted = ada.call(deleteNetworkGroup, { params: { network_group_id: id } })
    await expect.poll(async () => (await waiting.execute(house.db)).rows.length).toBe(1)
  })
  expect((await deleted).status).toBe(200)
  await house.settle()
  expect(await simOf(asset.id)).toMatchObject({ network_group: { id: 'default' }, imei_lock: { mode: 'off' } })
  expect((await house.events(ada.account_id)).at(-1)).toMatchObject({ name: 'network_groups.group_deleted', detail: { sims: 1 } })
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

test("a raise beside the removal of its group's limit says that there is none, and leaves none", async () => {
  const [one, many] = [await addAsset(house, ada), await addAsset(house, ada)]
  const id = await newGroup({ limit_bytes: 1e6 })
  for (const asset of [one, many]) {
    await put(asset.id, id)
    await ada.call(raiseSimLimit, { params: { asset_id: asset.id }, body: { bytes: 5e6 } })
  }
  const [removed, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const removal = house.db.transaction().execute(async (tx) => {
    await setLimit(tx as Tx, { account_id: ada.account_id, group_id: id }, null, house.clock.now())
    removed.resolve()
    await go.promise
  })
  await removed.promise
  const raised = ada.call(raiseSimLimit, { params: { asset_id: one.id }, body: { bytes: 7e6 } })
  const rows = ada.call(startCsvChange, { body: `asset,raise\n${many.serial},7 MB` as never })
  await expect
    .poll(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        house.db
      )
      return rows.length
    })
    .toBe(2)
  go.resolve()
  await removal
  expect((await raised).body).toMatchObject({ code: 'sim_has_no_limit' })
  const { body } = await rows
  expect(body).toMatchObject({ total: 1, changed: 0 })
  expect((await ada.call(listLeftAssets, { params: { bulk_id: body.id } })).body.items).toMatchObject([{ reason: 'no_limit' }])
  for (const asset of [one, many]) expect((await simOf(asset.id)).usage.limit_bytes).toBeNull()
})
