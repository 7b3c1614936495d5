import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import * as ops from '@masthead/contract/backoffice/broker-operations'
import { getDevice } from '@masthead/contract/devices/operations'
import { closing, openBrokerHouse, type BrokerHouse } from '../../devices/test-broker.ts'
import { renewBroker } from '../../devices/broker/broker-row.ts'
import { enterStaff } from '../test-backoffice.ts'

let house: BrokerHouse
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('devices are listed page by page, and a broker that is not seen any more is none that runs', async () => {
  const staff = await enterStaff(house)
  const made = [await house.newDevice(), await house.newDevice(), await house.newDevice()].map(({ device_id }) => device_id)
  const list = async (after?: string) =>
    (await staff.call(ops.listBrokerClients, { query: { page_size: 2, search: 'Weir', ...(after && { after }) } as never })).body
  const first = await list()
  const second = await list(first.next!)
  expect([...first.items, ...second.items].map(({ device_id }) => device_id)).toEqual(made.toSorted().toReversed())
  expect([first.total, second.next]).toEqual([3, null])
  await house.db
    .insertInto('broker')
    .values({
      name: 'killed',
      started_at: new Date(0),
      seen_at: new Date(house.clock.now().getTime() - 31_000),
      clients: 7,
      counters: '{}',
    })
    .execute()
  expect((await staff.call(ops.listBrokers)).body.items.map(({ name }) => name)).toEqual(['test'])
})

test('staff see what brokers count and refuse, find a device of any account, and cut it off with a reason that its owner reads', async () => {
  const { owner } = house
  const staff = await enterStaff(house)
  const device = await house.newDevice('agent')
  const client = await house.connect(device)
  await expect(house.connect({ ...device, password: 'wrong' })).rejects.toThrow()
  const { figures } = house.broker
  await renewBroker(house.app.db, house.clock, { name: 'test', clients: 1, counters: figures.counters() })
  const { items } = (await staff.call(ops.listBrokers)).body
  expect(items).toEqual([
    expect.objectContaining({ name: 'test', clients: 1, connections: 1, refusals: [{ why: 'credentials', count: 1 }] }),
  ])

  const find = async (query: Record<string, string>) => (await staff.call(ops.listBrokerClients, { query: query as never })).body.items
  const [found] = await find({ search: device.device_id })
  expect(found).toMatchObject({ account: owner.email, kind: 'agent', asset_id: device.asset_id, cut_at: null })
  expect((await find({ search: found!.asset_name.toUpperCase() })).map(({ device_id }) => device_id)).toContain(device.device_id)
  expect(await find({ state: 'cut' })).toEqual([])

  const closed = closing(client)
  const params = { any_device_id: device.device_id }
  const cut = () => staff.call(ops.cutBrokerClient, { params, body: { reason: 'It floods the broker' } })
  expect((await cut()).status).toBe(200)
  await closed
  await expect(house.connect(device)).rejects.toThrow()
  expect(await cut()).toMatchObject({ status: 409, body: { code: 'device_cut_already' } })
  expect((await find({ state: 'cut' })).map(({ cut_by }) => cut_by)).toEqual([staff.email])
  expect((await owner.call(getDevice, { params: { asset_id: device.asset_id } })).body.device!.cut_at).not.toBeNull()
  const { items: done } = (await owner.call(listActivities, { query: {} })).body
  expect(done.map(({ sentence }) => sentence)).toContainEqual(expect.stringContaining('It floods the broker'))
  expect((await staff.call(ops.cutBrokerClient, { params: { any_device_id: 'dev_none' }, body: { reason: 'None' } })).status).toBe(404)
  const other = await enterStaff(house, ['backoffice'])
  expect((await other.call(ops.listBrokers)).status).toBe(403)
})
