import { openHouse } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { charging, openBilling, postAll } from '../billing/ledger/test-ledger.ts'
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
