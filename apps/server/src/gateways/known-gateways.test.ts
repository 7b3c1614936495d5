import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { Gateways } from './known-gateways.ts'
import { openMeteredHouse } from '../metering/test-network.ts'

test('one connection listens for changes, however often it had to begin anew', async () => {
  await using house = await openMeteredHouse({ meter: false })
  const gateways = new Gateways({ db: house.db, databaseUrl: house.databaseUrl, log: house.app.log })
  const listeners = sql`from pg_stat_activity where application_name = 'masthead meter gateways' and datname = current_database()`
  const listening = async () => (await sql<{ n: number }>`select count(*) as n ${listeners}`.execute(house.db)).rows[0]!.n
  await gateways.start()
  try {
    const away = new Error('the database is away')
    const tries = vi.spyOn(globalThis, 'setTimeout')
    const refresh = vi.spyOn(gateways, 'refresh').mockRejectedValueOnce(away)
    await sql`select pg_terminate_backend(pid) ${listeners}`.execute(house.db)
    await expect.poll(() => refresh.mock.calls.length).toBe(2)
    // Once for the connection that was lost, and once for the one that could not read: no second one is to come.
    expect(tries.mock.calls.filter(([, ms]) => ms === 500)).toHaveLength(2)
    expect(await listening()).toBe(1)
    await house.db.updateTable('gateway_address').set({ address: '198.51.100.9' }).execute()
    await expect.poll(() => gateways.byAddress('198.51.100.9')?.id).toBe(house.gateway_id)
  } finally {
    vi.restoreAllMocks()
    await gateways.stop()
  }
})

test('what a gateway sent while its count could not be written is counted later', async () => {
  await using house = await openMeteredHouse({ meter: false })
  const gateways = new Gateways({ db: house.db, databaseUrl: house.databaseUrl, log: house.app.log })
  const [gateway, at] = [{ address_id: house.address_id }, house.clock.now().getTime()]
  gateways.heard(gateway, at)
  gateways.heard(gateway, at + 1000)
  await sql`alter table gateway_address rename to not_there`.execute(house.db)
  await expect(gateways.saveHeard()).rejects.toThrow('gateway_address')
  await sql`alter table not_there rename to gateway_address`.execute(house.db)
  gateways.heard(gateway, at - 1000) // the clock was set back
  await gateways.saveHeard()
  await gateways.saveHeard()
  const saved = await house.db.selectFrom('gateway_address').select(['heard_at', 'packets']).executeTakeFirstOrThrow()
  expect(saved).toEqual({ heard_at: new Date(at + 1000), packets: 3 })
})
