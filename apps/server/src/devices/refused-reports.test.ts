import { getDevice } from '@masthead/contract/devices/operations'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReportWriter } from './broker/report-writer.ts'
import { closing, goOnline, openBrokerHouse, type BrokerHouse } from './test-broker.ts'

let house: BrokerHouse
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

type Device = Awaited<ReturnType<BrokerHouse['newDevice']>>

const online = (device: Device) => expect.poll(async () => (await house.find(device.device_id)).online)

test('a report that can never be stored is acknowledged, counted and dropped; the next one is stored', async () => {
  const device = await house.newDevice('agent')
  const { said, say, client } = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  const refused = () => house.broker.figures.counters()['refused_total report']!
  const before = refused()
  const deep = { a: { b: { c: { d: { e: { f: { g: {} } } } } } } }
  const many = Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`k${n}`, n]))
  const never = [{ a: '\0' }, { b: '\ud800' }, [], 'text', deep, many]
  for (const [n, data] of never.entries()) await say({ type: 'data_vitals', data, mid: `bad${n}` })
  await say({ type: 'data_Odd', data: { a: 1 }, mid: 'odd' })
  await say({ type: 'data_vitals', data: { load_1: 1 }, mid: 'good' })
  const mids = [...never.keys()].map((n) => `bad${n}`)
  await expect.poll(() => said.map(({ data }) => data).toSorted()).toEqual([...mids, 'good', 'odd'])
  expect(refused() - before).toBe(never.length + 1)
  expect((await house.find(device.device_id)).reported).toEqual({ vitals: { load_1: 1 } })
  await client.endAsync()
})

test('a report that is larger than what is stored is acknowledged, and the connection goes on', async () => {
  const device = await house.newDevice('agent')
  const { said, say, client } = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  const before = house.broker.figures.counters()['refused_total report']!
  await say({ type: 'data_agent', data: { words: 'x'.repeat(100_000) }, mid: '0-1' })
  await say({ type: 'data_vitals', data: { load_1: 1 }, mid: '0-2' })
  await expect.poll(() => said.map(({ data }) => data)).toEqual(['0-1', '0-2'])
  expect(house.broker.figures.counters()['refused_total report']! - before).toBe(1)
  expect((await house.find(device.device_id)).reported).toEqual({ vitals: { load_1: 1 } })
  // Of what is no report, nothing is known.
  await say({ type: 'data_agent', words: 'x'.repeat(100_000) })
  await say({ type: 'data_vitals', data: { load_1: 2 }, mid: '0-3' })
  await expect.poll(() => said.at(-1)!.data).toBe('0-3')
  await client.endAsync()
})

test('what the database refuses of one device takes no other with it, nor the device itself', async () => {
  await sql`create function refuse_odd() returns trigger language plpgsql as $$ begin
    if new.reported -> 'system' ->> 'board' = 'odd' then raise exception 'odd' using errcode = '22023'; end if; return new; end $$`.execute(
    house.db
  )
  await sql`create trigger refuse_odd before update on device for each row execute function refuse_odd()`.execute(house.db)
  const devices = [await house.newDevice(), await house.newDevice(), await house.newDevice()]
  const there = await Promise.all(devices.map((device, n) => goOnline(house, device, { seq: 0, ts: 100 + n, fresh: true })))
  await Promise.all(there.map(({ say }, n) => say({ type: 'data_system', data: { board: n === 1 ? 'odd' : 'even' }, mid: 'one' })))
  for (const { said } of there) await expect.poll(() => said).toEqual([{ command: 'ack', data: 'one' }])
  const [even, odd] = [await house.find(devices[0]!.device_id), await house.find(devices[1]!.device_id)]
  expect([even.reported, odd.reported]).toEqual([{ system: { board: 'even' } }, {}])
  expect([even.online, odd.online]).toEqual([true, true])
  await there[1]!.say({ type: 'data_system', data: { agent_version: '1.8.3' }, mid: 'two' })
  await expect.poll(() => there[1]!.said).toHaveLength(2)
  expect((await house.find(devices[1]!.device_id)).reported).toEqual({ system: { agent_version: '1.8.3' } })
  await sql`drop trigger refuse_odd on device`.execute(house.db)
  for (const { client } of there) await client.endAsync()
})

test('a full disk is said when it begins and when it is over, however often a write is tried between', async () => {
  const device = await house.newDevice()
  await sql`create sequence tries`.execute(house.db)
  await sql`create function fill_disk() returns trigger language plpgsql as $$ begin
    perform nextval('tries'); raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(house.db)
  await sql`create trigger fill_disk before update on device for each statement execute function fill_disk()`.execute(house.db)
  const said: string[] = []
  const log = pino({}, { write: (line: string) => said.push((JSON.parse(line) as { msg: string }).msg) })
  const { db, clock } = house
  const writer = new ReportWriter({ db, broker: 'full', clock, log, stored: () => {}, refused: () => {} })
  writer.birth(device, { seq: 0, ts: 100, fresh: true }, { sure: true, ip: null })
  const tries = async () => Number((await sql<{ n: string }>`select last_value as n from tries`.execute(db)).rows[0]!.n)
  await expect.poll(tries, { timeout: 20_000 }).toBeGreaterThan(3)
  expect(said).toEqual(['what devices reported is not stored yet'])
  await sql`drop trigger fill_disk on device`.execute(db)
  await online(device).toBe(true)
  await expect.poll(() => said).toEqual(['what devices reported is not stored yet', 'what devices report is stored again'])
  await writer.stop()
})

test('what is published to be retained is taken, and nothing of it is: a subscription brings nothing of before', async () => {
  const device = await house.newDevice()
  const first = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  await first.client.publishAsync(`device/${device.username}/hive`, '{}', { qos: 1, retain: true })
  await online(device).toBe(true)
  first.client.stream.destroy()
  await online(device).toBe(false)
  const client = await house.connect(device)
  const heard: { topic: string; retain: boolean }[] = []
  client.on('packetreceive', (packet) => packet.cmd === 'publish' && heard.push({ topic: packet.topic, retain: packet.retain }))
  const granted = await client.subscribeAsync(`device/${device.username}/directives`, { qos: 1 })
  expect(granted[0]!.qos).toBe(1)
  await client.publishAsync(`device/${device.username}/hive`, JSON.stringify({ type: 'data_system', data: {}, mid: 'last' }), { qos: 1 })
  await expect.poll(() => heard).toEqual([{ topic: `device/${device.username}/directives`, retain: false }])
  await client.endAsync()
})

test('what a device says faster than it is stored is taken up to a bound; the rest is not acknowledged, and so said again', async () => {
  const device = await house.newDevice('agent')
  const { db, clock } = house
  const log = pino({ level: 'silent' })
  const writer = new ReportWriter({ db, broker: 'fast', clock, log, stored: () => {}, refused: () => {} })
  const acknowledged: number[] = []
  const report = (n: number) =>
    writer.report(device, { section: 'agent', keys: { [`k${n}`]: 'x'.repeat(10_000) }, bytes: 10_050 }, () => acknowledged.push(n))
  for (let n = 0; n < 100; n++) report(n)
  await expect.poll(() => acknowledged).toEqual([0, 1, 2, 3, 4, 5])
  const { rows } = await sql<{ bytes: number }>`select length(reported::text) as bytes from device where id = ${device.device_id}`.execute(
    db
  )
  expect(rows[0]!.bytes).toBeLessThan(64 * 1024)
  report(100)
  await expect.poll(() => acknowledged.at(-1)).toBe(100)
  await writer.stop()
})

test('once something of a device was too much, nothing newer of it is taken before it is stored: what is said again would stand over it', async () => {
  const [loud, calm] = [await house.newDevice('agent'), await house.newDevice('agent')]
  const { db, clock } = house
  const log = pino({ level: 'silent' })
  const writer = new ReportWriter({ db, broker: 'in order', clock, log, stored: () => {}, refused: () => {} })
  const acknowledged: string[] = []
  const report = (device: Device, name: string, length: number) => {
    const keys = { name, filler: 'x'.repeat(length) }
    writer.report(device, { section: 'agent', keys, bytes: length + 50 }, () => acknowledged.push(name))
  }
  report(loud, 'first', 50_000)
  report(loud, 'too much', 30_000)
  report(loud, 'newest', 10)
  report(calm, 'of another', 10)
  await expect.poll(() => acknowledged.toSorted()).toEqual(['first', 'of another'])
  // As its device says again what nobody acknowledged, in its order.
  report(loud, 'too much', 30_000)
  report(loud, 'newest', 10)
  await expect.poll(() => acknowledged.slice(2)).toEqual(['too much', 'newest'])
  expect((await house.find(loud.device_id)).reported).toMatchObject({ agent: { name: 'newest' } })
  await writer.stop()
})

test('who says more of changes than is written down meanwhile is disconnected, and holds up nobody', async () => {
  const [loud, calm] = [await house.newDevice(), await house.newDevice()]
  const client = await house.connect(loud)
  client.on('error', () => {})
  const other = await goOnline(house, calm, { seq: 0, ts: 100, fresh: true })
  await online(calm).toBe(true)
  const counted = () => house.broker.figures.counters()['refused_total rate']!
  const before = counted()
  const received = (id: string) => ({ type: 'config', data: { id, status: 'received' } })
  const closed = closing(client)
  await house.db.transaction().execute(async (tx) => {
    await sql`select from device where id = ${loud.device_id} for update`.execute(tx)
    for (let n = 0; n < 300; n++) client.publish(`device/${loud.username}/hive`, JSON.stringify(received(`change-${n}`)))
    await closed
    await other.say(received('another'))
    await expect.poll(() => other.said).toEqual([{ command: 'ack', data: 'another' }])
  })
  expect(counted()).toBe(before + 1)
  await other.client.endAsync()
})

test('of a report what has another shape than ours is kept, and shown to nobody', async () => {
  const device = await house.newDevice('agent')
  const { client, say, said } = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  const vitals = { at: '2026-11-28T10:00:00.000Z', cpu_pct: 'x', cores: 4, temperature_c: null, odd: 1 }
  const agent = { interfaces: 'none', host: { name: 'truck' }, versions: { agent: '1', os: {}, kernel: '6', engine: null } }
  await say({ type: 'data_vitals', data: vitals, mid: '0001' })
  await say({ type: 'data_agent', data: agent, mid: '0002' })
  await expect.poll(() => said).toHaveLength(2)
  expect((await house.find(device.device_id)).reported).toEqual({ vitals, agent })
  const { body } = await house.owner.call(getDevice, { params: { asset_id: device.asset_id } })
  const { cpu_pct: _odd, ...shown } = vitals
  expect(body.device!.reported).toEqual({ vitals: shown, agent: {} })
  await client.endAsync()
})
