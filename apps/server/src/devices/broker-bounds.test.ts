import { afterAll, beforeAll, expect, test } from 'vitest'
import { closing, openBrokerHouse, type BrokerHouse } from './test-broker.ts'

let house: BrokerHouse
const bounds = { rate: 10, burst: 40, connectBytes: 4096, packetBytes: 16 * 1024 }
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
