import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import { getStaffDevice } from '@masthead/contract/backoffice/device-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { addAsset } from '../assets/test-stock.ts'
import { enrolDevice } from '../devices/index.ts'
import { enterStaff } from './test-backoffice.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('staff see what the device of a customer reported, and the customer sees that they looked', async () => {
  const [owner, staff] = [await house.newOwner('Acme'), await enterStaff(house)]
  const asset = await addAsset(house, owner, { name: 'Gate 7' })
  const look = async (any_asset_id: string) => staff.call(getStaffDevice, { params: { any_asset_id } })
  expect((await look(asset.serial)).body).toMatchObject({ asset: { id: asset.id }, account: { email: owner.email }, device: null })
  const { account_id } = owner
  await house.db.transaction().execute((tx) => enrolDevice(tx, { account_id, asset_id: asset.id, kind: 'agent', at: house.clock.now() }))
  const reported = { system: { os: '12', bundle: '25.1.19' } }
  await house.db
    .updateTable('device')
    .set({ reported: reported as never, last_birth_at: house.clock.now() as never, online: true as never })
    .execute()
  const { body, text } = await look(asset.sim!.iccid)
  expect(body.device).toMatchObject({ kind: 'agent', presence: 'online', reported })
  // Nothing that a device signs in with.
  expect(text).not.toMatch(/token|hash|password/)
  expect((await look('nowhere')).status).toBe(404)
  const { items } = (await owner.call(listActivities, { query: { category: ['backoffice'] } as never })).body
  expect(items.map(({ sentence }) => sentence).join()).toContain('Gate 7')
})
