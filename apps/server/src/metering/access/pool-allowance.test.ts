import { sql } from 'kysely'
import { dictionary } from '@masthead/radius/dictionary'
import { find } from '@masthead/radius/packet'
import { updateDataPool } from '@masthead/contract/datapools/operations'
import { expect, test } from 'vitest'
import { join, openPooledHouse, week } from '../../datapools/test-pooled-house.ts'
import { putPool } from '../../datapools/test-pools.ts'
import { packetOf, type TestSim } from '../test-network.ts'

const usual = [300, 86_400]

test('a SIM is asked to report more often, and to ask again sooner, as its data pools come to their end', async () => {
  await using house = await openPooledHouse()
  const [one, two, alone] = [await house.newSim(), await house.newSim(), await house.newSim({ limit_bytes: 1000 })]
  const pool_id = await putPool(house, house.owner, { ...week, size_bytes: 1000 })
  await join(house, pool_id, [one, two, alone])
  const hints = async ({ imsi }: TestSim, network = '26201') => {
    const reply = await house.client.access({ imsi, sgsn_mccmnc: network })
    return [find(reply, dictionary.acct_interim_interval), find(reply, dictionary.session_timeout)]
  }
  expect(await hints(one)).toEqual(usual)
  await house.client.account(packetOf(one, 'interim', { id: 'a', time: 60, up: 700 }))
  expect(await hints(two)).toEqual(usual)
  // What the other SIM takes counts, too.
  await house.client.account(packetOf(one, 'interim', { id: 'a', time: 120, up: 960 }))
  expect(await hints(two)).toEqual([60, 13_824])
  // Silence of its session is judged by what it was asked for.
  await house.client.account(packetOf(two, 'start', { id: 'b', time: 0, up: 0 }))
  expect(await house.sessionsOf(two)).toMatchObject([{ interim_seconds: 60 }])
  // The nearer of limit and pool.
  await house.client.account(packetOf(alone, 'interim', { id: 'l', time: 60, up: 10 }))
  expect(await hints(alone)).toEqual([60, 10_368])
  // Other data for the same network, more of the same, any amount: something is left again.
  const second = await putPool(house, house.owner, { ...week, size_bytes: 9000 })
  await join(house, second, [two])
  expect([await hints(two), await hints(one)]).toEqual([usual, [60, 10_368]])
  await house.owner.call(updateDataPool, { params: { pool_id }, body: { overage_policy: 'percent', overage_percent: 50 } })
  expect(await hints(one)).toEqual(usual)
  await house.owner.call(updateDataPool, { params: { pool_id }, body: { overage_policy: 'payg' } })
  await house.client.account(packetOf(one, 'interim', { id: 'a', time: 180, up: 1500 }))
  expect(await hints(one)).toEqual(usual)
})

test('a pool with a zone counts only where it has data', async () => {
  await using house = await openPooledHouse()
  for (const [mccmnc, zone] of Object.entries({ '262-01': 'Europe', '310-260': 'America' })) {
    await sql`insert into network (mccmnc, name, country) values (${mccmnc}, ${mccmnc}, 'DE') on conflict do nothing`.execute(house.db)
    await sql`insert into network_rate (mccmnc, effective_from, zone, cost_micros, price_micros, set_by, set_at)
      values (${mccmnc}, '2026-01-01', ${zone}, 0, 0, 'test', now())`.execute(house.db)
  }
  const sim = await house.newSim()
  for (const [zone, size_bytes] of [
    ['Europe', 100],
    ['America', 1_000_000],
  ] as const)
    await join(house, await putPool(house, house.owner, { ...week, zone, size_bytes }), [sim])
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 95, sgsn_mccmnc: '26201' }))
  const intervalIn = async (network: string) =>
    find(await house.client.access({ imsi: sim.imsi, sgsn_mccmnc: network }), dictionary.acct_interim_interval)
  expect([await intervalIn('26201'), await intervalIn('310260'), await intervalIn('20801')]).toEqual([60, 300, 300])
})
