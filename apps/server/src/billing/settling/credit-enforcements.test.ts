import { expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import { getEnforcement, listEnforcements } from '@masthead/contract/assets/enforcement-operations'
import { chainEvents } from '../../activities/chain-events.ts'
import { confirmCuts } from '../../datapools/test-pooled-house.ts'
import { packetOf, type TestSim } from '../../metering/test-network.ts'
import { openBilledHouse, topUp } from '../rating/test-billed.ts'
import { followBalances } from './balances.ts'
import { settleCharges } from './settle.ts'

test('that no credits are left is proved for each SIM that had a session open, until there are some again', async () => {
  await using house = await openBilledHouse({}, 1_000_000)
  confirmCuts(house)
  const [spender, other] = [await house.newSim(), await house.newSim()]
  await house.newSim()
  const report = (sim: TestSim, id: string, time: number, up: number) =>
    house.client.account(packetOf(sim, 'interim', { id, time, up, sgsn_mccmnc: '26201' }))
  await report(other, 'o', 60, 10)
  await report(spender, 's', 60, 10_000_000)
  await settleCharges(house.app)
  const reached_at = house.clock.now().toISOString()
  house.clock.advance({ seconds: 1 })
  await report(other, 'o', 61, 510)
  await house.settle()
  while (await chainEvents(house.app));
  const read = async () => (await house.owner.call(listEnforcements, {})).body.items
  const of = async (sim: TestSim) => (await read()).find(({ asset_id }) => asset_id === sim.asset_id)!
  const limit = { limit_period: 'credits', limit_bytes: 0, pool: null, reached_at, by_change: false, lifted_at: null }
  expect(await read()).toHaveLength(2)
  expect(await of(spender)).toMatchObject({ ...limit, overshoot_bytes: 0, request_ms: 1000, answer: 'ack' })
  expect(await of(other)).toMatchObject({ ...limit, overshoot_bytes: 500, latency_ms: 1000 })
  const proof = await house.owner.call(getEnforcement, { params: { enforcement_id: (await of(other)).id } })
  expect(proof.body).toMatchObject({
    decision: { metadata: { action: 'balance_used_up' } },
    chain: { unchanged: true },
    session: { acct_session_id: 'o', end_cause: 'Cut by Masthead' },
  })
  const sentences = (await house.owner.call(listActivities, {})).body.items.map(({ sentence }) => sentence)
  expect(sentences.join('\n')).toMatch(/confirmed by the gateway 1\.0 s after no credits were left, 500 B after that/)
  // Who may not read of the balance reads what was held alone.
  const member = await house.newMember(house.owner, ['assets.view'])
  const seen = await member.call(getEnforcement, { params: { enforcement_id: (await of(other)).id } })
  expect(seen.body).toMatchObject({ decision: null, overshoot_bytes: 500 })
  await followBalances(house.app)
  expect(await read()).toHaveLength(2)
  house.clock.advance({ minutes: 5 })
  await topUp(house, 5_000_000)
  await settleCharges(house.app)
  await house.settle()
  const now = house.clock.now().toISOString()
  expect((await read()).map(({ lifted_at }) => lifted_at)).toEqual([now, now])
})
