import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { generate } from 'mqtt-packet'
import { expect, test } from 'vitest'
import { seededRandom, type Random } from '@masthead/simulator/random'
import { usualBounds } from './broker/packet-bounds.ts'
import { connectBytes, openBrokerHouse } from './test-broker.ts'

const inputs = Number(process.env.MQTT_INPUTS ?? 3000)
const atOnce = 50
const seed = Number(process.env.SEED ?? 1883)

/** A packet that a device may send, or something close to it. */
function oddInput(random: Random, username: string): Buffer {
  const connect = connectBytes({ username, password: 'x' })
  const publish = generate({
    cmd: 'publish',
    topic: `device/${username}/hive`,
    payload: '{"type":"data_system","data":{},"mid":"0001"}',
    qos: 0,
    retain: false,
    dup: false,
  })
  const subscribe = generate({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: '#', qos: 1 }] })
  const whole = [connect, publish, subscribe].filter(() => random.next() < 0.7)
  const bytes =
    random.next() < 0.2
      ? Buffer.from(Array.from({ length: random.whole(1, 200) }, () => random.whole(0, 255)))
      : Buffer.concat([connect, ...whole])
  for (let changes = random.whole(0, 6); changes > 0; changes--) bytes[random.whole(0, bytes.length - 1)] = random.whole(0, 255)
  return bytes.subarray(0, random.next() < 0.3 ? random.whole(1, bytes.length) : bytes.length)
}

/** Bytes that this process holds, the broker with it, once what nobody needs is gone. */
function memory(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test(
  `${inputs} malformed inputs end no broker, others go on, and memory is back within 1.5 times`,
  async () => {
    // One device says it all: it is refused at once where it signs in too often, and not held back.
    await using house = await openBrokerHouse({ bounds: { ...usualBounds, signIns: { ...usualBounds.signIns, held: 0 } } })
    const random = seededRandom(seed)
    const [device, calm] = [await house.newDevice(), await house.newDevice()]
    const client = await house.connect(calm)
    let before = 0
    for (let sent = 0; sent < inputs; sent += atOnce) {
      // What the first of them brings into memory stays, as code and tables do.
      if (before === 0 && sent >= inputs / 10) before = memory()
      const sockets = await Promise.all(
        Array.from({ length: Math.min(atOnce, inputs - sent) }, async () => {
          const socket = await house.raw()
          socket.end(oddInput(random, device.username))
          return socket
        })
      )
      await Promise.all(sockets.map(({ ended }) => ended))
      await client.publishAsync(`device/${calm.username}/hive`, '{}', { qos: 1 })
    }
    expect(client.connected, `seed ${seed}`).toBe(true)
    expect(memory() / before, `seed ${seed}`).toBeLessThan(1.5)
    await client.endAsync()
  },
  60_000 + inputs * 30
)
