import { afterAll, beforeAll, expect, test } from 'vitest'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { getAgent, updateAgent } from '@masthead/contract/devices/agent/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { offerAgent, putAgent } from '../../devices/agent/test-agent.ts'
import { addAsset } from '../test-stock.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
  ada = await house.newOwner()
})
afterAll(() => house[Symbol.asyncDispose]())

const runs = (asset_id: string, version: unknown) =>
  sql`update device set reported = ${JSON.stringify({ agent: { versions: { agent: version } } })}::jsonb where asset_id = ${asset_id}`.execute(
    house.db
  )

test('agents that are older are asked to update; those that are not, and assets without one, stay', async () => {
  const [first, second, newest, odd, bare] = [
    await putAgent(house, ada),
    await putAgent(house, ada),
    await putAgent(house, ada),
    await putAgent(house, ada),
    await addAsset(house, ada),
  ]
  offerAgent(house, '0.10.0')
  await runs(first.asset_id, '0.9.9')
  await runs(newest.asset_id, '0.10.0')
  await runs(odd.asset_id, '9; drop table device')
  const ids = [first, second, newest, odd].map(({ asset_id }) => asset_id)
  const body = { action: 'update_agent' as const, asset_ids: [...ids, bare.id] }
  const outcome = {
    total: 5,
    changed: 2,
    left: [
      { reason: 'already', count: 2 },
      { reason: 'no_agent', count: 1 },
    ],
  }
  const preview = await ada.call(bulk.previewBulkChange, { body })
  expect(preview.body, preview.text).toMatchObject({ ...outcome, left: expect.arrayContaining(outcome.left) as never })
  const { body: change, text } = await ada.call(bulk.startBulkChange, { body })
  expect(change, text).toMatchObject({ total: 5, changed: 2, can_undo: false })
  for (const { asset_id } of [first, second])
    expect((await ada.call(getAgent, { params: { asset_id } })).body.update).toMatchObject({
      version: '0.10.0',
      state: 'asked',
      asked_by: ada.email,
    })
  expect((await ada.call(getAgent, { params: { asset_id: newest.asset_id } })).body.update).toBeNull()
  const told = await sql<{
    device_id: string
  }>`select device_id from device_directive where payload->>'command' = 'look' order by 1`.execute(house.db)
  expect(told.rows.map(({ device_id }) => device_id)).toEqual(expect.arrayContaining([first.device_id, second.device_id]))
  // One alone, and all again: each has one wish.
  await ada.call(updateAgent, { params: { asset_id: first.asset_id } })
  expect((await ada.call(bulk.startBulkChange, { body })).body).toMatchObject({ changed: 2 })
  expect(await house.db.selectFrom('agent_update').select('device_id').execute()).toHaveLength(2)
})

test('a server without an agent says so', async () => {
  await using bare = await openHouse()
  const owner = await bare.newOwner()
  const asset = await addAsset(bare, owner)
  const body = { action: 'update_agent' as const, asset_ids: [asset.id] }
  expect(await owner.call(bulk.startBulkChange, { body })).toMatchObject({ status: 409, body: { code: 'agent_up_to_date' } })
})
