import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { freeTcp } from '@masthead/testkit/product'
import { startBroker, type RunningBroker } from './broker/start-broker.ts'
import { connectBytes, letIn, newDevice, openRaw } from './test-broker.ts'

test('a device that connects while its broker begins is served as soon as that is ready', async () => {
  await using house = await openHouse({ config: { host: '127.0.0.1' } })
  const device = await newDevice(house, await house.newOwner(), 'agent')
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
    socket.write(connectBytes(device))
    await expect
      .poll(async () => (await sql`select from pg_locks where relation = 'broker'::regclass and not granted`.execute(house.db)).rows.length)
      .toBeGreaterThan(0)
    return socket
  })
  const broker = await starting!
  await expect.poll(() => early.received()).toEqual(letIn)
  early.destroy()
  await broker.stop()
})
