import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getPackageCosts } from '@masthead/contract/billing/cost-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putPackage, putZones } from '../../datapools/test-pools.ts'
import { openBilling } from '../ledger/test-ledger.ts'
import { putAssignment, putTariff } from '../tariffs/test-tariffs.ts'

const germany = '262-01'
const usa = '310-260'

const use = (house: House, account_id: string, sim_id: string, mccmnc: string, bytes: number, month = '2026-10-01') =>
  sql`insert into usage_month (account_id, sim_id, month, mccmnc, rat, bytes_up, bytes_down)
    values (${account_id}, ${sim_id}, ${month}, ${mccmnc}, 'LTE', ${bytes}, 0)`.execute(house.db)

test('the data of the last month on packages that can be bought, cheapest first, beside what it cost', async () => {
  await using house = await openHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  const owner = await house.newOwner()
  const { account_id } = owner
  const asked = async (month?: string) => (await owner.call(getPackageCosts, { query: month ? { month } : {} })).body
  expect(await asked()).toEqual({ month: '2026-10', currency: null, bytes: 0, charged_micros: 0, items: [] })
  await openBilling(house, account_id)
  await putZones(house, { [germany]: 'Europe', [usa]: 'America' })
  // Germany at 0.10 for a megabyte, the rest at 2.00.
  await putAssignment(house, account_id, await putTariff(house, { effective_from: '2026-01-01' }), { from_day: '2026-01-01' })
  await use(house, account_id, 'sim_a', germany, 300_000_000)
  await use(house, account_id, 'sim_b', germany, 100_000_000)
  await use(house, account_id, 'sim_b', usa, 5_000_000)
  await use(house, account_id, 'sim_c', germany, 900_000_000, '2026-09-01')
  await house.db
    .insertInto('cost_month')
    .values([
      { account_id, month: '2026-10-01', kind: 'payg', country: 'DE', micros: 50_000_000, bytes: 405_000_000 },
      { account_id, month: '2026-10-01', kind: 'sim_active', country: '', micros: 7_000_000, bytes: 0 },
    ])
    .execute()
  const europe = { zone: 'Europe', size_bytes: 200_000_000, price_micros: 15_000_000, overage_policy: 'payg' } as const
  const fixed = await putPackage(house, europe)
  const shared = await putPackage(house, { ...europe, kind: 'dynamic', price_micros: 20_000_000 })
  const everywhere = await putPackage(house, { ...europe, zone: null, size_bytes: 300_000_000, overage_policy: 'stop' })
  // It has no place for two SIMs, it is priced in another currency, it has no price, nobody can buy it any more.
  await putPackage(house, { ...europe, max_sims: 1 })
  await putPackage(house, { ...europe, currency: 'EUR' })
  await putPackage(house, { ...europe, price_micros: 0 })
  await putPackage(house, { ...europe, retired_at: house.clock.now() })
  const { items, ...rest } = await asked()
  expect(rest).toEqual({ month: '2026-10', currency: 'USD', bytes: 405_000_000, charged_micros: 50_000_000 })
  const beyond = 200_000_000
  expect(items.map(({ name: _, ...item }) => item)).toEqual([
    {
      package_id: everywhere,
      kind: 'fixed',
      zone: null,
      sims: 2,
      size_bytes: 300_000_000,
      price_micros: 15_000_000,
      beyond_bytes: 105_000_000,
      stops: true,
      would_micros: 15_000_000,
    },
    // 200 MB beyond it at 0.10, and 5 MB elsewhere at 2.00.
    {
      package_id: fixed,
      kind: 'fixed',
      zone: 'Europe',
      sims: 2,
      size_bytes: 200_000_000,
      price_micros: 15_000_000,
      beyond_bytes: beyond,
      stops: false,
      would_micros: 15_000_000 + 20_000_000 + 10_000_000,
    },
    {
      package_id: shared,
      kind: 'dynamic',
      zone: 'Europe',
      sims: 2,
      size_bytes: 400_000_000,
      price_micros: 40_000_000,
      beyond_bytes: 0,
      stops: false,
      would_micros: 50_000_000,
    },
  ])
  expect(await asked('2026-09')).toMatchObject({ month: '2026-09', bytes: 900_000_000, charged_micros: 0 })
  // It is of the whole account.
  const tag_id = 'tag_north'
  await house.db.insertInto('tag').values({ account_id, id: tag_id, name: 'north', color: 'teal' }).execute()
  const limited = await house.newMember(owner, ['usage.view'], [tag_id])
  expect((await limited.call(getPackageCosts, {})).body).toMatchObject({ bytes: 0, charged_micros: 0, items: [] })
})
