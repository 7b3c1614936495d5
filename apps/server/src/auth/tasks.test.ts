import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { openHouse } from '@masthead/testkit/house'
import { authTasks } from './tasks.ts'

test('what ended by itself is forgotten, what still counts stays', async () => {
  await using house = await openHouse()
  const old = await house.newOwner('old')
  const at = house.clock.now()
  const keep = (key: string, hours: number) => ({
    scope: 'x',
    key,
    operation: 'x',
    request_hash: Buffer.alloc(1),
    reply: null,
    created_at: new Date(at.getTime() - hours * 3_600_000),
  })
  await house.db
    .insertInto('idempotency_key')
    .values([keep('young', -24 * 14), keep('old', 1)])
    .execute()
  await house.db
    .insertInto('attempt')
    .values([
      { key: 'over', count: 3, window_ends_at: at },
      { key: 'open', count: 3, window_ends_at: new Date(at.getTime() + 15 * 86_400_000) },
    ])
    .execute()
  house.clock.advance({ days: 14, seconds: 1 })
  const young = await house.newOwner('young')

  for (const task of authTasks) await task.run(house.app, {} as never)

  const names = async (table: string) => (await sql<{ key: string }>`select key from ${sql.table(table)} order by 1`.execute(house.db)).rows
  expect(await names('attempt')).toEqual([{ key: 'open' }])
  expect(await names('idempotency_key')).toEqual([{ key: 'young' }])
  expect(await house.db.selectFrom('session').select('id_hash').execute()).toHaveLength(1)
  expect((await young.call(getUserInfo)).status).toBe(200)
  expect((await old.call(getUserInfo)).status).toBe(401)
})
