import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findSessions } from './batch-statements.ts'
import { MeterConnection } from './meter-connection.ts'
import { openMeteredHouse } from './test-network.ts'

test('sessions are looked up one by one also by a plan that was made when there were none', async () => {
  await using house = await openMeteredHouse({ meter: false })
  const db = new MeterConnection(house.databaseUrl)
  await db.open()
  await sql`vacuum analyze data_session`.execute(db.tx) // now it knows that there are none
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (generic_plan) ${sql.raw(findSessions.text)}`.execute(db.tx)
  await db.close()
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toMatch(
    /Index Scan using data_session_key on data_session\s.*\n\s+Index Cond: .*nas = k.nas.*acct_session_id = k.acct_session_id/
  )
})
