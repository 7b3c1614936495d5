import { sql } from 'kysely'
import { generate } from 'mqtt-packet'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { freeTcp } from '@masthead/testkit/product'
import { startBroker, type RunningBroker } from './broker/start-broker.ts'
import { newDevice, openRaw } from './test-broker.ts'

test('a device that connects while its broker begins is served as soon as that is ready', async () => {
  await using house = await openHouse({ config: { host: '127.0.0.1' } })
  const { username, password } = await newDevice(house, await house.newOwner(), 'agent')
  const connect = generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clientId: `device/${username}`,
    clean: true,
    keepalive: 60,
    username,
    password: Buffer.from(password),
  })
  const { config, log } = house.app
  const mqtt = await freeTcp()
  const ports = { ...config.ports, mqtt, mqtts: 0 }
  const comes = () =>
    openRaw(mqtt).then(
      (socket) => socket,
      () => undefined
    )
  let starting: Promise<RunningBroker> | undefined
  // It listens, and does not get on: nobody may say yet that it begins.
  const early = await house.db.transaction().execute(async (tx) => {
    await sql`lock table broker in access exclusive mode`.execute(tx)
    starting = startBroker({ config: { ...config, ports }, databaseUrl: house.databaseUrl, log, clock: house.clock, name: 'begins' })
    await expect.poll(async () => (await comes())?.destroy() !== undefined).toBe(true)
    const socket = (await comes())!
    socket.write(connect)
    await expect
      .poll(async () => (await sql`select from pg_locks where relation = 'broker'::regclass and not granted`.execute(house.db)).rows.length)
      .toBeGreaterThan(0)
    return socket
  })
  const broker = await starting!
  await expect.poll(() => early.received()).toEqual(Buffer.from([0x20, 2, 0, 0]))
  early.destroy()
  await broker.stop()
})
