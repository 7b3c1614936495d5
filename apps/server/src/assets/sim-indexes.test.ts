import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('no index of all SIMs but that of their ids has the account, so that no look-up by id reads a whole account', async () => {
  // Where the planner believes the table empty, all indexes that a look-up may use cost it the same, and it takes the newest.
  const { rows } = await sql<{ name: string; columns: string[] }>`select i.indexrelid::regclass::text as name,
      array(select pg_get_indexdef(i.indexrelid, n, true) from generate_series(1, i.indnkeyatts) n order by n) as columns
    from pg_index i where i.indrelid = 'sim'::regclass and i.indpred is null order by 1`.execute(house.db)
  const ofAccounts = rows.filter(({ columns }) => columns.includes('account_id'))
  expect(ofAccounts).toEqual([{ name: 'sim_pkey', columns: ['account_id', 'id'] }])
})

test('a SIM is found by its id also where the planner believes that there are none, and the SIMs of an asset by theirs', async () => {
  const { account_id } = await house.newOwner()
  await house.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx) // SIMs without their assets
    await sql`insert into sim (account_id, id, asset_id, iccid, state)
      select ${account_id}, 'sim_' || n, 'ast_' || n, '8931' || lpad(n::text, 15, '0'), 'active' from generate_series(1, 5000) n`.execute(
      tx
    )
    // It counts nothing that is not committed yet, as when the database counts while stock is first loaded.
    await sql`analyze sim`.execute(house.db)
  })
  const { rows } = await sql`select reltuples::int as believed, relpages > 0 as has_pages from pg_class
    where oid = 'sim'::regclass`.execute(house.db)
  expect(rows).toEqual([{ believed: 0, has_pages: true }])
  const planOf = async (condition: ReturnType<typeof sql>) => {
    const found = await sql`explain (costs off) select from only sim x
      where account_id = ${account_id} and ${condition} for key share of x`.execute(house.db)
    return JSON.stringify(found.rows)
  }
  // As a foreign key asks for it.
  expect(await planOf(sql`id = 'sim_7'`)).toContain('sim_pkey')
  await sql`analyze sim`.execute(house.db)
  expect(await planOf(sql`id = 'sim_7'`)).toContain('sim_pkey')
  expect(await planOf(sql`asset_id = 'ast_7'`)).toContain('sim_of_asset')
  expect(await planOf(sql`asset_id = any(array['ast_7', 'ast_8', 'ast_9'])`)).toContain('sim_of_asset')
})
