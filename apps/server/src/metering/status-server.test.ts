import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codes } from '@masthead/radius/packet'
import { DatabaseProof, probeDatabase } from './database-proof.ts'
import { getOwnStatusSecret, whyNoStatus } from './own-status.ts'
import { openMeteredHouse, type MeteredHouse } from './test-network.ts'

let house: MeteredHouse
beforeAll(async () => {
  house = await openMeteredHouse({ legacy: true })
})
afterAll(() => house[Symbol.asyncDispose]())

const dropped = (port: 'auth' | 'acct', cause: string) =>
  house.meter.figures.count(`masthead_meter_dropped_total{port="${port}",cause="${cause}"`)

test.each([
  ['auth', codes.access_accept],
  ['acct', codes.accounting_response],
] as const)('Status-Server is answered on the port for %s', async (port, code) => {
  expect((await house.client.status(port)).code).toBe(code)
  expect(house.meter.figures.count(`masthead_meter_status_total{port="${port}"`)).toBe(1)
})

test.each(['auth', 'acct'] as const)('with a bad or no Message-Authenticator there is no answer, on the port for %s', async (port) => {
  const { client } = house
  const fine = () => client.status(port)
  expect(await client.isSilent(() => client.status(port, { secret: 'wrong' }), fine)).toBe(true)
  expect(dropped(port, 'wrong Message-Authenticator')).toBe(1)
  // A legacy gateway is forgiven that in an Access-Request alone.
  expect(await client.isSilent(() => client.status(port, { message_authenticator: false }), fine)).toBe(true)
  expect(dropped(port, 'no Message-Authenticator')).toBe(1)
})

test('a gateway is not seen by it: it reports nothing', async () => {
  await house.client.status('acct')
  await house.meter.gateways.saveReceived()
  expect(await house.db.selectFrom('gateway_address').select(['heard_at', 'packets']).executeTakeFirst()).toEqual({
    heard_at: null,
    packets: 0,
  })
})

test('from an address that no gateway has it is answered to whoever has the secret of the installation, and to nobody else', async () => {
  await using own = await openMeteredHouse()
  await own.db.deleteFrom('gateway_address').execute()
  await own.meter.gateways.refresh()
  const secret = await getOwnStatusSecret(own.app.db)
  const ask = (port: 'auth' | 'acct', by: Buffer) => whyNoStatus({ host: '127.0.0.1', port: own.meter.ports[port], secret: by })
  expect(await Promise.all([ask('auth', secret), ask('acct', secret)])).toEqual([null, null])
  const other = Buffer.alloc(32, 1)
  expect(await ask('acct', other)).toBe('no answer in 3 s')
  expect(own.meter.figures.count('masthead_meter_dropped_total{port="acct",cause="unknown gateway"')).toBe(3)
})

test('it is dropped from 10 s after the last commit on, while the database is away, and answered again by itself', async () => {
  let now = 0
  let away = false
  const proof = new DatabaseProof({ probe: () => probeDatabase(house.db), isAway: () => away, now: () => now })
  expect(await proof.isGood(), 'by a probe').toBe(true)
  await house.database.away()
  now = 9_999
  expect(await proof.isGood()).toBe(true)
  now = 10_000
  expect(await proof.isGood()).toBe(false)
  await house.database.back()
  await expect.poll(() => proof.isGood(), { timeout: 20_000 }).toBe(true)
  now += 10_000
  away = true
  expect(await proof.isGood(), 'what is to be committed waits').toBe(false)
  proof.committed()
  expect(await proof.isGood()).toBe(true)
})

test('a database that only reads is as good as none', async () => {
  const { db, database } = house
  await sql`alter database ${sql.ref(new URL(house.databaseUrl).pathname.slice(1))} set default_transaction_read_only = on`.execute(db)
  await database.away()
  await database.back()
  await expect.poll(() => probeDatabase(db).catch((error: Error) => error.message), { timeout: 20_000 }).toBe(false)
})

test('who asks while the database says nothing is answered together, and not when it is too late', async () => {
  let now = 0
  let asked = 0
  let say = (_good: boolean) => {}
  const probe = () => new Promise<boolean>((resolve) => (asked++, (say = resolve)))
  const proof = new DatabaseProof({ probe, isAway: () => false, now: () => now })
  const both = [proof.isGood(), proof.isGood()]
  now = 12_000
  say(true)
  expect(await Promise.all(both)).toEqual([false, false])
  expect(asked).toBe(1)
  expect(await proof.isGood()).toBe(true)
})
