import { pino } from 'pino'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listRefusedSenders } from '@masthead/contract/backoffice/refused-sender-operations'
import { updateGateway } from '@masthead/contract/backoffice/gateway-operations'
import { enterStaff, type Staff } from '../backoffice/test-backoffice.ts'
import { openMeteredHouse, packetOf, type MeteredHouse } from '../metering/test-network.ts'
import { RefusedSenders } from './refused-senders.ts'
import { putGateway } from './test-gateway.ts'

let house: MeteredHouse
let staff: Staff
beforeAll(async () => {
  house = await openMeteredHouse()
  staff = await enterStaff(house)
})
beforeEach(() => house.db.deleteFrom('refused_sender').execute())
afterAll(() => house[Symbol.asyncDispose]())

const at = Date.UTC(2026, 10, 1)
/** A collector of its own, with what it writes to the log. */
function collector() {
  const lines: { address?: string; packets: number; msg: string }[] = []
  const log = pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { refused: new RefusedSenders({ db: house.db, log }), lines }
}
const listed = async (query = {}) => (await staff.call(listRefusedSenders, { query })).body.items
const rows = () => house.db.selectFrom('refused_sender').selectAll().orderBy('last_at', 'desc').execute()

test('staff see who was not believed or cannot be read, and why, and nobody is answered', async () => {
  const { client, meter, db } = house
  house.clock.advance({ minutes: 2 }) // past the time that the database has for the gateway's address
  const sim = await house.newSim()
  const fine = () => client.account(packetOf(sim, 'start'))
  expect(await client.isSilent(() => client.account(packetOf(sim, 'start'), { secret: 'wrong' }), fine)).toBe(true)
  const access = () => client.access({ imsi: sim.imsi })
  expect(await client.isSilent(() => client.access({ imsi: sim.imsi }, { secret: 'wrong' }), access)).toBe(true)
  expect(await client.isSilent(() => client.access({ imsi: sim.imsi }, { message_authenticator: false }), access)).toBe(true)
  expect(await client.isSilent(() => client.account({ acct_status_type: 3, imsi: sim.imsi }), fine), 'no session id').toBe(true)
  client.send(Buffer.from('anything'))
  await fine() // came after it to the same port
  await db.updateTable('gateway_address').set({ address: '127.0.0.99' }).execute()
  await meter.gateways.refresh()
  client.send(Buffer.from('anything'))
  await expect.poll(() => meter.refused.size).toBe(4)
  await db.updateTable('gateway_address').set({ address: '127.0.0.1' }).execute()
  await meter.gateways.refresh()
  await meter.refused.save()
  const gateway = { id: house.gateway_id, name: 'Test gateway', disabled: false }
  const time = house.clock.now().toISOString()
  const row = { address: '127.0.0.1', first_at: time, last_at: time, gateway }
  expect((await listed()).toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
    { ...row, kind: 'malformed', packets: 2 },
    { ...row, kind: 'message_authenticator', packets: 2 },
    { ...row, kind: 'unknown_address', packets: 1 },
    { ...row, kind: 'wrong_secret', packets: 1 },
  ])
  expect(await listed({ kind: 'wrong_secret' })).toHaveLength(1)
  expect(meter.figures.text(), 'figures have no address').not.toContain('127.0.0.1')
})

test('what an address sent before a gateway got it is over; one that is off is shown as such', async () => {
  const { refused } = collector()
  const first = Date.now() - 60_000
  refused.add('198.51.100.1', 'unknown_address', first)
  refused.add('2001:db8::1', 'unknown_address', first)
  await refused.save()
  expect(await listed()).toMatchObject([{ gateway: null }, { gateway: null }])
  const { gateway_id } = await putGateway(house.db, { name: 'pgw', address: '198.51.100.1', created_at: new Date() })
  expect(await listed()).toMatchObject([{ address: '2001:db8::1' }])
  expect(await listed({ search: '198.' })).toEqual([])
  await staff.call(updateGateway, { params: { gateway_id }, body: { disabled: true } })
  const later = Date.now() + 1000
  refused.add('198.51.100.1', 'unknown_address', later)
  await refused.save()
  expect(await listed({ search: '198.' })).toMatchObject([
    { packets: 2, first_at: new Date(first).toISOString(), gateway: { id: gateway_id, disabled: true } },
  ])
})

test('counts of several meters add up, and what could not be saved is saved later', async () => {
  const [one, other] = [collector().refused, collector().refused]
  one.add('198.51.100.2', 'wrong_secret', at + 5)
  one.add('198.51.100.2', 'wrong_secret', at + 9)
  other.add('198.51.100.2', 'wrong_secret', at + 2)
  await sql`alter table refused_sender rename to not_there`.execute(house.db)
  await expect(one.save()).rejects.toThrow('refused_sender')
  await sql`alter table not_there rename to refused_sender`.execute(house.db)
  one.add('198.51.100.2', 'wrong_secret', at + 7)
  await Promise.all([one.save(), one.save(), other.save()])
  await one.save()
  expect(await rows()).toEqual([
    { address: '198.51.100.2', kind: 'wrong_secret', packets: 4, first_at: new Date(at + 2), last_at: new Date(at + 9) },
  ])
})

test('a flood of made-up addresses fills neither memory nor table nor log', async () => {
  const { refused, lines } = collector()
  const send = (from: number, count: number, time: number) => {
    for (let n = from; n < from + count; n++) refused.add(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, 'unknown_address', time)
  }
  for (let lot = 0; lot < 4; lot++) {
    send(lot * 5000, 5000, at + lot)
    await refused.save()
  }
  expect(refused.size).toBe(1000)
  expect(lines).toHaveLength(100)
  const kept = await rows()
  expect(kept).toHaveLength(1000)
  expect(kept[0]!.last_at).toEqual(new Date(at + 3))
  expect(await listed({ page_size: '100', page: '10' })).toHaveLength(100)
  refused.add('203.0.113.1', 'wrong_secret', at + 60_000)
  expect(lines.slice(100)).toMatchObject([
    { packets: 19_900, msg: 'RADIUS of many more senders was dropped in the minute before' },
    { address: '203.0.113.1', packets: 1 },
  ])
})

test('each sender has a line of the log a minute', () => {
  const { refused, lines } = collector()
  for (let second = 0; second < 150; second++) {
    refused.add('203.0.113.2', 'unknown_address', at + second * 1000)
    refused.add('203.0.113.2', 'wrong_secret', at + second * 1000)
  }
  expect(lines.map(({ packets }) => packets)).toEqual([1, 1, 60, 60, 60, 60])
})

test('after a clock was far ahead, senders are in the log and in the table as before', async () => {
  const { refused, lines } = collector()
  const ahead = at + 365 * 86_400_000
  for (let n = 0; n < 1000; n++) refused.add(`10.0.${n >> 8}.${n & 255}`, 'unknown_address', ahead)
  await refused.save()
  expect(await rows()).toHaveLength(1000)
  refused.add('10.0.0.0', 'unknown_address', at)
  refused.add('203.0.113.3', 'unknown_address', at)
  expect(lines.slice(100).flatMap(({ address }) => address ?? [])).toEqual(['10.0.0.0', '203.0.113.3'])
  await refused.save()
  const kept = await rows()
  expect(kept).toHaveLength(1000)
  const now = { last_at: new Date(at), first_at: new Date(at) }
  expect(kept.filter(({ last_at }) => last_at.getTime() === at)).toMatchObject([now, now])
})

test('only who manages networks sees them', async () => {
  const plain = await enterStaff(house, ['backoffice'])
  expect(await plain.call(listRefusedSenders)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect((await staff.call(listRefusedSenders, { query: { after: 'WzEsMiwzXQ' } })).status).toBe(400)
})
