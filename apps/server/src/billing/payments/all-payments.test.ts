import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { PaymentsQuery } from '@masthead/contract/backoffice/money-operations'
import { openHouse } from '@masthead/testkit/house'
import { openBilling } from '../ledger/test-ledger.ts'
import { plansOf } from '../test-plans.ts'
import { listAllPayments } from './all-payments.ts'

test('the newest payments of all accounts are found by an index, however many there are', async () => {
  await using house = await openHouse()
  const { account_id } = await house.newOwner()
  await openBilling(house, account_id)
  await sql`insert into top_up (account_id, id, state, amount_micros, currency, source, method_id, card_name, begun_by, begun_at)
    select ${account_id}, 'pay_' || lpad(i::text, 26, '0'), 'failed', 10000000, 'USD', 'card', 'pm_1', 'Visa ending in 4242', 'owner@example.test', now()
    from generate_series(1, 20000) i`.execute(house.db)
  await sql`analyze top_up`.execute(house.db)
  const [page] = await plansOf(house.db, (db) => listAllPayments(db, null, { page: 1, page_size: 25 }))
  expect(page?.query).toContain('"top_up"')
  expect(page?.plan).toMatch(/Index Scan Backward using top_up_id on top_up/)
  expect(page?.plan).not.toMatch(/Seq Scan on top_up|\bSort\b/)
})

test('the few that failed or were taken back are found by indexes of their own', async () => {
  await using house = await openHouse()
  const { account_id } = await house.newOwner()
  await openBilling(house, account_id)
  await sql`insert into top_up (account_id, id, state, amount_micros, currency, source, method_id, card_name, begun_by, begun_at, refunded_micros, disputed_at)
    select ${account_id}, 'pay_' || lpad(i::text, 26, '0'), case i % 500 when 0 then 'failed' else 'succeeded' end, 10000000, 'USD', 'card', 'pm_1',
      'Visa ending in 4242', 'owner@example.test', now(), case i % 500 when 1 then 5000000 else 0 end, case i % 500 when 1 then now() end
    from generate_series(1, 20000) i`.execute(house.db)
  await sql`analyze top_up`.execute(house.db)
  const page = { page: 1, page_size: 25 }
  const filters: [Partial<PaymentsQuery>, string][] = [
    [{ state: ['failed'] }, 'top_up_failed'],
    [{ returned: 'refunded' }, 'top_up_returned'],
    [{ returned: 'disputed' }, 'top_up_returned'],
  ]
  for (const [query, index] of filters) {
    const plans = await plansOf(house.db, (db) => listAllPayments(db, null, { ...page, ...query }))
    expect(plans.length).toBeGreaterThan(0)
    for (const { plan } of plans) {
      expect(plan).toContain(index)
      expect(plan).not.toContain('Seq Scan on top_up')
    }
  }
})
