import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listUsedNetworks } from '@masthead/contract/assets/connection-operations'
import { openHouse } from '@masthead/testkit/house'
import { addUsage } from '../../usage/test-usage.ts'
import { addAsset } from '../test-stock.ts'

test('what was used on each operator in 30 days, also in the hour that is not closed yet', async () => {
  await using house = await openHouse()
  house.clock.set('2026-03-18T10:20:30Z')
  const ada = await house.newOwner()
  const asset = await addAsset(house, ada)
  const sim_id = asset.sim!.id
  await addUsage(house, ada, [
    { sim_id, hour: '2026-02-10T05:00:00Z', up: 1000, down: 0, mccmnc: '262-01' },
    { sim_id, hour: '2026-02-20T05:00:00Z', up: 10, down: 20, mccmnc: '262-01' },
    { sim_id, hour: '2026-03-16T23:00:00Z', up: 1, down: 2, mccmnc: '262-01' },
  ])
  const open = (mccmnc: string, up: number) =>
    sql`insert into usage_open_hour values (${ada.account_id}, ${sim_id}, '2026-03-18T10:00:00Z', ${mccmnc}, 'LTE', ${up}, 0)`.execute(
      house.db
    )
  await open('208-01', 7)
  const used = async () =>
    (await ada.call(listUsedNetworks, { params: { asset_id: asset.id } })).body.items.map(({ network, last_day, bytes_up, bytes_down }) => [
      network?.mccmnc,
      last_day,
      bytes_up,
      bytes_down,
    ])
  expect(await used()).toEqual([
    ['262-01', '2026-03-16', 11, 22],
    ['208-01', '2026-03-18', 7, 0],
  ])
  await open('262-01', 100)
  expect((await used()).slice(0, 1)).toEqual([['262-01', '2026-03-18', 111, 22]])
})
