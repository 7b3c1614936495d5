import type { Updatable } from '@masthead/contract/devices/maintenance'
import { configureDevice, getDevice, updateDevice, withdrawConfig } from '@masthead/contract/devices/operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemActor } from '../kernel/app.ts'
import { topicsOf } from './broker/topics.ts'
import { sendDirective, updateDevices } from './index.ts'
import { openBrokerHouse, type BrokerHouse } from './test-broker.ts'

let house: BrokerHouse
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

type Said = { command: string; data: Record<string, unknown> & string }

/** Plays a CORE device, as its agent 1.8.3 speaks. */
async function play() {
  const device = await house.newDevice()
  await house.db.updateTable('asset').set({ type: 'core' }).where('id', '=', device.asset_id).execute()
  const client = await house.connect(device)
  const said: Said[] = []
  client.on('message', (_topic, payload) => void said.push(JSON.parse(payload.toString()) as Said))
  await client.subscribeAsync(`device/${device.username}/directives`, { qos: 1 })
  await client.subscribeAsync(`signaling/${device.username}/request`, { qos: 1 })
  await client.publishAsync(`device/${device.username}/birth`, JSON.stringify({ seq: 0, ts: 1, fresh: true }), { qos: 2, retain: true })
  const say = (body: unknown) => client.publishAsync(`device/${device.username}/hive`, JSON.stringify(body))
  const params = { asset_id: device.asset_id }
  const check = async () => (await house.owner.call(getDevice, { params })).body.device!
  await expect.poll(async () => (await check()).presence).toBe('online')
  return { ...device, client, said, say, params, check }
}

test('a change of the configuration goes from pending to applied, and is acknowledged as often as the device asks', async () => {
  const { said, say, params, check, client } = await play()
  const { status, body } = await house.owner.call(configureDevice, { params, body: { apn: 'iot.example', logger_level: 'debug' } })
  expect(status).toBe(200)
  await expect.poll(() => said).toHaveLength(1)
  // A private APN comes with the list of those that the device accepts.
  expect(said[0]).toEqual({
    command: 'config',
    data: {
      id: body.id,
      ts: expect.any(Number),
      configs: { apn: 'iot.example', logger_level: 'debug', acceptable_apns: ['super', 'de1.super', 'sg1.super', 'iot.example'] },
    },
  })
  const state = () => check().then(({ configs }) => configs[0]!.state)
  await say({ type: 'config', data: { id: body.id, status: 'sent' } })
  await expect.poll(state).toBe('sent')
  for (let times = 1; times <= 2; times++) {
    await say({ type: 'config', data: { id: body.id, status: 'received' } })
    await expect.poll(() => said.filter(({ command, data }) => command === 'ack' && data === body.id)).toHaveLength(times)
  }
  expect(await state()).toBe('acked')
  await say({ type: 'data_config', data: { apn: 'iot.example' }, mid: '0001' })
  await expect.poll(async () => (await check()).reported.config).toEqual({ apn: 'iot.example' })
  expect((await check()).desired).toMatchObject({ apn: 'iot.example', logger_level: 'debug' })
  await client.endAsync()
})

test('a change that the device does not answer is said again after 30 seconds, in the order in which they were made, and not once withdrawn', async () => {
  const { said, params, client, check } = await play()
  const first = await house.owner.call(configureDevice, { params, body: { ping_timeout: 5 } })
  const second = await house.owner.call(configureDevice, { params, body: { ping_timeout: 6 } })
  const ids = () => said.map(({ data }) => data.id)
  await expect.poll(ids).toEqual([first.body.id, second.body.id])
  house.clock.advance({ seconds: 31 })
  await expect.poll(ids, { timeout: 20_000 }).toEqual([first.body.id, second.body.id, first.body.id, second.body.id])
  const withdrawn = await house.owner.call(withdrawConfig, { params: { ...params, config_id: second.body.id } })
  expect(withdrawn.body.state).toBe('withdrawn')
  expect((await check()).desired).toEqual({ ping_timeout: 5 })
  expect((await house.owner.call(withdrawConfig, { params: { ...params, config_id: second.body.id } })).body.code).toBe(
    'change_not_waiting'
  )
  await client.endAsync()
})

test('a change that the device has all the same is withdrawn no more once the device says so', async () => {
  const { said, say, params, client, check } = await play()
  const first = await house.owner.call(configureDevice, { params, body: { ping_timeout: 5, debug_mode: true } })
  await house.owner.call(configureDevice, { params, body: { debug_mode: false } })
  await expect.poll(() => said).toHaveLength(2)
  await house.owner.call(withdrawConfig, { params: { ...params, config_id: first.body.id } })
  expect((await check()).desired).toEqual({ debug_mode: false })
  await say({ type: 'config', data: { id: first.body.id, status: 'sent' } })
  const state = async () => (await check()).configs.find(({ id }) => id === first.body.id)!.state
  await expect.poll(state).toBe('sent')
  // The later change stands.
  expect((await check()).desired).toEqual({ ping_timeout: 5, debug_mode: false })
  await say({ type: 'config', data: { id: first.body.id, status: 'received' } })
  await expect.poll(state).toBe('acked')
  await client.endAsync()
})

test('a cell and a diagnosis are said as a whole: nothing of the one before stays', async () => {
  const { said, say, check, client } = await play()
  const first = { radio_type: 'wcdma', mcc: 204, mnc: 8, lac: 4711, cid: 9, psc: 3 }
  await say({ type: 'data_geolocation', data: first, mid: '0001' })
  await say({ type: 'data_diagnostic', data: { diagnostic: 333, incident_id: 1, timestamp: 5 }, mid: '0002' })
  await say({ type: 'data_monitoring', data: { signal_quality: 'good' }, mid: '0003' })
  await expect.poll(() => said).toHaveLength(3)
  expect((await check()).reported.geolocation).toEqual(first)
  const [second, third] = ['lte', 'gsm'].map((radio_type) => ({ radio_type, mcc: 204, mnc: 8, tac: 5, cid: 10 }))
  await say({ type: 'data_geolocation', data: second, mid: '0004' })
  await expect.poll(() => said).toHaveLength(4)
  const { reported } = await check()
  expect(reported).toMatchObject({ monitoring: { signal_quality: 'good' }, diagnostic: { diagnostic: 333, incident_id: 1, timestamp: 5 } })
  expect(reported.geolocation).toEqual(second)
  // Two that are stored together.
  await Promise.all([
    say({ type: 'data_geolocation', data: first, mid: '0005' }),
    say({ type: 'data_geolocation', data: third, mid: '0006' }),
    say({ type: 'data_diagnostic', data: { diagnostic: 511, incident_id: 2 }, mid: '0007' }),
  ])
  await expect.poll(() => said).toHaveLength(7)
  expect((await check()).reported).toMatchObject({ monitoring: { signal_quality: 'good' } })
  expect((await check()).reported.geolocation).toEqual(third)
  expect((await check()).reported.diagnostic).toEqual({ diagnostic: 511, incident_id: 2 })
  await client.endAsync()
})

test('an update is sent to the device once, and what it says of it is shown', async () => {
  const { said, say, params, check, client } = await play()
  await say({ type: 'data_system', data: { manager_version: '1.8.2' }, mid: '0001' })
  await expect.poll(() => said).toHaveLength(1)
  expect((await house.owner.call(updateDevice, { params, body: { update: ['manager'] } })).status).toBe(200)
  await expect.poll(() => said.at(-1)).toEqual({ command: 'maintenance', data: { update: ['manager'], restart: [], beta: false } })
  await say({ type: 'update_status', status: 'download_manager' })
  await expect
    .poll(async () => (await check()).maintenance)
    .toMatchObject({ services: ['manager'], versions: { manager: '1.8.2' }, status: 'download_manager' })
  for (const odd of ['Your-password-please', 'x'.repeat(5000), 7]) {
    await say({ type: 'update_status', status: odd })
    await expect.poll(async () => (await check()).maintenance?.status).toBe('unknown')
    await say({ type: 'update_status', status: 'restart_manager' })
    await expect.poll(async () => (await check()).maintenance?.status).toBe('restart_manager')
  }
  await client.endAsync()
})

test('of updates that wait for a device each is asked once, whoever asks how often', async () => {
  const { account_id, device_id, said, params, client, username } = await play()
  await client.unsubscribeAsync(topicsOf(username).directives)
  const update = (services: Updatable[], beta = false) => house.owner.call(updateDevice, { params, body: { update: services, beta } })
  const waiting = async () => {
    const rows = await house.db.selectFrom('device_directive').select('payload').where('device_id', '=', device_id).execute()
    return rows.map(({ payload }) => (payload.data as { update: string[] }).update.join()).toSorted()
  }
  for (let n = 0; n < 5; n++)
    for (const services of [['manager'], ['agent']] satisfies Updatable[][]) expect((await update(services)).status).toBe(200)
  expect(await waiting()).toEqual(['agent', 'manager'])
  await update(['manager', 'agent'])
  await update(['agent'], true)
  expect(await waiting()).toEqual(['agent', 'manager,agent'])
  const asset = { asset_id: params.asset_id, asset_name: 'Weir' }
  await house.db.transaction().execute((tx) => updateDevices(tx, systemActor(account_id, house.clock.now()), [asset]))
  expect(await waiting()).toEqual(['manager,agent'])
  await client.subscribeAsync(topicsOf(username).directives, { qos: 1 })
  await expect.poll(() => said.map(({ command }) => command)).toEqual(['maintenance'])
  await client.endAsync()
})

test('what is sent to a device waits until it is subscribed to the topic by which it is sent', async () => {
  const { account_id, device_id, username, client, said, params, check } = await play()
  const { directives, request } = topicsOf(username)
  const send = (payload: Record<string, unknown>) =>
    house.db.transaction().execute((tx) => sendDirective(tx, { account_id, device_id, payload, at: house.clock.now() }))
  const signal = (id: string) => ({ command: 'signal', data: { id, payload: 'b2ZmZXI=' } })
  const waiting = async () => {
    const rows = await house.db.selectFrom('device_directive').select('payload').where('device_id', '=', device_id).execute()
    return rows.map(({ payload }) => payload)
  }

  await client.unsubscribeAsync(directives)
  await send({ command: 'x', data: 'one' })
  const { body } = await house.owner.call(configureDevice, { params, body: { ping_timeout: 5 } })
  await send(signal('first'))
  await expect.poll(() => said).toEqual([signal('first').data])
  expect(await waiting()).toEqual([{ command: 'x', data: 'one' }])
  expect((await check()).configs[0]).toMatchObject({ id: body.id, published_at: null })

  await client.unsubscribeAsync(request)
  await client.subscribeAsync(directives, { qos: 1 })
  await expect.poll(() => said.slice(1).map(({ command }) => command)).toEqual(['x', 'config'])
  await send(signal('second'))
  await send({ command: 'x', data: 'two' })
  await expect.poll(() => said.at(-1)).toEqual({ command: 'x', data: 'two' })
  expect(said).toHaveLength(4)
  expect(await waiting()).toEqual([signal('second')])
  await client.subscribeAsync(request, { qos: 1 })
  await expect.poll(() => said.at(-1)).toEqual(signal('second').data)
  await client.endAsync()
})

test('interfaces that are left alone are sent as a list, which takes the place of the one before', async () => {
  const { said, params, check, client } = await play()
  for (const network_interface_exceptions of [['tun0', 'docker0'], []]) {
    expect((await house.owner.call(configureDevice, { params, body: { network_interface_exceptions } })).status).toBe(200)
    await expect.poll(() => said.at(-1)?.data.configs).toEqual({ network_interface_exceptions })
    expect((await check()).desired).toEqual({ network_interface_exceptions })
  }
  await client.endAsync()
})

test('values that the device would leave without a word are refused, and so is what is no CORE device', async () => {
  const { params, client } = await play()
  for (const body of [
    {},
    { network_interface_exceptions: ['tun 0'] },
    { network_interface_exceptions: Array<string>(17).fill('tun0') },
    { ping_timeout: 61 },
    { apn: 'no good' },
    { logger_level: 'loud' as 'info' },
  ])
    expect((await house.owner.call(configureDevice, { params, body })).status, JSON.stringify(body)).toBe(400)
  const agent = await house.newDevice('agent')
  const asset_id = agent.asset_id
  expect((await house.owner.call(configureDevice, { params: { asset_id }, body: { apn: 'super' } })).body.code).toBe('core_device_only')
  await house.db.deleteFrom('device').where('id', '=', agent.device_id).execute()
  expect((await house.owner.call(configureDevice, { params: { asset_id }, body: { apn: 'super' } })).body.code).toBe('no_device_yet')
  await client.endAsync()
})
