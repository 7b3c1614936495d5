import { expect, test } from 'vitest'
import { openBilledHouse } from '../../billing/rating/test-billed.ts'
import { join } from '../../datapools/test-pooled-house.ts'
import { putPool } from '../../datapools/test-pools.ts'
import { type MeteredHouse, packetOf, type TestSim } from '../../metering/test-network.ts'
import { makingIn } from '../test-report.ts'

const account = (house: MeteredHouse, sim: TestSim, time: number, up: number, more: object = {}) =>
  house.client.account(packetOf(sim, 'interim', { id: sim.id, time, up, sgsn_mccmnc: '26201', ...more } as never))
const chargedFor = async (house: MeteredHouse, sim: TestSim) => {
  const rows = await house.db.selectFrom('charge').select('charged_micros').where('sim_id', '=', sim.id).execute()
  return rows.reduce((sum, { charged_micros }) => sum + charged_micros, 0)
}
const days = { start: '2026-11-01', end: '2026-12-31' }

test('records rounded each by itself have the costs that the meter charged for them; those of pools, and of two months, have none', async () => {
  await using house = await openBilledHouse({ rounding_scope: 'record', block_bytes: 1024, kb: 1024 })
  const { made } = makingIn(() => house)
  const [alone, pooled, long] = [await house.newSim(), await house.newSim(), await house.newSim()]
  await join(house, await putPool(house, house.owner, { overage_policy: 'payg', size_bytes: 10_000 }), [pooled])
  await account(house, alone, 60, 300, { framed_ip: '10.1.2.3' })
  await account(house, alone, 120, 2400)
  await account(house, alone, 180, 1_052_400, { sgsn_mccmnc: '310410', framed_ip: '10.1.2.4' })
  await account(house, pooled, 60, 12_000)
  await account(house, long, 60, 1000)
  house.clock.set('2026-11-21T12:00:00Z')
  // Over midnight, in one month and at one price.
  await account(house, alone, 86_580, 1_057_500)
  house.clock.set('2026-12-01T12:00:00Z')
  await account(house, long, 11 * 86_400 + 60, 5000)
  const { rows } = await made(house.owner, { kind: 'records', ...days })
  const of = (sim: TestSim) =>
    rows
      .filter(({ iccid }) => iccid === sim.iccid)
      .map(({ ip, zone, bytes_up, price_micros, cost_micros, currency }) => [ip, zone, bytes_up, price_micros, cost_micros, currency])
  expect(of(alone)).toEqual([
    ['10.1.2.4', 'EU1', '300', '100000', '98', 'USD'],
    ['10.1.2.4', 'EU1', '2100', '100000', '293', 'USD'],
    ['10.1.2.4', 'ROW', '1050000', '2000000', '2003906', 'USD'],
    ['10.1.2.4', 'EU1', '5100', '100000', '488', 'USD'],
  ])
  const costs = rows.filter(({ iccid }) => iccid === alone.iccid).map((row) => Number(row.cost_micros))
  expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(await chargedFor(house, alone))
  expect(await chargedFor(house, pooled)).toBeGreaterThan(0)
  expect(of(pooled).map(([, , , price, cost]) => [price, cost])).toEqual([['100000', '']])
  expect(of(long).map(([, , , price, cost]) => [price, cost])).toEqual([
    ['100000', '98'],
    ['100000', ''],
  ])
})

test('what a SIM may have used within its free test has no cost of its own', async () => {
  await using house = await openBilledHouse({ rounding_scope: 'record', block_bytes: 1024, kb: 1024 })
  const { made } = makingIn(() => house)
  const sim = await house.newSim({ state: 'ready' })
  await house.db.updateTable('sim').set({ test_bytes: 5_000_000 }).where('id', '=', sim.id).execute()
  await account(house, sim, 60, 1_000_000)
  house.clock.advance({ minutes: 5 })
  await house.db.updateTable('sim').set({ state: 'active', activated_at: house.clock.now() }).where('id', '=', sim.id).execute()
  await account(house, sim, 420, 1_001_000)
  house.clock.advance({ minutes: 5 })
  await house.client.account(packetOf(sim, 'interim', { id: 'later', time: 60, up: 2000, sgsn_mccmnc: '26201' } as never))
  const { rows } = await made(house.owner, { kind: 'records', ...days })
  expect(rows.map(({ bytes_up, cost_micros }) => [bytes_up, cost_micros])).toEqual([
    ['1000000', ''],
    ['1000', ''],
    ['2000', '195'],
  ])
})

test('a session is rounded as a whole, so its records have a price and no cost; who does not see the ledger sees neither', async () => {
  await using house = await openBilledHouse({ rounding_scope: 'session', block_bytes: 1024 })
  const { made } = makingIn(() => house)
  const sim = await house.newSim()
  await account(house, sim, 60, 300)
  const priced = ({ price_micros, cost_micros, currency }: Record<string, string>) => [price_micros, cost_micros, currency]
  expect((await made(house.owner, { kind: 'records', ...days })).rows.map(priced)).toEqual([['100000', '', 'USD']])
  const mia = await house.newMember(house.owner, ['reports.view', 'reports.edit', 'usage.view', 'assets.view'])
  expect((await made(mia, { kind: 'records', ...days })).rows.map(priced)).toEqual([['', '', '']])
})
