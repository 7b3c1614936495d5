import { openHouse } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listTransactions } from './ledger-queries.ts'
import { charging, newAccount, postAll } from './test-ledger.ts'

test('credits are found without the charges among which they stand', async () => {
  await using house = await openHouse()
  const account_id = await newAccount(house, 'many')
  const credits = Array.from({ length: 5 }, (_, n) => charging(account_id, `credit:${n}`, 50_000_000))
  const charges = Array.from({ length: 4000 }, (_, n) => charging(account_id, `charge:${n}`, -1))
  await postAll(house, [...credits, ...charges])
  await sql`analyze ledger_transaction`.execute(house.db)
  await house.db.connection().execute(async (one) => {
    const rowsRead = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(one)
      const { rows } = await sql<{ read: number }>`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
        from pg_stat_user_tables where relname = 'ledger_transaction'`.execute(one)
      return rows[0]!.read
    }
    const before = await rowsRead()
    const page = await listTransactions(one, { account_id, tags: [] }, { type: ['credit'], page: 1, page_size: 2 } as never)
    expect(page).toMatchObject({ total: 5, items: [{ type: 'credit' }, { type: 'credit' }] })
    expect((await rowsRead()) - before).toBeLessThan(100)
  })
})
