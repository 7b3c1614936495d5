import { openHouse } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { forgetRows } from './forget-rows.ts'

test('rows that are over are deleted in pieces, and no other', async () => {
  await using house = await openHouse()
  await house.db.transaction().execute((tx) =>
    sql`insert into attempt (key, count, window_ends_at)
      select 'k' || n, 1, now() + case when n <= 25 then -1 else 1 end * interval '1 hour' from generate_series(1, 30) n`.execute(tx)
  )
  const begun = vi.spyOn(house.app.db, 'transaction')
  await forgetRows(house.app, 'attempt', sql`window_ends_at <= now()`, 10)
  expect(begun).toHaveBeenCalledTimes(3)
  const left = await house.db.selectFrom('attempt').select('key').orderBy('window_ends_at').execute()
  expect(left.map(({ key }) => key).toSorted()).toEqual(['k26', 'k27', 'k28', 'k29', 'k30'])
})
