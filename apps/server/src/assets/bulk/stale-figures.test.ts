import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { openHouse } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addMany } from './test-many.ts'

test('a change of some assets reads these alone, also where all stock was loaded after the figures of the planner', async () => {
  await using house = await openHouse()
  const [other, ada] = [await house.newOwner(), await house.newOwner()]
  await addMany(house, other, 240)
  await sql`analyze`.execute(house.db)
  await addMany(house, ada, 1000)
  const assets = await house.db.selectFrom('asset').select('id').where('account_id', '=', ada.account_id).orderBy('id').limit(100).execute()
  const asset_ids = assets.map(({ id }) => id)
  /** How many rows a call reads of all tables. */
  const readBy = async (call: () => Promise<{ body: { changed: number } }>) => {
    const read = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(house.db)
      const { rows } = await sql<{ read: number }>`select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read
        from pg_stat_user_tables`.execute(house.db)
      return rows[0]!.read
    }
    const before = await read()
    const { changed } = (await call()).body
    return { changed, read: (await read()) - before }
  }
  for (const more of [
    { action: 'set_network_group', network_group: 'default_1gb' },
    { action: 'set_limit', limit: { bytes: 5_000_000, period: 'month' } },
    { action: 'raise_limit', raise_bytes: 6_000_000 },
    { action: 'imei_lock', imei_lock: 'lock' },
    { action: 'activate_sim' },
    { action: 'switch_off' },
  ]) {
    const body = { ...more, asset_ids } as never
    for (const [name, op] of Object.entries({ preview: bulk.previewBulkChange, change: bulk.startBulkChange })) {
      const { changed, read } = await readBy(() => ada.call(op, { body }))
      expect(changed, `${more.action}, ${name}`).toBe(100)
      // A hundred assets, each for each of the account's, would be 100,000.
      expect(read, `${more.action}, ${name}`).toBeLessThan(50_000)
    }
  }
})
