import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMeteredHouse, readingOf, stored } from '../../metering/test-network.ts'
import { eraseClosed } from './erase-account.ts'

test('a session that begins while its account is erased goes with it, and what it reports from then on is in quarantine', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const { account_id } = house.owner
  await house.db
    .updateTable('account')
    .set({ erase_at: new Date(house.clock.now().getTime() - 1000) })
    .where('id', '=', account_id)
    .execute()
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(house.db)
    return rows[0]!.n
  }
  // Its sessions are erased, its assets not yet.
  const { erased } = await house.db.transaction().execute(async (tx) => {
    await tx.selectFrom('asset').select('id').where('id', '=', sim.asset_id).forUpdate().execute()
    const erasing = eraseClosed(house.app)
    await expect.poll(waiting).toBe(1)
    expect(await stored(house, readingOf(house, sim))).toBe(true)
    return { erased: erasing }
  })
  await erased
  expect(await house.sessionsOf(sim)).toEqual([])
  expect(await stored(house, readingOf(house, sim, { session_time: 120, counter_up: 5000 }))).toBe(true)
  expect(await house.counter(sim)).toMatchObject({ lifetime_up: 10 })
  expect(await house.sessionsOf(sim)).toEqual([])
  expect(await house.db.selectFrom('quarantine').select(['kind', 'counter_up']).execute()).toEqual([{ kind: 'unknown', counter_up: 5000 }])
})
