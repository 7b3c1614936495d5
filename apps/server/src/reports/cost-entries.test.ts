import { openHouse } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { charging, openBilling, postAll } from '../billing/ledger/test-ledger.ts'
import { openBilledHouse } from '../billing/rating/test-billed.ts'
import { settleCharges } from '../billing/settling/settle.ts'
import { join } from '../datapools/test-pooled-house.ts'
import { putPool } from '../datapools/test-pools.ts'
import { packetOf } from '../metering/test-network.ts'
import { addAsset, addTag } from '../usage/test-usage.ts'
import { makingIn } from './test-report.ts'

test('terms of data pools and refunds are lines too, those of chosen assets alone where some are; fees of a removed SIM stay', async () => {
  await using house = await openHouse()
  const owner = await house.newOwner('Acme')
  const { account_id } = owner
  const pump = await addAsset(house, owner, { name: '=pump', tags: [await addTag(house, owner, 'north')] })
  await addAsset(house, owner, { name: 'meter' })
  const { made } = makingIn(() => house)
  const today = house.clock.now().toISOString().slice(0, 10)
  await openBilling(house, account_id)
  const at = house.clock.now()
  const term = {
    sub_type: 'data_pool',
    usage_from: at,
    usage_to: at,
    quantity: 1,
    unit: 'term',
    unit_price_micros: 60_000_000,
    pool_id: 'pol_1',
  }
  const refund = { type: 'refund', against: 'revenue', source: 'staff', reason: 'Twice' } as const
  await postAll(house, [
    charging(account_id, 'credits', 90_000_000),
    charging(account_id, 'term', -60_000_000, { ...term, description: 'Data pool Global' }),
    charging(account_id, 'back', 5_000_000, { ...refund, sub_type: 'data_pool', description: 'Refund: Data pool Global' }),
    charging(account_id, 'fee', 2_000_000, { ...refund, sub_type: 'sim_monthly', description: 'Refund: fee', asset_id: pump.asset_id }),
    charging(account_id, 'usage', -1_000_000, { source: 'usage' }),
    charging(account_id, 'before', -7_000_000, { ...term, effective_at: new Date('2026-01-15T10:00:00Z') }),
  ])
  const month = `${today.slice(0, 7)}-01`
  await sql`insert into sim_fee values (${account_id}, ${month}, 'sim_active', 'sim_gone', 1600000, ${at})`.execute(house.db)
  await sql`insert into cost_sim values (${account_id}, ${month}, 'sim_gone', 'sim_active', 1600000, 0)`.execute(house.db)
  const lines = async (of: object) =>
    (await made(owner, { kind: 'costs', start: today, end: today, ...of })).rows.map((row) => [
      row.kind,
      row.amount_micros,
      row.asset_name,
      row.description,
      row.reason,
    ])
  const ofPump = ['Refund', '-2000000', "'=pump", 'Refund: fee', 'Twice']
  expect(await lines({})).toEqual([
    ['Active SIM', '1600000', 'Removed SIM', '', ''],
    ['Data pool', '60000000', '', 'Data pool Global', ''],
    ['Refund', '-5000000', '', 'Refund: Data pool Global', 'Twice'],
    ofPump,
  ])
  expect(await lines({ tags: ['north'] })).toEqual([ofPump])
  expect(await lines({ q: 'meter' })).toEqual([])
})

test('a line of data says the zone by its name, and which data pool it goes beyond', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  const { made } = makingIn(() => house)
  const [sim, other] = [await house.newSim(), await house.newSim()]
  const pool_id = await putPool(house, house.owner, { size_bytes: 1_000_000, overage_policy: 'payg' })
  await join(house, pool_id, [sim])
  const { name } = await house.db.selectFrom('data_pool').select('name').where('id', '=', pool_id).executeTakeFirstOrThrow()
  for (const { imsi } of [sim, other])
    await house.client.account(packetOf({ imsi } as never, 'interim', { id: imsi, time: 60, up: 3_000_000, sgsn_mccmnc: '26201' }))
  await settleCharges(house.app)
  const day = house.clock.now().toISOString().slice(0, 10)
  const { rows } = await made(house.owner, { kind: 'costs', start: day, end: day })
  const { name: zone_name } = await house.db.selectFrom('tariff_zone').select('name').where('id', '=', 'EU1').executeTakeFirstOrThrow()
  const lines = rows.map((row) => [row.kind, row.zone, row.zone_name, row.data_pool, row.bytes, row.records])
  expect(lines.toSorted(([a], [b]) => a!.localeCompare(b!))).toEqual([
    ['Data', 'EU1', zone_name, '', '3000000', '1'],
    ['Data beyond a pool', 'EU1', zone_name, name, '2000000', '1'],
  ])
})

test('costs are of days in UTC wherever whoever asks is: those of a month are those of its invoice', async () => {
  await using house = await openHouse()
  house.clock.set('2026-12-20T12:00:00Z')
  const owner = await house.newOwner('Far west')
  const { account_id } = owner
  await openBilling(house, account_id)
  const { made } = makingIn(() => house)
  const fee = async (month: string, charged_at: string, micros: number) => {
    await sql`insert into sim_fee values (${account_id}, ${month}, 'sim_active', 'sim_west', ${micros}, ${charged_at})`.execute(house.db)
    await sql`insert into cost_sim values (${account_id}, ${month}, 'sim_west', 'sim_active', ${micros}, 0)`.execute(house.db)
  }
  await fee('2026-11-01', '2026-11-01T00:56:00Z', 1_000_000)
  await fee('2026-12-01', '2026-12-01T00:56:00Z', 2_000_000)
  const term = (key: string, at: string, amount: number) =>
    charging(account_id, key, amount, { sub_type: 'data_pool', unit: 'term', unit_price_micros: 0 - amount, effective_at: new Date(at) })
  await postAll(house, [
    charging(account_id, 'credits', 90_000_000),
    term('first', '2026-11-01T00:00:00Z', -3_000_000),
    term('last', '2026-11-30T23:59:59Z', -4_000_000),
    term('next', '2026-12-01T00:00:00Z', -5_000_000),
  ])
  for (const timezone of ['America/Los_Angeles', 'UTC', 'Pacific/Kiritimati']) {
    const { rows } = await made(owner, { kind: 'costs', start: '2026-11-01', end: '2026-11-30', timezone })
    expect(rows.map(({ day, amount_micros }) => [day, amount_micros])).toEqual([
      ['2026-11-01', '1000000'],
      ['2026-11-01', '3000000'],
      ['2026-11-30', '4000000'],
    ])
  }
})
