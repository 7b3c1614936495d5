import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { connectAsync } from 'mqtt'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { liveChannel } from '../kernel/live/channel.ts'
import { cutDevice, enrolDevice, sendDirective } from './index.ts'
import { releaseSilentBrokers } from './broker/broker-row.ts'
import { Logins } from './broker/logins.ts'
import { closing, goOnline, openBrokerHouse, type BrokerHouse } from './test-broker.ts'

let house: BrokerHouse
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

type Device = Awaited<ReturnType<BrokerHouse['newDevice']>>
const online = (device: Device) => expect.poll(async () => (await house.find(device.device_id)).online)

test('a device is online from its birth to the death of the same connection', async () => {
  const device = await house.newDevice()
  const { client } = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  await online(device).toBe(true)
  expect(await house.find(device.device_id)).toMatchObject({ last_seq: 0, last_ts: 100, held_by: 'test', last_ip: '127.0.0.1' })
  client.stream.destroy()
  await online(device).toBe(false)
  expect((await house.find(device.device_id)).last_death_at).not.toBeNull()
})

test('a second connection takes the place of the first, and the late death of the first changes nothing', async () => {
  const device = await house.newDevice()
  const first = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  const closed = closing(first.client)
  const second = await goOnline(house, device, { seq: 1, ts: 200 })
  await closed
  await expect.poll(() => house.find(device.device_id)).toMatchObject({ online: true, last_seq: 1, last_ts: 200 })
  await second.client.publishAsync(`device/${device.username}/death`, JSON.stringify({ seq: 0, ts: 100 }), { qos: 2 })
  await second.say({ type: 'data_config', data: { apn: 'super' }, mid: 'a1b2' })
  await expect.poll(() => second.said).toEqual([{ command: 'ack', data: 'a1b2' }])
  expect((await house.find(device.device_id)).online).toBe(true)
  await second.client.endAsync()
  await online(device).toBe(false)
})

test('reports are joined key by key and acknowledged once they are stored', async () => {
  const device = await house.newDevice()
  const { client, said, say } = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  await say({ type: 'data_monitoring', data: { signal_quality: 'good', active_interface: 'wwan0' }, mid: '0001' })
  await expect.poll(() => said).toHaveLength(1)
  await say({ type: 'data_monitoring', data: { signal_quality: null, ifs_status: { wwan0: [true, 'TYPE_C', 10] } }, mid: '0002' })
  await say({ type: 'data_system', data: { agent_version: '1.8.3' }, mid: '0003' })
  await expect.poll(() => said.map(({ data }) => data).toSorted()).toEqual(['0001', '0002', '0003'])
  expect((await house.find(device.device_id)).reported).toEqual({
    monitoring: { signal_quality: null, active_interface: 'wwan0', ifs_status: { wwan0: [true, 'TYPE_C', 10] } },
    system: { agent_version: '1.8.3' },
  })
  // What is none of its messages is left without an answer and takes nothing else with it.
  for (const mid of [undefined, '', 'a b', 4]) await say({ type: 'data_system', data: { a: 1 }, mid })
  await client.publishAsync(`device/${device.username}/hive`, 'platform_not_supported')
  await say({ type: 'data_system', data: { board: 'Raspberry Pi 5' }, mid: '0004' })
  await expect.poll(() => said.at(-1)!.data).toBe('0004')
  expect(said).toHaveLength(4)
  await client.endAsync()
})

test('a device reaches its own topics alone: another subscription answers 128, another publish ends the connection', async () => {
  const [device, other] = [await house.newDevice(), await house.newDevice()]
  const { client } = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  const shared = `$share/all/device/${other.username}/directives`
  for (const topic of [`device/${other.username}/directives`, '#', 'device/+/hive', `device/${device.username}/#`, '$SYS/#', shared])
    await expect(client.subscribeAsync(topic, { qos: 1 })).rejects.toThrow()
  const closed = closing(client)
  client.publish(`device/${other.username}/hive`, '{}')
  await closed
  await online(device).toBe(false)
  expect((await house.find(other.device_id)).last_seen_at).toBeNull()
})

test('an agent signs in with its id and its password; whoever has another secret, name or client id is refused', async () => {
  const agent = await house.newDevice('agent')
  await (await house.connect(agent)).endAsync()
  await expect(house.connect({ ...agent, password: 'another' })).rejects.toThrow(/[Uu]ser ?name or password/)
  await expect(house.connect({ ...agent, username: 'nobody' })).rejects.toThrow(/[Uu]ser ?name or password/)
  await expect(house.connect(agent, { clientId: 'device/another' })).rejects.toThrow(/[Ii]dentifier/)
  await house.db
    .transaction()
    .execute((tx) => cutDevice(tx, { account_id: agent.account_id, device_id: agent.device_id, by: 'staff', at: house.clock.now() }))
  await expect(house.connect(agent)).rejects.toThrow(/[Uu]ser ?name or password/)
})

test('a directive reaches a device at once, or when it comes back; a device that is cut or gets new credentials is disconnected', async () => {
  const device = await house.newDevice()
  const { account_id, device_id, asset_id } = device
  const send = (data: string) =>
    house.db
      .transaction()
      .execute((tx) => sendDirective(tx, { account_id, device_id, payload: { command: 'x', data }, at: house.clock.now() }))
  await send('one')
  const first = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  await expect.poll(() => first.said).toEqual([{ command: 'x', data: 'one' }])
  await send('two')
  await expect.poll(() => first.said.map(({ data }) => data)).toEqual(['one', 'two'])
  const closed = closing(first.client)
  await house.db.transaction().execute((tx) => enrolDevice(tx, { account_id, asset_id, kind: 'core', at: house.clock.now() }))
  await closed
  await online(device).toBe(false)
  await expect(house.connect(device)).rejects.toThrow(/[Uu]ser ?name or password/)
})

test('a command for an agent is published by each connection until it is acknowledged, and not after that', async () => {
  const agent = await house.newDevice('agent')
  const { account_id, device_id, username } = agent
  const send = (id: string) => {
    const payload = { command: 'run', data: { id, do: 'reboot' } }
    return house.db.transaction().execute((tx) => sendDirective(tx, { account_id, device_id, payload, at: house.clock.now() }))
  }
  const come = async ({ acknowledges }: { acknowledges: boolean }) => {
    const client = await house.connect(agent, { clean: true })
    if (!acknowledges) client.handleMessage = () => {}
    const heard: string[] = []
    client.on('message', (_topic, payload) => void heard.push((JSON.parse(payload.toString()) as { data: { id: string } }).data.id))
    await client.subscribeAsync(`device/${username}/directives`, { qos: 1 })
    return { client, heard }
  }
  await send('one')
  const first = await come({ acknowledges: false })
  await expect.poll(() => first.heard).toEqual(['one'])
  first.client.stream.destroy()
  const second = await come({ acknowledges: true })
  await expect.poll(() => second.heard).toEqual(['one'])
  const waiting = () => house.db.selectFrom('device_directive').select('id').where('device_id', '=', device_id).execute()
  await expect.poll(waiting).toEqual([])
  await second.client.endAsync()
  await send('two')
  const third = await come({ acknowledges: true })
  await expect.poll(() => third.heard).toEqual(['two'])
  await third.client.endAsync()
})

test('a device whose session was kept gets its commands by the subscriptions of before', async () => {
  const device = await house.newDevice()
  const { account_id, device_id } = device
  const { client } = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  await client.endAsync()
  const again = await house.connect(device)
  const heard: unknown[] = []
  again.on('message', (_topic, payload) => void heard.push(JSON.parse(payload.toString())))
  const payload = { command: 'x', data: 'kept' }
  await house.db.transaction().execute((tx) => sendDirective(tx, { account_id, device_id, payload, at: house.clock.now() }))
  await expect.poll(() => heard).toEqual([payload])
  await again.endAsync()
})

test('a device connects with TLS to a certificate of our own, once it was given that', async () => {
  const device = await house.newDevice()
  const { username, password } = device
  const connect = (ca?: string) =>
    connectAsync(`mqtts://localhost:${house.broker.ports.mqtts}`, {
      clientId: `device/${username}`,
      username,
      password,
      reconnectPeriod: 0,
      ...(ca && { ca }),
    })
  await expect(connect()).rejects.toThrow(/self-signed/)
  const file = readFileSync(join(house.app.config.dataDir, 'mqtt-certificate.pem'), 'utf8')
  const client = await connect(file.slice(file.indexOf('-----BEGIN CERTIFICATE-----')))
  await client.publishAsync(`device/${username}/birth`, JSON.stringify({ seq: 0, ts: 5, fresh: true }), { qos: 2 })
  await online(device).toBe(true)
  await client.endAsync()
})

test('a device connects by WebSocket', async () => {
  const server = createServer().on('upgrade', (request, socket, head) =>
    house.broker.upgrade({ upgrade: { headers: request.headers, head: head.toString('base64') } }, socket as Socket)
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const device = await house.newDevice()
  const { username, password } = device
  const { port } = server.address() as AddressInfo
  const client = await connectAsync(`ws://127.0.0.1:${port}/mqtt`, {
    clientId: `device/${username}`,
    username,
    password,
    reconnectPeriod: 0,
  })
  await client.publishAsync(`device/${username}/birth`, JSON.stringify({ seq: 0, ts: 6, fresh: true }), { qos: 2 })
  await online(device).toBe(true)
  expect((await house.find(device.device_id)).last_ip).toBe('127.0.0.1')
  client.stream.destroy()
  await online(device).toBe(false)
  server.close()
})

test('a device that was cut while the broker received nothing from the database is disconnected once it does again', async () => {
  const [device, other] = [await house.newDevice(), await house.newDevice()]
  const [{ client }, { client: stays }] = [
    await goOnline(house, device, { seq: 0, ts: 100 }),
    await goOnline(house, other, { seq: 0, ts: 100 }),
  ]
  const closed = closing(client)
  await house.db.transaction().execute(async (tx) => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'masthead broker notices' and datname = current_database()`.execute(tx)
    await cutDevice(tx, { account_id: device.account_id, device_id: device.device_id, by: 'staff', at: house.clock.now() })
  })
  await closed
  expect(stays.connected).toBe(true)
  await stays.endAsync()
})

test('a device that is cut while it signs in is not let in by what was read before', async () => {
  const { username, password, device_id, account_id } = await house.newDevice('agent')
  let cuts = 0
  // It was read as good, and the answer is not here yet: then it is cut.
  const late = house.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (cuts++ === 0) {
        await house.db.transaction().execute((tx) => cutDevice(tx, { account_id, device_id, by: 'staff', at: house.clock.now() }))
        logins.cut(device_id)
      }
      return result
    },
  })
  const logins: Logins = new Logins(late as unknown as typeof house.db)
  expect(await logins.find(username, { password: Buffer.from(password) })).toBeUndefined()
  expect(cuts).toBe(2)
})

test('whom a silent broker held is offline, with a notice to the consoles; a broker that was taken for gone has them back when it speaks', async () => {
  const device = await house.newDevice()
  const { client } = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  await online(device).toBe(true)
  const name = 'test'
  await house.db
    .updateTable('broker')
    .set({ seen_at: new Date(0) })
    .where('name', '=', name)
    .execute()
  const listener = new pg.Client({ connectionString: house.databaseUrl })
  const heard: string[] = []
  listener.on('notification', ({ payload = '' }) => void heard.push(payload))
  await listener.connect()
  await listener.query(`listen ${liveChannel}`)
  await releaseSilentBrokers(house.app)
  expect((await house.find(device.device_id)).online).toBe(false)
  await expect.poll(() => heard.some((each) => each.startsWith(`${device.account_id} `))).toBe(true)
  await listener.end()
  // The broker of this test speaks each five seconds.
  await expect.poll(() => house.find(device.device_id), { timeout: 20_000 }).toMatchObject({ online: true, held_by: name, last_ts: 100 })
  await client.endAsync()
})

test('a broker that begins holds nobody, whatever the one before it left', async () => {
  const device = await house.newDevice()
  const { client } = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  await online(device).toBe(true)
  client.on('error', () => {})
  await house.restart()
  expect(await house.find(device.device_id)).toMatchObject({ online: false })
  const again = await goOnline(house, device, { seq: 1, ts: 90 })
  // Its clock was set back, but it is this very connection that was born so.
  await online(device).toBe(true)
  await again.client.endAsync()
})
