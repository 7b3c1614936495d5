import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import { agentTopics, reportOf, type Directive, type ReportedState } from '@masthead/contract/devices/agent/messages'
import { getDesiredState } from '@masthead/contract/devices/agent/device-operations'
import * as ops from '@masthead/contract/devices/agent/operations'
import type { ReportedUpdate } from '@masthead/contract/devices/agent/update'
import { openBrokerHouse, type BrokerHouse } from '../test-broker.ts'
import { offerAgent, offeredSum, putAgent } from './test-agent.ts'

let house: BrokerHouse
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const wanted = async (key: string) => (await house.owner.call(getDesiredState, {}, { 'x-device-key': key })).body.agent

test('an update is asked for, the device is sent it, and what it says of it is shown until it runs the version', async () => {
  const { owner } = house
  const { asset_id, key, device_id, token } = await putAgent(house, owner)
  const params = { asset_id }
  expect((await owner.call(ops.getAgent, { params })).body).toMatchObject({ version: '0.1.0', offered: '0.2.0', newer: true, update: null })
  expect(await wanted(key)).toBeNull()
  const client = await house.connect({ device_id, username: device_id, password: token })
  const topics = agentTopics(device_id)
  const directives: Directive[] = []
  client.on('message', (_topic, payload) => directives.push(JSON.parse(String(payload)) as Directive))
  await client.subscribeAsync(topics.directives, { qos: 1 })
  await expect.poll(() => directives.length).toBe(1)

  const asked = await owner.call(ops.updateAgent, { params })
  expect(asked.body).toMatchObject({ newer: true, update: { version: '0.2.0', asked_by: owner.email, state: 'asked', words: null } })
  await expect.poll(() => directives).toEqual([{ command: 'look' }, { command: 'look' }])
  const given = (await wanted(key))!
  expect(given).toEqual({ id: given.id, version: '0.2.0', sha256: offeredSum })

  let mids = 0
  const report = async (agent: string, update: ReportedUpdate | null) => {
    const now = house.clock.now().toISOString()
    const versions = { agent, os: 'Debian', kernel: '6', engine: null }
    const host = { name: 'truck', arch: 'arm64', model: null, serial: null }
    const rest = {
      at: now,
      seq: ++mids,
      started_at: now,
      booted_at: now,
      interfaces: [],
      engine_words: null,
      containers: null,
      revision: 0,
    }
    const state: ReportedState = { ...rest, versions, host, update }
    await client.publishAsync(topics.hive, JSON.stringify(reportOf('agent', state, `m${mids}`)), { qos: 1 })
    await expect.poll(() => directives.at(-1)).toEqual({ command: 'ack', data: `m${mids}` })
    return (await owner.call(ops.getAgent, { params })).body
  }
  const at = house.clock.now().toISOString()
  const said = { id: given.id, version: '0.2.0', words: null, at }
  expect(await report('0.1.0', { ...said, state: 'downloading' })).toMatchObject({ update: { state: 'downloading', percent: null } })
  expect(await report('0.1.0', { ...said, state: 'downloading', percent: 40 })).toMatchObject({ update: { percent: 40 } })
  expect(await report('0.2.0', { ...said, state: 'on_trial' })).toMatchObject({
    version: '0.2.0',
    newer: false,
    update: { state: 'on_trial' },
  })
  const words = 'Version 0.2.0 ended 3 times. Version 0.1.0 is used again'
  expect(await report('0.1.0', { ...said, state: 'gone_back', words })).toMatchObject({
    newer: true,
    update: { state: 'gone_back', words, at },
  })

  const again = await owner.call(ops.updateAgent, { params })
  expect(again.body.update).toMatchObject({ state: 'asked' })
  expect((await wanted(key))!.id).not.toBe(given.id)
  expect(await report('0.2.0', null)).toMatchObject({ newer: false, update: { state: 'done' } })
  expect(await owner.call(ops.updateAgent, { params })).toMatchObject({ status: 409, body: { code: 'agent_up_to_date' } })
  const { body } = await owner.call(listActivities)
  expect(body.items[0]!.sentence).toBe('Asked the device of Truck to update its agent to 0.2.0')
})

test('a version that the server has no more is not given, and what is no version is never newer', async () => {
  const { owner } = house
  const { asset_id, key } = await putAgent(house, owner)
  const params = { asset_id }
  await owner.call(ops.updateAgent, { params })
  offerAgent(house, '0.3.0')
  expect(await wanted(key)).toBeNull()
  expect((await owner.call(ops.getAgent, { params })).body).toMatchObject({ offered: '0.3.0', newer: true, update: { state: 'lapsed' } })
  for (const [offered, newer] of [
    ['0.10.0', true],
    ['0.1.0', false],
    ['0.0.9', false],
    ['next', false],
  ] as const) {
    offerAgent(house, offered)
    expect((await owner.call(ops.getAgent, { params })).body.newer).toBe(newer)
  }
})
