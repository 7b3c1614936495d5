import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import type { Tx } from '../../kernel/app.ts'
import { openBilling } from '../ledger/test-ledger.ts'
import { plansOf } from '../test-plans.ts'
import { closeNext } from './close-months.ts'

test('for an invoice its month is read, and what was posted since the last one, and not the whole ledger', async () => {
  await using house = await openHouse()
  const { account_id } = await house.newOwner()
  await openBilling(house, account_id)
  house.clock.set('2026-11-05T00:00:00Z')
  await house.app.db.transaction().execute(async (tx) => {
    // As years of charges leave it; what is checked of each line as it is posted takes long.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`insert into ledger_transaction (account_id, id, key, number, type, sub_type, amount_micros, balance_after_micros, description, actor, source,
        effective_at, posted_at, quantity, unit, unit_price_micros, zone)
      select ${account_id}, 'led_' || lpad(i::text, 26, '0'), 'usage:' || i, i, 'charge', 'payg_data', -5, -5 * i, 'Data in zone EU1', 'system', 'usage',
        timestamptz '2026-11-05T00:00:00Z' - (20000 - i) * interval '2 hours', timestamptz '2026-11-05T00:00:00Z' - (20000 - i) * interval '2 hours',
        50, 'byte', 100000, 'EU1'
      from generate_series(1, 20000) i`.execute(tx)
    await sql`insert into ledger_entry select t.account_id, t.id, e.line, e.ledger_account, e.amount
      from ledger_transaction t cross join (values (1, 'customer_balance', -5), (2, 'revenue', 5)) e (line, ledger_account, amount)`.execute(
      tx
    )
    await sql`update billing_account set posted = 20000, balance_micros = -100000`.execute(tx)
    await sql`insert into billing_month (account_id, month, closed_at, through_number)
      select account_id, date '2026-09-01', timestamptz '2026-10-04T00:00:00Z', max(number) from ledger_transaction
      where effective_at < timestamptz '2026-10-04T00:00:00Z' group by 1`.execute(tx)
  })
  await sql`analyze ledger_transaction, ledger_entry`.execute(house.db)
  await house.app.db.transaction().execute(async (tx) => {
    const plans = await plansOf(tx, (watched) => closeNext(watched as unknown as Tx, account_id, house.clock.now(), 'Seller'))
    const lines = plans.find(({ query }) => query.includes('from ledger_transaction'))
    expect(lines?.plan).toContain('BitmapOr')
    expect(lines?.plan).toContain('Bitmap Index Scan on ledger_transaction_effective')
    expect(lines?.plan).toContain('Index Scan using ledger_entry_pkey')
    expect(lines?.plan).not.toContain('Seq Scan on ledger_')
  })
})
