import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { hearStatements } from '@masthead/testkit/statements'
import { openDatabase } from '../../kernel/database/open-database.ts'
import { sendDirective } from '../index.ts'
import { newDevice } from '../test-broker.ts'
import type { Connection } from './connections.ts'
import { Outbox } from './outbox.ts'
import { topicsOf } from './topics.ts'

let house: House
let owner: Person
let heard: ReturnType<typeof hearStatements>
beforeAll(async () => {
  house = await openHouse()
  heard = hearStatements(house.app.pool)
  owner = await house.newOwner()
})
afterAll(() => house[Symbol.asyncDispose]())

const payload = { command: 'maintenance', data: { update: ['agent'] } }

/** A device that is connected and subscribed. */
async function newConnection() {
  const { account_id, device_id, username } = await newDevice(house, owner, 'core')
  const topics = topicsOf(username)
  const client = { connected: true, subscriptions: { [topics.directives]: { qos: 1 } } }
  return {
    to: { account_id, device_id, kind: 'core', client, topics, published: new Set<string>() } as unknown as Connection,
    device_id,
    put: () => house.db.transaction().execute((tx) => sendDirective(tx, { account_id, device_id, payload, at: house.clock.now() })),
    waiting: () => house.db.selectFrom('device_directive').selectAll().where('device_id', '=', device_id).execute(),
  }
}

test('a command for a CORE device whose connection ends before it is published waits for the next one', async () => {
  const { to, device_id, put, waiting } = await newConnection()
  await put()
  const before = await waiting()
  const asked: string[] = []
  const ended = { connections: { byDevice: () => to }, send: (_to: unknown, kind: string) => asked.push(kind) < 0 }
  const { db, log } = house.app
  new Outbox({ db, broker: ended as never, name: 'another', clock: house.clock, log }).deliver(device_id)
  await expect.poll(() => asked).toEqual(['maintenance'])
  await expect.poll(waiting).toEqual(before)
})

test('of devices that come together one question says for whom something waits', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, newConnection))
  const last = all.at(-1)!
  await last.put()
  const sent: unknown[] = []
  const broker = {
    connections: { byDevice: (id: string) => all.find(({ device_id }) => device_id === id)!.to },
    send: (to: unknown) => sent.push(to) > 0,
  }
  const db = openDatabase(house.app.pool)
  const outbox = new Outbox({ db, broker: broker as never, name: 'another', clock: house.clock, log: house.app.log })
  const { statements } = await heard.during(async () => {
    for (const { to } of all) outbox.subscribed(to)
    await expect.poll(() => sent).toEqual([last.to])
  })
  // The question, and what is taken for one of them.
  expect(statements.filter((each) => each.includes('device_directive'))).toHaveLength(2)
  expect(await last.waiting()).toEqual([])
})
