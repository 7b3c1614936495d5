import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closing, openBrokerHouse, openRaw, type BrokerHouse } from './test-broker.ts'

let house: BrokerHouse
const bounds = { rate: 10, burst: 40, connectBytes: 4096, packetBytes: 16 * 1024, connectWithin: 1500, waiting: { ofAddress: 5, ofAll: 8 } }
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

test('a connection that begins TLS and does not end it waits like the others', async () => {
  const silent = await Promise.all([1, 2, 3, 4, 5].map(() => openRaw(house.broker.ports.mqtts)))
  const before = refused('waiting')!
  await (
    await house.raw()
  ).ended
  expect(refused('waiting')).toBe(before + 1)
  for (const socket of silent) socket.destroy()
  await expect.poll(() => house.raw().then((socket) => Promise.race([socket.ended.then(() => false), delay(200, true)]))).toBe(true)
})
