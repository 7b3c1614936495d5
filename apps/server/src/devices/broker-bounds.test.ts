import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Aedes } from 'aedes'
import type { Logger } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { PendingConnections } from './broker/pending-connections.ts'
import { boundSessions, type Sessions } from './broker/session-bounds.ts'
import { SignIns } from './broker/sign-ins.ts'
import { sendDirective } from './index.ts'
import { closing, connectBytes, letIn, openBrokerHouse, openRaw, type BrokerHouse } from './test-broker.ts'

let house: BrokerHouse
const bounds = {
  rate: 10,
  burst: 40,
  connectBytes: 4096,
  packetBytes: 16 * 1024,
  reportBytes: 8 * 1024,
  connectWithin: 1500,
  waiting: { ofAddress: 5, ofAll: 8 },
  signIns: { most: 4, held: 50 },
  unacknowledged: 6,
}
beforeAll(async () => {
  house = await openBrokerHouse({ bounds })
})
afterAll(() => house[Symbol.asyncDispose]())

const refused = (why: string) => house.broker.figures.counters()[`refused_total ${why}`]

test('a packet is refused at the length it announces, before and after the sign-in', async () => {
  const socket = await house.raw()
  socket.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]))
  await socket.ended
  expect(refused('size')).toBe(1)
  const device = await house.newDevice()
  const client = await house.connect(device)
  client.on('error', () => {})
  const closed = closing(client)
  client.publish(`device/${device.username}/hive`, 'x'.repeat(20_000))
  await closed
  expect(refused('size')).toBe(2)
})

test('a device that sends more than its share is disconnected; the others go on', async () => {
  const [loud, calm] = [await house.newDevice(), await house.newDevice()]
  const [one, other] = [await house.connect(loud), await house.connect(calm)]
  one.on('error', () => {})
  const closed = closing(one)
  for (let i = 0; i < 200; i++) one.publish(`device/${loud.username}/hive`, '{}')
  await closed
  expect(refused('rate')).toBe(1)
  await other.publishAsync(`device/${calm.username}/hive`, '{}', { qos: 1 })
  await other.endAsync()
})

test.each([
  ['pings', (socket: WebSocket) => socket.ping()],
  ['answers to no ping', (socket: WebSocket) => socket.pong()],
  ['empty frames', (socket: WebSocket) => socket.send(Buffer.alloc(0))],
])('by WebSocket %s count as packets: who sends too many is disconnected', async (_what, say) => {
  const server = createServer().on('upgrade', ({ headers }, socket, head) =>
    house.broker.upgrade({ upgrade: { headers, head: head.toString('base64') } }, socket as Socket)
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const before = refused('rate')!
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/mqtt`, 'mqtt')
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise<void>((resolve) => socket.once('open', () => resolve()))
  for (let n = 0; n < 200; n++) say(socket)
  await closed
  expect(refused('rate')).toBe(before + 1)
  server.close()
})

test('whoever says something else than MQTT is disconnected', async () => {
  for (const text of ['GET / HTTP/1.1\r\n\r\n', '\x00\x00\x00', '\x30\x02aa', '\x10\x00', '\xe0\x00']) {
    const socket = await house.raw()
    socket.write(Buffer.from(text, 'latin1'))
    await socket.ended
    expect(socket.received().length).toBeLessThan(5)
  }
})

test('of those who say nothing an address has a few, and not for long; whoever has signed in is none of them', async () => {
  const devices = await Promise.all([1, 2, 3, 4, 5, 6].map(() => house.newDevice()))
  const clients = []
  for (const device of devices) clients.push(await house.connect(device))
  const before = refused('waiting')!
  const silent = await Promise.all([1, 2, 3, 4, 5].map(() => house.raw()))
  for (const port of [house.broker.ports.mqtt, house.broker.ports.mqtts]) await (await openRaw(port)).ended
  expect(refused('waiting')).toBe(before + 2)
  expect(silent.filter(({ destroyed }) => destroyed)).toEqual([])
  await Promise.all(silent.map(({ ended }) => ended))
  const late = await house.connect(await house.newDevice())
  for (const client of [...clients, late]) await client.endAsync()
})

test('a connection that begins TLS and does not end it waits like the others, and not for long', async () => {
  const silent = await Promise.all([1, 2, 3, 4, 5].map(() => openRaw(house.broker.ports.mqtts)))
  const before = refused('waiting')!
  await (
    await house.raw()
  ).ended
  expect(refused('waiting')).toBe(before + 1)
  await Promise.all(silent.map(({ ended }) => ended))
  const device = await house.newDevice()
  await expect
    .poll(async () => {
      const socket = await house.raw()
      socket.write(connectBytes(device))
      await Promise.race([new Promise((resolve) => socket.once('data', resolve)), socket.ended])
      return socket.received()
    })
    .toEqual(letIn)
})

test('behind a proxy each device has its own share of those that have not signed in, and not that of the proxy', () => {
  const pending = new PendingConnections({ ofAddress: 1, ofAll: 3 })
  let port = 1000
  const socket = () => Object.assign(new EventEmitter(), { remoteAddress: '10.0.0.1', remotePort: ++port, destroy: () => {} })
  const enter = (ip: string) => pending.enter(socket() as unknown as Socket, ip)
  expect(['198.51.100.1', '198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'].map(enter)).toEqual([
    true,
    false,
    true,
    true,
    false,
  ])
})

test('a device that signs in more often than it may within a minute is refused, others are not, and nobody uses up its share without its secret', async () => {
  const [often, calm] = [await house.newDevice('agent'), await house.newDevice('agent')]
  for (let n = 0; n < 2 * bounds.signIns.most; n++)
    await expect(house.connect({ ...often, password: 'wrong' })).rejects.toThrow(/Bad username or password|Not authorized/i)
  const before = refused('sign_ins')!
  const signIn = () =>
    house.connect(often).then(
      (client) => client.endAsync().then(() => 'in'),
      ({ message }: Error) => message
    )
  const answers: string[] = []
  // A minute may end between them.
  for (let n = 0; n <= 2 * bounds.signIns.most; n++) answers.push(await signIn())
  expect(answers[0]).toBe('in')
  expect(answers).toContainEqual(expect.stringMatching(/unavailable/i))
  expect(refused('sign_ins')! - before).toBe(answers.filter((answer) => answer !== 'in').length)
  await (await house.connect(calm)).endAsync()
})

test('sign-ins are counted by the minute, and the log says once of each who has too many', () => {
  const said: unknown[] = []
  const log = { warn: (what: object) => said.push(what) } as unknown as Logger
  let now = 1_000_000
  const signIns = new SignIns({ most: 2, held: 0 }, log, () => now)
  const refuses = (name: string) => {
    const isOver = signIns.isOver(name)
    if (!isOver) signIns.count(name, name)
    return isOver
  }
  expect(['one', 'one', 'one', 'one', 'other'].map(refuses)).toEqual([false, false, true, true, false])
  expect(said).toEqual([{ device_id: 'one', times: 2 }])
  now += 60_000
  expect(refuses('one')).toBe(false)
})

test('a device that acknowledges nothing of what it is sent is disconnected', async () => {
  const device = await house.newDevice()
  const client = await house.connect(device)
  client.on('error', () => {})
  client.handleMessage = () => {}
  await client.subscribeAsync(`device/${device.username}/directives`, { qos: 1 })
  const closed = closing(client)
  for (let n = 0; n < 10; n++)
    client.publish(`device/${device.username}/hive`, JSON.stringify({ type: 'config', data: { id: `unknown-${n}`, status: 'received' } }))
  await closed
  expect(refused('unacknowledged')).toBe(1)
})

const sent = () => {
  const all = Object.entries(house.broker.figures.counters()).filter(([name]) => name.startsWith('sent_total'))
  return all.reduce((sum, [, count]) => sum + count, 0)
}

type Device = Awaited<ReturnType<BrokerHouse['newDevice']>>
/** Has the broker send the device one message. */
const ask = (client: Awaited<ReturnType<BrokerHouse['connect']>>, { username }: Device, n: number) =>
  client.publish(`device/${username}/hive`, JSON.stringify({ type: 'config', data: { id: `unknown-${n}`, status: 'received' } }))

test('a device that subscribed with QoS 0 is sent everything so, acknowledges nothing and stays; a command that it got does not come again', async () => {
  const device = await house.newDevice('agent')
  const { account_id, device_id, username } = device
  const client = await house.connect(device)
  const heard: number[] = []
  client.on('message', (_topic, _payload, { qos }) => void heard.push(qos))
  await client.subscribeAsync(`device/${username}/directives`, { qos: 0 })
  for (let n = 1; n <= 2 * bounds.unacknowledged; n++) {
    ask(client, device, n)
    await expect.poll(() => heard.length).toBe(n)
  }
  expect(new Set(heard)).toEqual(new Set([0]))
  const payload = { command: 'run', data: { id: 'one', do: 'reboot' } }
  await house.db.transaction().execute((tx) => sendDirective(tx, { account_id, device_id, payload, at: house.clock.now() }))
  const waiting = () => house.db.selectFrom('device_directive').select('id').where('device_id', '=', device_id).execute()
  await expect.poll(waiting).toEqual([])
  await expect.poll(() => heard.length).toBe(2 * bounds.unacknowledged + 1)
  expect(client.connected).toBe(true)
  await client.endAsync()
})

test.each([true, false])('whoever acknowledges what was never sent has acknowledged nothing (clean session: %s)', async (clean) => {
  const [liar, honest] = [await house.newDevice(), await house.newDevice()]
  const [one, other] = [await house.connect(liar, { clean }), await house.connect(honest, { clean })]
  const ids: number[] = []
  for (const client of [one, other]) client.on('error', () => {})
  one.on('packetreceive', (packet) => packet.cmd === 'publish' && ids.push(packet.messageId!))
  one.handleMessage = () => {}
  const heard: string[] = []
  other.on('message', (topic) => void heard.push(topic))
  for (const [client, { username }] of [
    [one, liar],
    [other, honest],
  ] as const)
    await client.subscribeAsync(`device/${username}/directives`, { qos: 1 })

  for (let n = 1; n <= 2 * bounds.unacknowledged; n++) {
    ask(other, honest, n)
    await expect.poll(() => heard.length).toBe(n)
  }
  const before = refused('unacknowledged')!
  const closed = closing(one)
  for (let n = 1; n <= bounds.unacknowledged; n++) {
    const already = sent()
    ask(one, liar, n)
    await expect.poll(sent).toBe(already + 1)
    await expect.poll(() => ids.length).toBeGreaterThan(0)
    const never = ((ids[0]! + 30_000) % 65_535) + 1
    one.stream.write(Buffer.from([0x40, 2, never >> 8, never & 0xff]))
  }
  ask(one, liar, 0)
  await closed
  expect(refused('unacknowledged')).toBe(before + 1)
  expect(other.connected).toBe(true)
  await other.endAsync()
})

test('a session keeps a bounded number of messages and its own subscriptions, however often its device connects', async () => {
  const aedes = await Aedes.createBroker()
  const { persistence } = aedes as unknown as { persistence: Sessions & Looks }
  boundSessions(persistence, { maySubscribe: (_client, topic) => topic === 'mine', sent: 3, received: 2 })
  const client = { id: 'device/one' }
  await persistence.addSubscriptions(client, [{ topic: 'mine' }, ...Array.from({ length: 50 }, (_, n) => ({ topic: `other/${n}` }))])
  expect((await persistence.subscriptionsByClient(client)).map(({ topic }) => topic)).toEqual(['mine'])

  const enqueue = async (n: number) => {
    const packet = { cmd: 'publish', qos: 1, topic: 'mine', brokerId: 'one', brokerCounter: n }
    await persistence.outgoingEnqueue({ clientId: client.id }, packet)
    await persistence.outgoingUpdate(client, { ...packet, messageId: n })
  }
  const waiting = async () => {
    const ids = []
    for await (const packet of persistence.outgoingStream(client)) ids.push((packet as { messageId: number }).messageId)
    return ids
  }
  for (const n of [1, 2, 3, 4, 5]) await enqueue(n)
  expect(await waiting()).toEqual([3, 4, 5])
  await persistence.outgoingClearMessageId(client, { messageId: 4 })
  await enqueue(6)
  expect(await waiting()).toEqual([3, 5, 6])

  const isKept = (messageId: number) => persistence.incomingGetPacket(client, { messageId }).then(...yesNo)
  for (const messageId of [1, 2, 3]) await persistence.incomingStorePacket(client, { messageId })
  expect([await isKept(1), await isKept(2), await isKept(3)]).toEqual([false, true, true])
  await persistence.incomingDelPacket(client, { messageId: 2 })
  await persistence.incomingStorePacket(client, { messageId: 4 })
  expect([await isKept(3), await isKept(4)]).toEqual([true, true])
  await new Promise<void>((resolve) => aedes.close(resolve))
})

type Looks = {
  outgoingUpdate: (client: { id: string }, packet: object) => Promise<unknown>
  subscriptionsByClient: (client: { id: string }) => Promise<{ topic: string }[]>
  incomingGetPacket: (client: { id: string }, packet: { messageId: number }) => Promise<object>
}
const yesNo = [() => true, () => false] as const
