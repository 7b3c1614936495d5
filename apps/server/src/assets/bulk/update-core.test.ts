import { afterAll, beforeAll, expect, test } from 'vitest'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { getDevice } from '@masthead/contract/devices/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { addAsset } from '../test-stock.ts'
import { addCore } from './test-many.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
  ada = await house.newOwner()
})
afterAll(() => house[Symbol.asyncDispose]())

test('many CORE devices are asked to update; an asset without one stays', async () => {
  const [first, second, bare] = [await addCore(house, ada), await addCore(house, ada), await addAsset(house, ada)]
  await sql`update device set reported = '{"system":{"manager_version":"1.8.2"}}' where asset_id = ${first.id}`.execute(house.db)
  const body = { action: 'update_core' as const, asset_ids: [first.id, second.id, bare.id] }
  const outcome = { total: 3, changed: 2, left: [{ reason: 'no_core', count: 1 }] }
  expect((await ada.call(bulk.previewBulkChange, { body })).body).toMatchObject(outcome)
  const { body: change, text } = await ada.call(bulk.startBulkChange, { body })
  expect(change, text).toMatchObject({ ...outcome, can_undo: false })
  const { rows } = await sql<{ payload: unknown }>`select payload from device_directive where account_id = ${ada.account_id}`.execute(
    house.db
  )
  const payload = { command: 'maintenance', data: { update: ['manager', 'agent'], restart: [], beta: false } }
  expect(rows.map((row) => row.payload)).toEqual([payload, payload])
  const { device } = (await ada.call(getDevice, { params: { asset_id: first.id } })).body
  expect(device!.maintenance).toMatchObject({ services: ['manager', 'agent'], by: ada.email, versions: { manager: '1.8.2', agent: null } })
  // Again, and for one alone: nothing is doubled.
  expect((await ada.call(bulk.startBulkChange, { body: { ...body, asset_ids: [first.id] } })).body).toMatchObject({ changed: 1 })
})

test('whoever may change assets but no CORE devices is refused', async () => {
  const asset = await addCore(house, ada)
  const body = { action: 'update_core' as const, asset_ids: [asset.id] }
  const member = await house.newMember(ada, ['assets.view', 'assets.edit'])
  for (const op of [bulk.previewBulkChange, bulk.startBulkChange]) {
    const refused = await member.call(op, { body })
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  }
  const allowed = await house.newMember(ada, ['assets.view', 'assets.edit', 'core.edit'])
  expect((await allowed.call(bulk.startBulkChange, { body })).body).toMatchObject({ changed: 1 })
})
