import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addGateway,
  addGatewayAddress,
  listGateways,
  removeGateway,
  removeGatewayAddress,
  rotateGatewaySecret,
  updateGateway,
  updateGatewayAddress,
} from '@masthead/contract/backoffice/gateway-operations'
import { getHome } from '@masthead/contract/backoffice/home-operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { openMeteredHouse, packetOf, type MeteredHouse } from '../metering/test-network.ts'
import { addTestGateway, enterStaff, type Staff } from './test-backoffice.ts'

let house: MeteredHouse
let staff: Staff
beforeAll(async () => {
  house = await openMeteredHouse()
  staff = await enterStaff(house)
})
afterAll(() => house[Symbol.asyncDispose]())

const find = async (id: string) => (await staff.call(listGateways)).body.items.find((each) => each.id === id)

test('a gateway is added with a secret that is shown once, and stands in no log', async () => {
  const body = { name: 'pgw-new', address: '203.0.113.9' }
  const { gateway, secret } = (await staff.call(addGateway, { body })).body
  expect(secret).toMatch(/^[\w-]{32}$/)
  expect(gateway).toMatchObject({
    name: body.name,
    state: 'never',
    packets: 0,
    addresses: [{ address: body.address, legacy: false, coa_port: 3799, packets: 0 }],
  })
  expect(JSON.stringify((await staff.call(listGateways)).body)).not.toContain(secret)
  expect(JSON.stringify((await staff.call(listStaffLog, { query: { page_size: '100' } as never })).body)).not.toContain(secret)
  expect(await staff.call(addGateway, { body: { ...body, name: 'other' } })).toMatchObject({
    status: 409,
    body: { code: 'gateway_address_taken', fields: { address: `${body.name} has the address 203.0.113.9 already` } },
  })
  for (const wrong of [{ address: 'pgw.example' }, { secret: 'short' }, { coa_port: 0 }, { name: ' ' }])
    expect((await staff.call(addGateway, { body: { ...body, ...wrong } as never })).status).toBe(400)
})

test('a repeated request shows the same secret and adds one gateway', async () => {
  const key = { 'idempotency-key': 'gateway-once' }
  const add = () => staff.call(addGateway, { body: { name: 'once', address: '203.0.113.77' } }, key)
  const answers = await Promise.all([add(), add(), add()])
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  const kept = await house.db.selectFrom('idempotency_key').select('reply').execute()
  expect(JSON.stringify(kept)).not.toContain(answers[0]!.body.secret)
})

test('a meter knows a new secret, a gateway switched off and one switched on at once', async () => {
  const sim = await house.newSim()
  const params = { gateway_id: house.gateway_id, address_id: house.address_id }
  let time = 0
  const report = (secret: string) => house.client.account(packetOf(sim, 'interim', { time: ++time, down: time }), { secret })
  const received = async (secret: string) => {
    await house.meter.gateways.refresh()
    return house.meter.gateways.byAddress('127.0.0.1')?.secret.toString() === secret
  }
  await report('secret')
  const { secret } = (await staff.call(rotateGatewaySecret, { params, body: {} })).body
  expect(await received(secret)).toBe(true)
  await report(secret)
  expect((await staff.call(updateGateway, { params, body: { disabled: true } })).body.state).toBe('disabled')
  expect(await received(secret)).toBe(false)
  const dropped = house.meter.figures.count('masthead_meter_dropped_total{port="acct",cause="unknown gateway"}')
  await staff.call(updateGateway, { params, body: { disabled: false } })
  expect(await received(secret)).toBe(true)
  await report(secret)
  expect(house.meter.figures.count('masthead_meter_dropped_total{port="acct",cause="unknown gateway"}')).toBe(dropped)
  await house.meter.gateways.saveReceived()
  expect(await find(house.gateway_id)).toMatchObject({ state: 'hearing', packets: 3, open_sessions: 1 })
  house.clock.advance({ minutes: 16 })
  staff = await enterStaff(house)
  expect(await find(house.gateway_id)).toMatchObject({ state: 'silent' })
  // Its sessions report every 15 minutes, and one of them may be on its way.
  const silent = async () => (await staff.call(getHome)).body.silent_gateways
  const before = await silent()
  await house.db.updateTable('data_session').set({ interim_seconds: 900 }).execute()
  expect([(await find(house.gateway_id))!.state, await silent()]).toEqual(['hearing', before - 1])
  house.clock.advance({ minutes: 30 })
  staff = await enterStaff(house)
  expect([(await find(house.gateway_id))!.state, await silent()]).toEqual(['silent', before])
})

test('changes are in the log with before and after; what changes nothing is not', async () => {
  const gateway_id = await addTestGateway(house)
  const params = { gateway_id }
  const { name, addresses } = (await find(gateway_id))!
  const at = { gateway_id, address_id: addresses[0]!.id }
  await staff.call(updateGateway, { params, body: { name } })
  await staff.call(updateGatewayAddress, { params: at, body: { legacy: false } })
  expect((await staff.call(updateGateway, { params, body: { name: 'renamed' } })).body).toMatchObject({ name: 'renamed' })
  expect((await staff.call(updateGatewayAddress, { params: at, body: { legacy: true } })).body).toMatchObject({
    addresses: [{ legacy: true, address: addresses[0]!.address }],
  })
  const logged = async (action: string) => (await staff.call(listStaffLog, { query: { action: [action] } })).body.items
  expect(await logged('backoffice.gateway_changed')).toMatchObject([{ target: 'renamed', before: { name }, after: { name: 'renamed' } }])
  expect(await logged('backoffice.gateway_address_changed')).toMatchObject([
    { target: 'renamed', before: { legacy: false }, after: { legacy: true } },
  ])
  expect(await staff.call(updateGatewayAddress, { params: at, body: { address: '127.0.0.1' } })).toMatchObject({
    status: 409,
    body: { code: 'gateway_address_taken' },
  })
})

test('a gateway speaks from several addresses, each with its own secret; the last one stays', async () => {
  const { gateway } = (await staff.call(addGateway, { body: { name: 'pair', address: '127.0.0.11' } })).body
  const params = { gateway_id: gateway.id }
  const added = (await staff.call(addGatewayAddress, { params, body: { address: '127.0.0.12', coa_port: 3800, legacy: true } })).body
  expect(added.secret).toMatch(/^[\w-]{32}$/)
  expect(added.gateway.addresses).toMatchObject([
    { address: '127.0.0.11', coa_port: 3799, legacy: false },
    { address: '127.0.0.12', coa_port: 3800, legacy: true },
  ])
  expect(await staff.call(addGatewayAddress, { params, body: { address: '127.0.0.1' } })).toMatchObject({
    status: 409,
    body: { code: 'gateway_address_taken' },
  })
  await house.meter.gateways.refresh()
  const second = house.meter.gateways.byAddress('127.0.0.12')!
  expect(second).toMatchObject({ id: gateway.id, name: 'pair', legacy: true, secret: Buffer.from(added.secret) })
  expect(house.meter.gateways.byAddress('127.0.0.11')!.id).toBe(gateway.id)
  house.meter.gateways.received(second, house.clock.now().getTime(), 7)
  await house.meter.gateways.saveReceived()
  expect(await find(gateway.id)).toMatchObject({ state: 'hearing', packets: 7, addresses: [{ packets: 0 }, { packets: 7 }] })
  const first = { ...params, address_id: gateway.addresses[0]!.id }
  expect((await staff.call(removeGatewayAddress, { params: first })).body.addresses).toMatchObject([{ address: '127.0.0.12' }])
  expect(await staff.call(removeGatewayAddress, { params: first })).toMatchObject({ status: 404 })
  const of = (gateway_id: string) => ({ gateway_id, address_id: second.address_id })
  expect(await staff.call(removeGatewayAddress, { params: of(house.gateway_id) }), 'of another gateway').toMatchObject({ status: 404 })
  expect(await staff.call(removeGatewayAddress, { params: of(gateway.id) })).toMatchObject({
    status: 409,
    body: { code: 'gateway_last_address' },
  })
  const told = (await staff.call(listStaffLog, {})).body.items.filter(({ target }) => target === 'pair').map(({ sentence }) => sentence)
  expect(told).toEqual([
    'Removed the address 127.0.0.11 from the gateway pair',
    'Added the address 127.0.0.12 to the gateway pair',
    'Added the gateway pair at 127.0.0.11',
  ])
})

test('two that remove one address each of a pair leave one', async () => {
  const { gateway } = (await staff.call(addGateway, { body: { name: 'halves', address: '127.0.0.13' } })).body
  const params = { gateway_id: gateway.id }
  const both = (await staff.call(addGatewayAddress, { params, body: { address: '127.0.0.14' } })).body.gateway.addresses
  const answers = await Promise.all(both.map(({ id }) => staff.call(removeGatewayAddress, { params: { ...params, address_id: id } })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await find(gateway.id))!.addresses).toHaveLength(1)
})

test('a gateway that reported stays, one that did not goes', async () => {
  const gateway_id = await addTestGateway(house)
  expect((await staff.call(removeGateway, { params: { gateway_id } })).status).toBe(200)
  expect(await find(gateway_id)).toBeUndefined()
  expect(await staff.call(removeGateway, { params: { gateway_id } })).toMatchObject({ status: 404 })
  expect(await staff.call(removeGateway, { params: { gateway_id: house.gateway_id } })).toMatchObject({
    status: 409,
    body: { code: 'gateway_in_use' },
  })
})

test('only who manages networks sees gateways', async () => {
  const plain = await enterStaff(house, ['backoffice'])
  expect(await plain.call(listGateways)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})

test('an address is kept as packets from there are known: IPv4 written as IPv6 is IPv4', async () => {
  const { gateway } = (await staff.call(addGateway, { body: { name: 'pgw-mapped', address: '::ffff:203.0.113.40' } })).body
  expect(gateway.addresses).toMatchObject([{ address: '203.0.113.40' }])
  const params = { gateway_id: gateway.id }
  await staff.call(addGatewayAddress, { params, body: { address: '::FFFF:cb00:7129' } })
  const second = { ...params, address_id: (await find(gateway.id))!.addresses[1]!.id }
  expect((await find(gateway.id))!.addresses[1]).toMatchObject({ address: '203.0.113.41' })
  await staff.call(updateGatewayAddress, { params: second, body: { address: '::ffff:203.0.113.42' } })
  expect((await find(gateway.id))!.addresses[1]).toMatchObject({ address: '203.0.113.42' })
  expect((await staff.call(addGateway, { body: { name: 'again', address: '::ffff:203.0.113.42' } })).status).toBe(409)
})
