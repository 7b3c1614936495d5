import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { packetOf } from '../metering/test-network.ts'
import { updateDataPool } from '@masthead/contract/datapools/operations'
import { join, openPooledHouse, week } from './test-pooled-house.ts'
import { putPool } from './test-pools.ts'

/** More than one part. */
const count = 1100

test('the rows of many SIMs follow their pool, a part beside another, each once', async () => {
  await using house = await openPooledHouse()
  const { account_id } = house.owner
  const user = await house.newSim()
  const pool_id = await putPool(house, house.owner, week)
  await join(house, pool_id, [user])
  const n = sql`generate_series(1, ${count}::int) n`
  await sql`insert into asset (account_id, id, type, serial, name)
    select ${account_id}, 'ast_many' || n, 'plastic_sim', 'MANY' || n, 'many' from ${n}`.execute(house.db)
  await sql`insert into sim (account_id, id, asset_id, iccid, state)
    select ${account_id}, 'sim_many' || n, 'ast_many' || n, (8944500000001000000 + n)::text, 'active' from ${n}`.execute(house.db)
  await sql`insert into data_pool_asset (account_id, pool_id, asset_id, added_at)
    select ${account_id}, ${pool_id}, 'ast_many' || n, now() from ${n}`.execute(house.db)
  await sql`select follow_pools(${account_id}, array(select 'ast_many' || n from ${n}))`.execute(house.db)
  const held = async () => {
    await house.settle()
    const { rows } = await sql<{
      sims: number
      blocks: number
      shown: number
    }>`select count(*)::int as sims, sum(jsonb_array_length(blocks))::int as blocks,
      (select count(*) from asset where account_id = ${account_id} and sim_status = 'blocked')::int as shown
      from sim where account_id = ${account_id} and pool_id = ${pool_id} and blocks @> '[{"code":"pool_exhausted"}]'`.execute(house.db)
    return rows[0]
  }
  await house.client.account(packetOf(user, 'interim', { id: 'a', time: 60, up: 5000 }))
  expect(await held()).toEqual({ sims: count + 1, blocks: count + 1, shown: count + 1 })
  await house.owner.call(updateDataPool, { params: { pool_id }, body: { overage_policy: 'payg' } })
  expect(await held()).toEqual({ sims: 0, blocks: null, shown: 0 })
})
