import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDevice } from '@masthead/contract/devices/agent/device-operations'
import * as ops from '@masthead/contract/devices/agent/operations'
import { addAsset } from '../assets/test-stock.ts'
import { makeCertificate, type Certificate } from './broker/own-certificate.ts'
import { startBroker } from './broker/start-broker.ts'
import { closing, connectDevice, goOnline, openBrokerHouse, type BrokerHouse } from './test-broker.ts'

let house: BrokerHouse
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const endOf = ({ cert }: Certificate) => ({ ends_at: new Date(new X509Certificate(cert).validTo).toISOString() })
const day = 86_400_000
const certificateOf = (days = 0) => makeCertificate(['weir'], house.clock.now().getTime() + days * day)

/** Sets up an asset's device, in place of the one that it may have. */
async function claim(asset_id: string, certificate?: string) {
  const { code } = (await house.owner.call(ops.makeClaimCode, { params: { asset_id } })).body
  return house.owner.call(claimDevice, { body: { code, host_name: 'weir', ...(certificate !== undefined && { certificate }) } })
}
const signIn = (device_id: string, ca: string, certificate?: Certificate, password?: string): Promise<MqttClient> =>
  connectAsync(`mqtts://127.0.0.1:${house.broker.ports.mqtts}`, {
    clientId: `device/${device_id}`,
    username: device_id,
    reconnectPeriod: 0,
    protocolVersion: 4,
    ca,
    ...certificate,
    ...(password !== undefined && { password }),
  })

test('a device signs in with the certificate that it was set up with, in place of its token', async () => {
  const { id: asset_id } = await addAsset(house, house.owner, { name: 'Weir' })
  const mine = certificateOf()
  const { status, body } = await claim(asset_id, mine.cert)
  expect(status).toBe(200)
  const { device_id, token, mqtts_ca } = body
  // The broker made its certificate itself: whoever was set up knows it, and checks its name by it.
  const ca = mqtts_ca!
  const client = await signIn(device_id, ca, mine)
  await client.publishAsync(`device/${device_id}/birth`, JSON.stringify({ seq: 0, ts: 1 }), { qos: 1 })
  await expect.poll(async () => (await house.find(device_id)).online).toBe(true)
  await client.endAsync()

  const others = [undefined, certificateOf(), { cert: certificateOf().cert, key: mine.key }]
  await expect(signIn(device_id, ca, others[0])).rejects.toThrow()
  await expect(signIn(device_id, ca, others[1])).rejects.toThrow()
  await expect(signIn(device_id, ca, others[2])).rejects.toThrow()
  const other = await house.newDevice('agent')
  await expect(signIn(other.device_id, ca, mine), 'as another device').rejects.toThrow()
  await (await signIn(device_id, ca, undefined, token)).endAsync()

  // One of the same key that is not valid now is none.
  house.clock.set(new Date(house.clock.now().getTime() + 900 * day))
  await expect(signIn(device_id, ca, mine)).rejects.toThrow()
  house.clock.set(new Date(house.clock.now().getTime() - 900 * day))

  const open = await signIn(device_id, ca, mine)
  const closed = closing(open)
  await claim(asset_id)
  await closed
  await expect(signIn(device_id, ca, mine)).rejects.toThrow()
})

test('a device that is set up gets another certificate, which ends what was opened with the one before, and is left with its token', async () => {
  const { owner } = house
  const { id: asset_id } = await addAsset(house, owner, { name: 'Sluice' })
  const params = { asset_id }
  const [first, second] = [certificateOf(), certificateOf(1)]
  expect((await owner.call(ops.setCertificate, { params, body: { certificate: first.cert } })).body.code).toBe('device_not_enrolled')
  const { device_id, token, mqtts_ca: ca } = (await claim(asset_id, first.cert)).body
  const shown = async () => (await owner.call(ops.getAgent, { params })).body.certificate
  expect(await shown()).toEqual(endOf(first))
  const closed = closing(await signIn(device_id, ca!, first))
  expect((await owner.call(ops.setCertificate, { params, body: { certificate: second.cert } })).body.certificate).toEqual(endOf(second))
  await closed
  await expect(signIn(device_id, ca!, first)).rejects.toThrow()
  const open = closing(await signIn(device_id, ca!, second))
  for (const certificate of ['something', certificateOf(-900).cert]) {
    const refused = await owner.call(ops.setCertificate, { params, body: { certificate } })
    expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([400, ['certificate']])
  }
  expect(await shown()).toEqual(endOf(second))
  expect((await owner.call(ops.removeCertificate, { params })).body.certificate).toBeNull()
  await open
  expect((await owner.call(ops.removeCertificate, { params })).body.code).toBe('certificate_not_set')
  await expect(signIn(device_id, ca!, second)).rejects.toThrow()
  await (await signIn(device_id, ca!, undefined, token)).endAsync()
  const said = (await house.events(owner.account_id)).map(({ name }) => name).filter((name) => name.includes('device_certificate'))
  expect(said).toEqual(['assets.device_certificate_set', 'assets.device_certificate_removed'])
})

test('of a certificate that was made anew of the same key the end that is shown is its own', async () => {
  const { id: asset_id } = await addAsset(house, house.owner, { name: 'Lock' })
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const now = house.clock.now().getTime()
  const [first, renewed] = [makeCertificate(['lock'], now, keys), makeCertificate(['lock'], now + day / 2, keys)]
  const { device_id, mqtts_ca: ca } = (await claim(asset_id, first.cert)).body
  const shown = async () => (await house.owner.call(ops.getAgent, { params: { asset_id } })).body.certificate
  // What another key signed says nothing of it.
  await expect(signIn(device_id, ca!, certificateOf(1))).rejects.toThrow()
  expect(await shown()).toEqual(endOf(first))
  await (await signIn(device_id, ca!, renewed)).endAsync()
  await expect.poll(shown).toEqual(endOf(renewed))
})

test('what is no certificate sets nothing up, and the code stays good', async () => {
  const { id: asset_id } = await addAsset(house, house.owner, { name: 'Gate' })
  const { code } = (await house.owner.call(ops.makeClaimCode, { params: { asset_id } })).body
  const refused = await house.owner.call(claimDevice, { body: { code, certificate: 'something' } })
  expect([refused.status, refused.body.fields]).toEqual([400, { certificate: 'This is no certificate' }])
  expect((await house.owner.call(claimDevice, { body: { code } })).status).toBe(200)
})

test('a device that connects to another broker leaves the one before', async () => {
  const { config, log } = house.app
  const other = await startBroker({ config, databaseUrl: house.databaseUrl, log, clock: house.clock, name: 'other' })
  const device = await house.newDevice()
  const first = await goOnline(house, device, { seq: 0, ts: 100, fresh: true })
  await expect.poll(() => house.find(device.device_id)).toMatchObject({ online: true, held_by: 'test' })
  const closed = closing(first.client)
  const second = await goOnline({ connect: (login, options) => connectDevice(other.ports.mqtt, login, options) }, device, {
    seq: 1,
    ts: 200,
  })
  await closed
  expect(await house.find(device.device_id)).toMatchObject({ online: true, held_by: 'other', last_ts: 200 })
  // Back again: the word of the move before ends nothing.
  const left = closing(second.client)
  const third = await goOnline(house, device, { seq: 2, ts: 300 })
  await left
  await expect.poll(() => house.find(device.device_id)).toMatchObject({ online: true, held_by: 'test', last_ts: 300 })
  expect(third.client.connected).toBe(true)
  await third.client.endAsync()
  await other.stop()
})
