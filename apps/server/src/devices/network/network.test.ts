import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDesiredState } from '@masthead/contract/devices/agent/device-operations'
import { agentTopics, reportOf, type Directive } from '@masthead/contract/devices/agent/messages'
import { listAlerts } from '@masthead/contract/notifications/operations'
import * as ops from '@masthead/contract/devices/network/operations'
import type { ReportedNetwork } from '@masthead/contract/devices/network/reported'
import { networkState, type Network } from '@masthead/contract/devices/network/view'
import { listActivities } from '@masthead/contract/activities/operations'
import { reencryptSecrets } from '../../reencrypt-secrets.ts'
import { putAgent } from '../agent/test-agent.ts'
import { openBrokerHouse, type BrokerHouse } from '../test-broker.ts'
import { networkSecretsOf } from './network-rows.ts'

let house: BrokerHouse
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const desired = async (key: string) => (await house.owner.call(getDesiredState, {}, { 'x-device-key': key })).body.network

const at = '2026-11-26T10:00:00.000Z'
const of = (name: string, metric: number | null) => ({
  name,
  kind: 'E' as const,
  up: true,
  addresses: [],
  metric,
  connection: null,
  internet: null,
})
const report = (change: ReportedNetwork['change'], esim: ReportedNetwork['esim'] = null): ReportedNetwork => ({
  at,
  words: null,
  manager: 'NetworkManager 1.42',
  modem_words: null,
  interfaces: [of('usb0', null), of('eth0', 200), of('wlan0', 100)],
  apn: null,
  modem: null,
  wifi: null,
  esim,
  change,
  pin: null,
})
/** Connects as our agent does. `say`: resolves once a report is stored. */
async function comeOnline({ device_id, token }: { device_id: string; token: string }) {
  const client = await house.connect({ device_id, username: device_id, password: token })
  const topics = agentTopics(device_id)
  const directives: Directive[] = []
  client.on('message', (_topic, payload) => directives.push(JSON.parse(String(payload)) as Directive))
  await client.subscribeAsync(topics.directives, { qos: 1 })
  let mids = 0
  const say = async (data: ReportedNetwork) => {
    const mid = `m${++mids}`
    await client.publishAsync(topics.hive, JSON.stringify(reportOf('network', data, mid)), { qos: 1 })
    await expect.poll(() => directives).toContainEqual({ command: 'ack', data: mid })
  }
  return { client, directives, say }
}

test('password and PIN reach the device and are never shown; what is left out stays', async () => {
  const { owner } = house
  const { asset_id, key } = await putAgent(house, owner)
  const params = { asset_id }
  const set = (body: object) => owner.call(ops.updateSimAccess, { params, body })
  expect(await set({ user: 'who' })).toMatchObject({ status: 409, body: { code: 'apn_not_set' } })
  expect((await set({})).status).toBe(400)
  const first = await set({ apn: 'iot.example', user: 'who', password: 'very-secret', pin: '123456' })
  expect(first.text).not.toMatch(/very-secret|123456/)
  expect(first.body.wanted).toMatchObject({ priority: ['eth0'], apn: { name: 'iot.example', user: 'who', has_password: true } })
  const office = { ssid: 'office', security: 'wpa2', hidden: false, password: 'very-secret' }
  const rows = async () => JSON.stringify(await house.db.selectFrom('device_network').selectAll().execute())
  expect(await rows()).not.toMatch(/very-secret|123456/)
  const { generation } = first.body.wanted!
  expect(await desired(key)).toEqual({
    generation,
    priority: ['eth0'],
    apn: { name: 'iot.example', user: 'who', password: 'very-secret' },
    pin: { generation, code: '123456' },
    wifi: [office],
    profile: null,
    esim: null,
  })
  await set({ user: 'other' })
  expect(await desired(key)).toMatchObject({ apn: { user: 'other', password: 'very-secret' }, pin: { generation } })
  await set({ apn: 'another.example' })
  expect(await desired(key)).toMatchObject({ apn: { name: 'another.example', user: null, password: null } })
  await set({ apn: null, pin: null })
  expect(await desired(key)).toMatchObject({ priority: ['eth0'], apn: null, pin: null })
  await set({ apn: 'iot.example', password: 'very-secret' })
  await reencryptSecrets(house.db as never)
  expect(await desired(key)).toMatchObject({ apn: { password: 'very-secret' } })
  const log = await owner.call(listActivities, { query: {} })
  expect(log.text).toContain('Set the APN and the SIM PIN of the device of Truck')
  expect(log.text).not.toMatch(/very-secret|123456/)
})

test('it is pending, sent, and then what the device says of that very generation', async () => {
  const { owner } = house
  const { asset_id, device_id, token, key } = await putAgent(house, owner)
  const params = { asset_id }
  const state = async () => networkState((await owner.call(ops.getNetwork, { params })).body)
  const changed = await owner.call(ops.updateNetworkPriority, { params, body: { interfaces: ['wlan0', 'eth0'] } })
  expect(await state()).toBe('pending')
  await desired(key)
  expect(await state()).toBe('sent')
  const sent_at = (await owner.call(ops.getNetwork, { params })).body.wanted!.sent_at
  house.clock.advance({ minutes: 5 })
  await desired(key)
  expect((await owner.call(ops.getNetwork, { params })).body.wanted!.sent_at).toBe(sent_at)

  const { client, directives, say } = await comeOnline({ device_id, token })
  const { generation } = changed.body.wanted!
  const change = { generation, words: null, began_at: at, until: null, ended_at: at }
  await say(report({ ...change, generation: generation - 1, state: 'kept' }))
  expect(await state()).toBe('sent')
  await say(report({ ...change, state: 'undone', words: 'The server was not reached with it' }))
  expect(await state()).toBe('undone')
  await say(report({ ...change, state: 'undone', words: 'The server was not reached with it' }))
  const undone = (await house.events(owner.account_id)).filter(({ name }) => name === 'assets.network_undone')
  await house.settle()
  const alerts = async () => (await owner.call(listAlerts)).body.items.filter(({ link }) => link === `/assets/${asset_id}/network`)
  expect(await alerts()).toMatchObject([{ severity: 'warn', resolved_at: null }])
  expect(undone.map(({ detail }) => detail)).toEqual([expect.objectContaining({ asset_id, words: 'The server was not reached with it' })])
  expect((await owner.call(ops.getNetworkPriority, { params })).body).toEqual({
    wanted: ['wlan0', 'eth0'],
    reported: ['wlan0', 'eth0', 'usb0'],
  })
  const again = await owner.call(ops.retryNetwork, { params })
  expect(again.body.wanted!.generation).toBeGreaterThan(generation)
  await house.settle()
  expect(await alerts()).toMatchObject([{ resolved_at: expect.any(String) }])
  expect(await state()).toBe('pending')
  await expect.poll(() => directives.at(-1)).toEqual({ command: 'look' })
  // What has not the shape of a report is not shown.
  await say({ ...report(null), interfaces: 'none' } as never)
  expect((await owner.call(ops.getNetwork, { params })).body.reported).toBeNull()
  await client.endAsync(true)
})

test('a Wi-Fi network keeps its password until it is forgotten', async () => {
  const { owner } = house
  const { asset_id, key } = await putAgent(house, owner)
  const params = { asset_id }
  const connect = (body: { ssid: string; password?: string; security?: 'open' | 'wpa3' }) => owner.call(ops.connectWifi, { params, body })
  expect(await connect({ ssid: 'yard' })).toMatchObject({ status: 409, body: { code: 'wifi_password_missing' } })
  expect((await connect({ ssid: 'yard', password: 'short' })).status).toBe(400)
  expect((await connect({ ssid: 'ä'.repeat(17), password: 'long-enough' })).status).toBe(400)
  expect((await connect({ ssid: 'guest', security: 'open', password: 'long-enough' })).status).toBe(400)
  const made = await connect({ ssid: 'yard', password: 'long-enough' })
  expect(made.text).not.toMatch(/long-enough|very-secret/)
  expect(made.body.wanted!.wifi.map(({ ssid }) => ssid)).toEqual(['office', 'yard'])
  await connect({ ssid: 'office', security: 'wpa3' })
  expect((await desired(key))!.wifi).toEqual([
    { ssid: 'yard', security: 'wpa2', hidden: false, password: 'long-enough' },
    { ssid: 'office', security: 'wpa3', hidden: false, password: 'very-secret' },
  ])
  await owner.call(ops.forgetWifi, { params, body: { ssid: 'yard' } })
  expect((await owner.call(ops.forgetWifi, { params, body: { ssid: 'yard' } })).status).toBe(404)
  expect(JSON.stringify((await desired(key))!.wifi)).not.toContain('long-enough')
  for (let n = 0; n < 7; n++) expect((await connect({ ssid: `open ${n}`, security: 'open' })).status).toBe(200)
  expect(await connect({ ssid: 'one more', security: 'open' })).toMatchObject({ status: 409, body: { code: 'too_many_wifi' } })
})

test('a profile is added by a code that is never shown, kept until the device says what came of it; one thing after the other; what is deleted is not switched to', async () => {
  const { owner } = house
  const { asset_id, device_id, token, key } = await putAgent(house, owner)
  const params = { asset_id }
  const iccid = '8931440400002815534'
  expect((await owner.call(ops.addEsimProfile, { params, body: { act_code: 'smdp.example.com' } })).status).toBe(400)
  const body = { act_code: 'LPA:1$smdp.example.com$MATCH-ME', confirmation_code: '4711' }
  const before = (await owner.call(ops.getNetwork, { params })).body
  const added = await owner.call(ops.addEsimProfile, { params, body })
  expect(added.text).not.toContain('MATCH-ME')
  expect(JSON.stringify(await house.db.selectFrom('device_network').selectAll().execute())).not.toContain('MATCH-ME')
  const { generation } = added.body.wanted!.esim_job!
  // No other settings: what was kept or undone of them is not tried anew.
  const settings = ({ wanted }: Network) => [wanted!.generation, wanted!.changed_at, wanted!.changed_by]
  expect(settings(added.body)).toEqual(settings(before))
  expect(added.body.wanted!.generation).not.toBe(generation)
  expect((await desired(key))!.esim).toEqual({ generation, do: 'add', code: body.act_code, confirmation: '4711' })
  expect(await owner.call(ops.deleteEsimProfile, { params, body: { iccid } })).toMatchObject({ status: 409, body: { code: 'esim_busy' } })
  await owner.call(ops.updateActiveEsim, { params, body: { iccid } })
  expect(await desired(key)).toMatchObject({ profile: iccid, esim: { generation } })
  expect((await owner.call(ops.getEsim, { params })).body).toEqual({ wanted: iccid, waits: true, reported: null })
  const { client, directives, say } = await comeOnline({ device_id, token })
  const job = { generation, do: 'add' as const, step: null, percent: 57, words: null, at }
  const esim = { words: null, eid: null, profiles: [] }
  await say(report(null, { ...esim, job: { ...job, state: 'running' } }))
  expect((await desired(key))!.esim).toMatchObject({ generation })
  const looks = () => directives.filter(({ command }) => command === 'look').length
  await expect.poll(looks).toBe(1)
  // What an earlier one came to says nothing of this one.
  await say(report(null, { ...esim, job: { ...job, generation: generation - 1, state: 'done' } }))
  expect((await desired(key))!.esim).toMatchObject({ generation })
  await say(report(null, { ...esim, job: { ...job, state: 'failed', words: 'The code was used already' } }))
  // The code is deleted here, and on the device, which looks anew; other secrets stay.
  expect(await desired(key)).toMatchObject({ profile: iccid, esim: null, wifi: [{ ssid: 'office', password: 'very-secret' }] })
  await expect.poll(looks).toBe(2)
  const row = await house.db.selectFrom('device_network').selectAll().where('asset_id', '=', asset_id).executeTakeFirstOrThrow()
  expect(JSON.stringify(networkSecretsOf(house.app.db, row))).not.toContain('MATCH-ME')
  expect((await owner.call(ops.getEsim, { params })).body).toMatchObject({ waits: false, reported: { job: { state: 'failed' } } })
  // The profile that is wanted changes with it, which counts as a change of the settings: the one who deletes it made it.
  const deleted = (await owner.call(ops.deleteEsimProfile, { params, body: { iccid } })).body
  const { generation: wanted } = (await desired(key))!
  expect(await desired(key)).toMatchObject({ profile: null, esim: { generation: wanted, do: 'delete', iccid } })
  expect(wanted).toBeGreaterThan(generation)
  expect(deleted.wanted).toMatchObject({ generation: wanted, changed_by: owner.email })
  await client.endAsync(true)
})

test('a profile is added with a name and an APN, which is set by the switch to it and taken back by the switch to the one before', async () => {
  const { owner } = house
  const { asset_id, device_id, token, key } = await putAgent(house, owner)
  const params = { asset_id }
  const [before, added] = ['8931082017004430677', '8931440400002815536']
  const body = { act_code: 'LPA:1$smdp.example.com$MATCH-ME', name: 'Field', apn: 'iot.example' }
  expect((await owner.call(ops.addEsimProfile, { params, body: { ...body, name: 'x'.repeat(65) } })).status).toBe(400)
  expect((await owner.call(ops.addEsimProfile, { params, body: { ...body, apn: 'no APN' } })).status).toBe(400)
  const { generation } = (await owner.call(ops.addEsimProfile, { params, body })).body.wanted!.esim_job!
  // Another change meanwhile keeps both.
  await owner.call(ops.updateNetworkPriority, { params, body: { interfaces: ['wwan0'] } })
  expect(await desired(key)).toMatchObject({ apn: null, esim: { generation, do: 'add', name: 'Field', apn: 'iot.example' } })
  const { client, say } = await comeOnline({ device_id, token })
  const profile = (iccid: string, enabled: boolean) => ({ aid: null, iccid, provider: null, name: null, enabled })
  const job = { generation, do: 'add' as const, state: 'done' as const, step: null, percent: 100, words: null, iccid: added, at }
  const esim = { words: null, eid: null, profiles: [profile(before, true), profile(added, false)], job }
  await say({ ...report(null, esim), apn: { name: 'super', user: null, has_password: false } })
  expect(await desired(key)).toMatchObject({ apn: null, esim: null })
  await owner.call(ops.updateActiveEsim, { params, body: { iccid: added } })
  expect(await desired(key)).toMatchObject({ profile: added, apn: { name: 'iot.example', user: null, password: null } })
  await owner.call(ops.updateActiveEsim, { params, body: { iccid: before } })
  expect(await desired(key)).toMatchObject({ profile: before, apn: { name: 'super' } })
  // With the profile its APN is forgotten.
  await owner.call(ops.deleteEsimProfile, { params, body: { iccid: added } })
  await owner.call(ops.updateActiveEsim, { params, body: { iccid: added } })
  expect(await desired(key)).toMatchObject({ profile: added, apn: { name: 'super' } })
  await client.endAsync(true)
})

test('what a device has not begun with its eSIM is withdrawn, so that it holds up nothing; what it has begun is not', async () => {
  const { owner } = house
  const { asset_id, device_id, token, key } = await putAgent(house, owner)
  const params = { asset_id }
  const refused = { status: 409, body: { code: 'esim_not_waiting' } }
  expect(await owner.call(ops.withdrawEsimJob, { params })).toMatchObject(refused)
  const body = { act_code: 'LPA:1$smdp.example.com$MATCH-ME' }
  await owner.call(ops.addEsimProfile, { params, body })
  // It has asked for it, and may never come back.
  await desired(key)
  expect((await owner.call(ops.withdrawEsimJob, { params })).body.wanted).toMatchObject({ esim_job: null, priority: ['eth0'] })
  expect((await desired(key))!.esim).toBeNull()
  const row = await house.db.selectFrom('device_network').selectAll().where('asset_id', '=', asset_id).executeTakeFirstOrThrow()
  expect(JSON.stringify(networkSecretsOf(house.app.db, row))).not.toContain('MATCH-ME')
  const said = (await house.events(owner.account_id)).filter(({ name }) => name === 'assets.esim_job_withdrawn')
  expect(said).toMatchObject([{ detail: { asset_id } }])
  expect(await owner.call(ops.withdrawEsimJob, { params })).toMatchObject(refused)
  const again = await owner.call(ops.addEsimProfile, { params, body })
  const { generation } = again.body.wanted!.esim_job!
  const { client, say } = await comeOnline({ device_id, token })
  const job = { generation, do: 'add' as const, state: 'running' as const, step: null, percent: 1, words: null, at }
  await say(report(null, { words: null, eid: null, profiles: [], job }))
  expect(await owner.call(ops.withdrawEsimJob, { params })).toMatchObject(refused)
  await client.endAsync(true)
  const isOnline = async () => (await house.db.selectFrom('device').select('online').where('id', '=', device_id).executeTakeFirst())?.online
  await expect.poll(isOnline).toBe(false)
  const awaySince = (minutes: number) =>
    sql`update device set since = ${new Date(house.clock.now().getTime() - minutes * 60_000)} where id = ${device_id}`.execute(house.db)
  await awaySince(59)
  expect(await owner.call(ops.withdrawEsimJob, { params })).toMatchObject(refused)
  expect(await owner.call(ops.addEsimProfile, { params, body })).toMatchObject({ status: 409, body: { code: 'esim_busy' } })
  await awaySince(60)
  expect((await owner.call(ops.withdrawEsimJob, { params })).body.wanted).toMatchObject({ esim_job: null })
  expect((await owner.call(ops.addEsimProfile, { params, body })).status).toBe(200)
})

test('without a device, or without a wish, it is refused in words', async () => {
  const { owner } = house
  const { asset_id } = await putAgent(house, owner)
  await house.db.deleteFrom('device_network').execute()
  expect(await owner.call(ops.retryNetwork, { params: { asset_id } })).toMatchObject({ status: 409, body: { code: 'network_not_wanted' } })
  await house.db.deleteFrom('device').execute()
  expect(await owner.call(ops.updateNetworkPriority, { params: { asset_id }, body: { interfaces: ['eth0'] } })).toMatchObject({
    status: 409,
    body: { code: 'device_not_enrolled' },
  })
  const twice = await owner.call(ops.updateNetworkPriority, { params: { asset_id }, body: { interfaces: ['eth0', 'eth0'] } })
  expect(twice.status).toBe(400)
})
