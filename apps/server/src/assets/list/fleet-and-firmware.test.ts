import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportAssets, getAsset } from '@masthead/contract/assets/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putDevice, putFleet } from '../../alpon-fleets/test-fleet.ts'
import { addAsset, list } from '../test-stock.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('an asset says its fleet and the firmware of its modem, of either kind of device, in the list, by itself and in the export', async () => {
  const [ada, bob] = [await house.newOwner(), await house.newOwner()]
  const { account_id } = ada
  await putFleet(house, { account_id: bob.account_id, name: 'Theirs' })
  const says: Record<string, object> = {
    'an agent': { network: { modem: { firmware: 'RC7611 4.1' } } },
    core: { system: { sw_version: 'EC25EFAR06' } },
    long: { system: { sw_version: 'x'.repeat(500) } },
  }
  for (const [name, reported] of Object.entries(says)) {
    const { id: asset_id } = await addAsset(house, ada, { name })
    await putDevice(house, { account_id, asset_id })
    await sql`update device set reported = ${JSON.stringify(reported)}::jsonb where account_id = ${account_id} and asset_id = ${asset_id}`.execute(
      house.db
    )
  }
  await addAsset(house, ada, { name: 'none', iccid: null })
  const { items } = await list(ada)
  const fleet_id = await putFleet(house, { account_id, asset_id: items[0]!.id, name: 'Reefers' })
  const fleet = { id: fleet_id, name: 'Reefers' }
  expect((await list(ada)).items.map((asset) => [asset.name, asset.fleet, asset.firmware])).toEqual([
    ['an agent', fleet, 'RC7611 4.1'],
    ['core', null, 'EC25EFAR06'],
    ['long', null, 'x'.repeat(80)],
    ['none', null, null],
  ])
  expect((await ada.call(getAsset, { params: { asset_id: items[0]!.id } })).body).toMatchObject({ fleet, firmware: 'RC7611 4.1' })
  const [head, first] = (await ada.call(exportAssets)).text.split('\n')
  expect(head!.trim().endsWith('data_pool,fleet,firmware')).toBe(true)
  expect(first!.trim().endsWith(',Reefers,RC7611 4.1')).toBe(true)
})
