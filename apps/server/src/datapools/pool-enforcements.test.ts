import { listActivities } from '@masthead/contract/activities/operations'
import { getEnforcement, listEnforcements } from '@masthead/contract/assets/enforcement-operations'
import { updateDataPool } from '@masthead/contract/datapools/operations'
import { expect, test } from 'vitest'
import { chainEvents } from '../activities/chain-events.ts'
import { packetOf, type TestSim } from '../metering/test-network.ts'
import { blocksOf, confirmCuts, join, openPooledHouse, poolOf, week } from './test-pooled-house.ts'
import { putPool } from './test-pools.ts'
test('a pool that is used up is proved for each SIM that had a session open, until it has data again', async () => {
  await using house = await openPooledHouse()
  const [crossing, open, idle] = [await house.newSim(), await house.newSim(), await house.newSim()]
  confirmCuts(house)
  const pool_id = await putPool(house, house.owner, week)
  await join(house, pool_id, [crossing, open, idle])
  await house.client.account(packetOf(open, 'interim', { id: 'b', time: 60, up: 300 }))
  await house.client.account(packetOf(crossing, 'interim', { id: 'a', time: 60, up: 500 }))
  house.clock.advance({ seconds: 30 })
  await house.client.account(packetOf(crossing, 'interim', { id: 'a', time: 90, up: 740 }))
  const reached_at = house.clock.now().toISOString()
  house.clock.advance({ seconds: 1 })
  await house.client.account(packetOf(open, 'interim', { id: 'b', time: 91, up: 305 }))
  await house.settle()
  while (await chainEvents(house.app));
  const { items } = (await house.owner.call(listEnforcements, {})).body
  const of = (sim: TestSim) => items.find(({ asset_id }) => asset_id === sim.asset_id)
  expect(items).toHaveLength(2)
  const limit = { pool: { id: pool_id, name: expect.any(String) }, limit_period: 'term', limit_bytes: 1000, reached_at, by_change: false }
  // Its own bytes beyond the pool, whoever else took some.
  expect(of(crossing)).toMatchObject({ ...limit, overshoot_bytes: 40, request_ms: 1000, answer: 'ack' })
  expect(of(open)).toMatchObject({ ...limit, overshoot_bytes: 5, latency_ms: 1000, lifted_at: null })
  const proof = await house.owner.call(getEnforcement, { params: { enforcement_id: of(crossing)!.id } })
  expect(proof.body).toMatchObject({
    decision: { metadata: { action: 'pool_exhausted' } },
    chain: { unchanged: true },
    session: { acct_session_id: 'a', end_cause: 'Cut by Masthead' },
  })
  const { name } = await poolOf(house, pool_id)
  const sentences = (await house.owner.call(listActivities, {})).body.items.map(({ sentence }) => sentence).join('\n')
  expect(sentences).toMatch(/confirmed by the gateway 1\.0 s after its data pool was used up, 5 B beyond it/)
  expect(sentences).not.toContain('its data limit was reached')
  const blocks = await house.db.selectFrom('sim').select('blocks').execute()
  expect(blocks).toHaveLength(3)
  for (const { blocks: held } of blocks)
    expect(held).toMatchObject([
      {
        words: `The data pool ${name} is used up`,
        clears: 'On 27 November, 00:00 UTC, when the term ends, or when the pool gets more data',
      },
    ])
  // With data again all of it is over.
  await house.owner.call(updateDataPool, { params: { pool_id }, body: { overage_policy: 'payg' } })
  await house.settle()
  const lifted = (await house.owner.call(listEnforcements, {})).body.items
  expect(lifted.map(({ lifted_at }) => lifted_at)).toEqual([house.clock.now().toISOString(), house.clock.now().toISOString()])
})

test('a dynamic pool that is used up has data again with a SIM that comes, whoever brings it', async () => {
  await using house = await openPooledHouse()
  const [one, two] = [await house.newSim(), await house.newSim()]
  const pool_id = await putPool(house, house.owner, { ...week, kind: 'dynamic', size_bytes: 100 })
  await join(house, pool_id, [one])
  await house.client.account(packetOf(one, 'interim', { id: 'a', time: 60, up: 100 }))
  await house.settle()
  expect(await blocksOf(house, one)).toEqual(['pool_exhausted'])
  await join(house, pool_id, [two])
  await house.settle()
  expect(await blocksOf(house, one, two)).toEqual(['', ''])
  expect(await poolOf(house, pool_id)).toMatchObject({ state: 'active', size_bytes: 200, used_bytes: 100 })
})

test('a dynamic pool notifies of no threshold before it has SIMs, and of each again where SIMs made it larger', async () => {
  await using house = await openPooledHouse()
  const [one, two] = [await house.newSim(), await house.newSim()]
  const pool_id = await putPool(house, house.owner, { ...week, kind: 'dynamic', size_bytes: 100 })
  await house.owner.call(updateDataPool, { params: { pool_id }, body: { name: 'Renamed' } })
  const told = async () =>
    (await house.events(house.owner.account_id))
      .filter(({ name }) => name === 'datapools.pool_threshold_reached')
      .map(({ detail }) => detail.percent)
  expect(await told()).toEqual([])
  await join(house, pool_id, [one])
  await house.client.account(packetOf(one, 'interim', { id: 'a', time: 60, up: 85 }))
  await house.settle()
  expect(await told()).toEqual([80])
  await join(house, pool_id, [two])
  await house.settle()
  await house.client.account(packetOf(one, 'interim', { id: 'a', time: 120, up: 165 }))
  await house.settle()
  expect(await told()).toEqual([80, 80])
})
