import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMeteredHouse, readingOf, stored } from './test-network.ts'

test('a batch reads the limits of its SIMs alone, however many there are, and however old the figures of the planner', async () => {
  await using house = await openMeteredHouse()
  const { account_id } = house.owner
  const sims = await Promise.all(Array.from({ length: 20 }, () => house.newSim()))
  const put = (column: string, ids: readonly string[]) =>
    sql`insert into usage_limit (account_id, id, ${sql.ref(column)}, period, bytes)
      select ${account_id}, 'lim_' || id, id, 'month', 1000000 from unnest(${ids}::text[]) as k(id)`.execute(house.db)
  // To the planner an account has a few limits.
  await sql`analyze usage_limit`.execute(house.db)
  const others = await Promise.all(Array.from({ length: 20 }, () => house.newSim()))
  await put(
    'sim_id',
    others.map(({ id }) => id)
  )
  await sql`insert into network_group (account_id, id, name) select ${account_id}, 'grp_' || i, 'Group ' || i from generate_series(0, 1999) i`.execute(
    house.db
  )
  await put(
    'group_id',
    Array.from({ length: 2000 }, (_, i) => `grp_${i}`)
  )
  await house.db.updateTable('sim').set({ group_id: 'grp_7' }).execute()
  await house.restartMeter()
  await Promise.all(sims.map((sim, i) => stored(house, readingOf(house, sim, { acct_session_id: `s${i}` }))))
  await house.client.access({ imsi: sims[0]!.imsi })
  // What a connection has read is known once it is closed.
  await house.restartMeter()
  const { rows } = await sql<{ read: number }>`select sum(idx_tup_read)::int as read from pg_stat_user_indexes
    where relname = 'usage_limit'`.execute(house.db)
  expect(rows[0]!.read).toBeLessThan(1000)
})
