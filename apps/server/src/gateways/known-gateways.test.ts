import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { getHome } from '@masthead/contract/backoffice/home-operations'
import { enterStaff } from '../backoffice/test-backoffice.ts'
import { Gateways } from './known-gateways.ts'
import { getGateway } from './read-gateways.ts'
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
  gateways.received(gateway, at)
  gateways.received(gateway, at + 1000)
  await sql`alter table gateway_address rename to not_there`.execute(house.db)
  await expect(gateways.saveReceived()).rejects.toThrow('gateway_address')
  await sql`alter table not_there rename to gateway_address`.execute(house.db)
  gateways.received(gateway, at - 1000) // the clock was set back
  await gateways.saveReceived()
  await gateways.saveReceived()
  const saved = await house.db.selectFrom('gateway_address').select(['heard_at', 'packets']).executeTakeFirstOrThrow()
  expect(saved).toEqual({ heard_at: new Date(at + 1000), packets: 3 })
})

test('when our clock was far ahead does not say when a gateway was last seen', async () => {
  await using house = await openMeteredHouse({ meter: false })
  const gateways = new Gateways({ db: house.db, databaseUrl: house.databaseUrl, log: house.app.log })
  const [gateway, now] = [{ address_id: house.address_id }, house.clock.now()]
  const at = now.getTime()
  const staff = await enterStaff(house)
  const silent = async () => (await staff.call(getHome)).body.silent_gateways
  gateways.received(gateway, at + 365 * 86_400_000)
  await gateways.saveReceived()
  expect(await getGateway(house.db, now, house.gateway_id)).toMatchObject({ state: 'silent', heard_at: null, packets: 1 })
  expect(await silent()).toBe(1)
  gateways.received(gateway, at + 365 * 86_400_000)
  gateways.received(gateway, at) // the clock is right again
  await gateways.saveReceived()
  const heard_at = now.toISOString()
  expect(await getGateway(house.db, now, house.gateway_id)).toMatchObject({ state: 'hearing', heard_at, packets: 3 })
  expect(await silent()).toBe(0)
  gateways.received(gateway, at - 3_600_000)
  await gateways.saveReceived()
  expect(await getGateway(house.db, now, house.gateway_id)).toMatchObject({ heard_at })
})

test('a secret that cannot be used is in the log when it becomes so, and hourly', async () => {
  await using house = await openMeteredHouse({ meter: false })
  let lines = 0
  const log = pino({}, { write: () => void lines++ })
  const gateways = new Gateways({ db: house.db, databaseUrl: house.databaseUrl, log })
  const locked = async (secret: string) => {
    await house.db.updateTable('gateway_address').set({ secret }).execute()
    for (let times = 0; times < 3; times++) await gateways.refresh()
    return lines
  }
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
  try {
    expect(await locked('mk1.00000000.AAAA')).toBe(1)
    now.mockReturnValue(3_600_999)
    expect(await locked('mk1.00000000.AAAA')).toBe(1)
    now.mockReturnValue(3_601_000)
    expect(await locked('mk1.00000000.AAAA')).toBe(2)
    expect(await locked('mk1.00000000.BBBB'), 'another one').toBe(3)
    expect(await locked('secret')).toBe(3)
    expect(await locked('mk1.00000000.BBBB')).toBe(4)
  } finally {
    now.mockRestore()
  }
})
