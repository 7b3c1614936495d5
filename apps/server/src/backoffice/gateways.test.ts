import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addGateway,
  listGateways,
  removeGateway,
  rotateGatewaySecret,
  updateGateway,
} from '@masthead/contract/backoffice/gateway-operations'
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
  expect(gateway).toMatchObject({ ...body, state: 'never', legacy: false, coa_port: 3799, packets: 0 })
  expect(JSON.stringify((await staff.call(listGateways)).body)).not.toContain(secret)
  expect(JSON.stringify((await staff.call(listStaffLog, { query: { page_size: '100' } as never })).body)).not.toContain(secret)
  expect(await staff.call(addGateway, { body: { ...body, name: 'other' } })).toMatchObject({
    status: 409,
    body: { code: 'gateway_address_taken', fields: { address: 'There is a gateway at 203.0.113.9 already' } },
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
  const params = { gateway_id: house.gateway_id }
  let time = 0
  const report = (secret: string) => house.client.account(packetOf(sim, 'interim', { time: ++time, down: time }), { secret })
  const heard = async (secret: string) => {
    await house.meter.gateways.refresh()
    return house.meter.gateways.byAddress('127.0.0.1')?.secret.toString() === secret
  }
  await report('secret')
  const { secret } = (await staff.call(rotateGatewaySecret, { params, body: {} })).body
  expect(await heard(secret)).toBe(true)
  await report(secret)
  expect((await staff.call(updateGateway, { params, body: { disabled: true } })).body.state).toBe('disabled')
  expect(await heard(secret)).toBe(false)
  const dropped = house.meter.figures.count('masthead_meter_dropped_total{port="acct",cause="unknown gateway"}')
  await staff.call(updateGateway, { params, body: { disabled: false } })
  expect(await heard(secret)).toBe(true)
  await report(secret)
  expect(house.meter.figures.count('masthead_meter_dropped_total{port="acct",cause="unknown gateway"}')).toBe(dropped)
  await house.meter.gateways.saveHeard()
  expect(await find(house.gateway_id)).toMatchObject({ state: 'hearing', packets: 3, open_sessions: 1 })
  house.clock.advance({ minutes: 16 })
  staff = await enterStaff(house)
  expect(await find(house.gateway_id)).toMatchObject({ state: 'silent' })
})

test('changes are in the log with before and after; what changes nothing is not', async () => {
  const gateway_id = await addTestGateway(house)
  const params = { gateway_id }
  const { name } = (await find(gateway_id))!
  await staff.call(updateGateway, { params, body: { name, legacy: false } })
  expect((await staff.call(updateGateway, { params, body: { name: 'renamed', legacy: true } })).body).toMatchObject({
    name: 'renamed',
    legacy: true,
  })
  const { items } = (await staff.call(listStaffLog, { query: { action: ['backoffice.gateway_changed'] } })).body
  expect(items).toMatchObject([{ target: 'renamed', before: { name, legacy: false }, after: { name: 'renamed', legacy: true } }])
  expect(await staff.call(updateGateway, { params, body: { address: '127.0.0.1' } })).toMatchObject({
    status: 409,
    body: { code: 'gateway_address_taken' },
  })
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
