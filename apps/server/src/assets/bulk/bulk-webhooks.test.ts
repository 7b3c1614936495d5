import { expect, test } from 'vitest'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { createWebhook } from '@masthead/contract/developers/operations'
import { openHouse } from '@masthead/testkit/house'
import { addAsset } from '../test-stock.ts'

test('webhooks are sent one event of a change of many assets, with the address of its rows, and an asset alone its own event', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const listen = async (...events: string[]) =>
    (await ada.call(createWebhook, { body: { name: 'x', url: 'https://example.com/', events: events as never } })).body.id
  const [deactivated, activated, all] = [
    await listen('assets.sim_deactivated'),
    await listen('assets.sim_activated'),
    await listen('assets.*'),
  ]
  const assets = [await addAsset(house, ada), await addAsset(house, ada), await addAsset(house, ada)]
  const ids = assets.map(({ id }) => id)
  const sent = async () => {
    await house.settle()
    const rows = await house.db
      .selectFrom('webhook_delivery')
      .select(['webhook_id', 'type'])
      .where('account_id', '=', ada.account_id)
      .execute()
    return [deactivated, activated, all].map((id) => rows.filter(({ webhook_id }) => webhook_id === id).map(({ type }) => type))
  }
  const start = (asset_ids: string[], action: 'activate_sim' | 'deactivate_sim') =>
    ada.call(bulk.startBulkChange, { body: { action, asset_ids } as never })
  const before = (await sent()).map((types) => types.length)
  const { body } = await start(ids, 'deactivate_sim')
  expect(body.changed).toBe(3)
  await start(ids, 'activate_sim')
  const many = 'assets.assets_changed'
  expect((await sent()).map((types, webhook) => types.slice(before[webhook]))).toEqual([[many], [many], [many, many]])
  // The history of each asset has its own event all the same.
  const events = await house.events(ada.account_id)
  expect(events.filter(({ name }) => name === 'assets.sim_deactivated')).toHaveLength(3)
  const results = `/v1/assets/bulk-changes/${body.id}/results.csv`
  expect(events.find(({ name }) => name === many)!.detail).toMatchObject({ changed: 3, results })
  await start([ids[0]!], 'deactivate_sim')
  expect((await sent())[0]!.slice(before[0])).toEqual([many, 'assets.sim_deactivated'])
})
