import { codes } from '@masthead/radius/packet'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connectionsFor } from '../embedded-postgres/settings.ts'
import { openMeteredHouse, readingOf, stored } from './test-network.ts'

test('a meter takes as many connections as are kept for it, when all it does has to wait', async () => {
  await using house = await openMeteredHouse()
  const sims = await Promise.all(Array.from({ length: 3 }, () => house.newSim()))
  expect((await house.client.access({ imsi: sims[0]!.imsi })).code).toBe(codes.access_accept)
  const readings = Array.from({ length: 1200 }, (_, i) => readingOf(house, sims[i % 3]!, { acct_session_id: `s${i}` }))
  const connections = sql<{ n: number }>`select count(*) as n from pg_stat_activity
    where application_name like 'masthead meter%' and datname = current_database()`
  let work: Promise<unknown>
  await house.db.transaction().execute(async (tx) => {
    await sql`lock table data_session, gateway in access exclusive mode`.execute(tx)
    work = Promise.all([house.meter.ingest.addAll(readings), ...sims.map(() => house.meter.gateways.refresh())])
    const [one, two] = [connectionsFor({ meterProcesses: 1 }), connectionsFor({ meterProcesses: 2 })]
    await expect.poll(async () => (await connections.execute(house.db)).rows[0]!.n).toBe(two - one)
  })
  await work!
})

test('a meter that lost its connections says that it commits nothing, and that it does again', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  expect(await house.meter.whyNoCommit()).toBeNull()
  await house.database.away()
  const counted = stored(house, readingOf(house, sim))
  await expect.poll(() => house.meter.whyNoCommit()).toBe('The meter cannot commit: what gateways report waits and is not answered')
  await house.database.back()
  expect(await counted).toBe(true)
  expect(await house.meter.whyNoCommit()).toBeNull()
})
