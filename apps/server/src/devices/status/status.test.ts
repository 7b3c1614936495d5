import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getApplication } from '@masthead/contract/devices/agent/operations'
import { addEsimProfile, updateActiveEsim } from '@masthead/contract/devices/network/operations'
import * as ops from '@masthead/contract/devices/status-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putAgent, reportedContainer } from '../agent/test-agent.ts'
import { addAsset } from '../../assets/test-stock.ts'
import { followProgress } from './follow-progress.ts'
import { lookAtContainer } from './progress-events.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

async function putDevice() {
  const owner = await house.newOwner()
  const { asset_id, device_id } = await putAgent(house, owner)
  const params = { asset_id, name: 'relay' }
  const { revision } = (await owner.call(getApplication, { params: { asset_id } })).body.device!
  const report = (sections: object) =>
    sql`update device set reported = reported || ${JSON.stringify(sections)}::jsonb, reported_at = ${house.clock.now()}, last_birth_at = ${house.clock.now()}
      where id = ${device_id}`.execute(house.db)
  const connect = (online: boolean) => sql`update device set online = ${online} where id = ${device_id}`.execute(house.db)
  const generation = async () =>
    (await owner.call(getApplication, { params: { asset_id } })).body.items.find(({ name }) => name === 'relay')!.generation
  /** Reports the container as it is, of the revision that is wanted. */
  const run = async (container: object, { at = revision, more = {} }: { at?: number; more?: object } = {}) => {
    const relay = { ...reportedContainer, generation: await generation(), ...container }
    await report({ agent: { at: house.clock.now().toISOString(), revision: at, containers: [relay], engine_words: null, ...more } })
  }
  return { owner, asset_id, params, report, run, connect }
}
const eventsOf = (text: string) =>
  text.split('\n\n').flatMap((block) => (block.startsWith('data: ') ? [JSON.parse(block.slice(6)) as Record<string, unknown>] : []))

test('a stream says how far a container is, by what the device said of this wish alone', async () => {
  const { owner, params, run, connect } = await putDevice()
  const now = async () => {
    const { status, text, headers } = await owner.call(ops.getContainerProgress, { params })
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'text/event-stream', 'no-store, no-transform'])
    return eventsOf(text)
  }
  const since = house.clock.now().toISOString()
  const problem = (code: string, words: string) => ({ problem: { code, words, since, next_at: null } })
  await run(problem('image_pull_backoff', 'manifest unknown'), { at: 0 })
  expect(await now()).toEqual([{ status: 'Waiting', message: 'The device is offline. It goes on when it is back' }])
  await connect(true)
  expect(await now()).toEqual([{ status: 'Waiting', message: 'The device was notified' }])
  await run({ state: 'downloading', percent: 40 })
  expect(await now()).toEqual([{ status: 'Downloading', percentage: 40 }])
  await run({ state: 'downloading', percent: 100 })
  expect(await now()).toEqual([{ status: 'Unpacking' }])
  await run({ state: 'downloading' })
  expect(await now()).toEqual([{ status: 'Downloading' }])
  await run({ state: 'running', health: 'starting' })
  expect(await now()).toEqual([{ status: 'Running' }])
  for (const [code, error] of [
    ['image_pull_backoff', 'ImagePullBackOff'],
    ['crash_loop_backoff', 'CrashLoopBackOff'],
    ['port_in_use', 'ErrorPortInUse'],
    ['name_in_use', 'ErrorNameExists'],
    ['rolled_back', 'CrashLoopBackOff'],
    ['failed', 'Unknown'],
  ] as const) {
    // What it printed is for who may read logs.
    await run(problem(code, 'It failed. Its last lines:\npassword=secret'))
    expect(await now()).toEqual([{ status: 'Fail', error, message: 'It failed' }])
  }
  await run({ state: 'running', health: 'unhealthy' })
  expect(await now()).toEqual([{ status: 'Fail', error: 'Unknown', message: 'Its health test fails' }])
  await run({ state: 'running' })
  expect(await now()).toEqual([{ status: 'Success' }])
  const none = { ...params, name: 'none' }
  expect((await owner.call(ops.getContainerProgress, { params: none })).status).toBe(404)
  const bare = await addAsset(house, owner)
  const refused = await owner.call(ops.getContainerProgress, { params: { ...params, asset_id: bare.id } })
  expect(refused).toMatchObject({ status: 409, body: { code: 'device_not_enrolled' } })
})

test('a stream follows until it has succeeded, and one whose time is over says whether the device is there', async () => {
  const { owner, params, run, connect } = await putDevice()
  await connect(true)
  await run({ state: 'downloading', percent: 10 })
  const at = { account_id: owner.account_id, ...params }
  const following = followProgress(() => lookAtContainer(house.app, at), 60)
  const next = async () => eventsOf(String((await following.next()).value))
  expect(await next()).toEqual([{ status: 'Downloading', percentage: 10 }])
  await run({ state: 'running' })
  expect(await next()).toEqual([{ status: 'Success' }])
  expect((await following.next()).done).toBe(true)

  await run({ state: 'downloading', percent: 10 })
  const late = async () => eventsOf((await owner.call(ops.getContainerProgress, { params, query: { wait: 1 } })).text)
  expect(await late()).toEqual([
    { status: 'Downloading', percentage: 10 },
    { status: 'Fail', percentage: 10, error: 'Unknown', message: 'The device was not done after 1 seconds, and goes on' },
  ])
  await connect(false)
  expect((await late()).at(-1)).toMatchObject({ status: 'Fail', error: 'DeviceNotReachable' })
})

test('a stream says how far the eSIM is, with its profiles', async () => {
  const { owner, asset_id, report, connect } = await putDevice()
  await connect(true)
  const params = { asset_id }
  const iccid = '8931440400002815534'
  const now = async () => eventsOf((await owner.call(ops.getEsimProgress, { params })).text)
  const reported = (job: object | null, change: object | null = null, enabled = false) => {
    const esim = { words: null, eid: null, profiles: [{ aid: null, iccid, provider: 'Telia', name: null, enabled }], job }
    const at = house.clock.now().toISOString()
    return report({
      network: { at, words: null, manager: null, modem_words: null, interfaces: [], apn: null, modem: null, esim, change, pin: null },
    })
  }
  const profiles = [{ aid: null, iccid, provider_name: 'Telia', state: 'disabled' }]
  const { wanted } = (await owner.call(addEsimProfile, { params, body: { act_code: 'LPA:1$smdp.example.com$ONE' } })).body
  const { generation } = wanted!.esim_job!
  await reported(null)
  expect(await now()).toEqual([{ status: 'Waiting', message: 'The device was notified', profiles }])
  const job = {
    generation,
    do: 'add',
    state: 'running',
    step: 'es9p_initiate_authentication',
    percent: 50,
    words: null,
    at: wanted!.changed_at,
  }
  await reported(job)
  expect(await now()).toEqual([{ status: 'Running', step: 'es9p_initiate_authentication', progress: 50, profiles }])
  await reported({ ...job, state: 'failed', words: 'The code was used' })
  expect(await now()).toEqual([{ status: 'Fail', error: 'Unknown', message: 'The code was used', profiles }])
  await reported({ ...job, state: 'done' })
  const switched = (await owner.call(updateActiveEsim, { params, body: { iccid } })).body.wanted!
  expect(await now()).toMatchObject([{ status: 'Waiting' }])
  const change = (state: string, words: string | null = null) => ({
    generation: switched.generation,
    state,
    words,
    began_at: switched.changed_at,
    until: null,
    ended_at: null,
  })
  await reported({ ...job, state: 'done' }, change('trial'))
  expect(await now()).toEqual([{ status: 'Running', step: 'ENABLE_PROFILE', profiles }])
  await reported({ ...job, state: 'done' }, change('failed', 'The modem is away'))
  expect(await now()).toEqual([{ status: 'Fail', error: 'Unknown', message: 'The modem is away', profiles }])
  await reported({ ...job, state: 'done' }, change('kept'), true)
  expect(await now()).toEqual([{ status: 'Success', progress: 100, profiles: [{ ...profiles[0], state: 'enabled' }] }])
})

test('a switch to a profile that the eSIM does not have fails by that name, unless its list could not be read', async () => {
  const { owner, asset_id, report, connect } = await putDevice()
  await connect(true)
  const params = { asset_id }
  const { generation, changed_at } = (await owner.call(updateActiveEsim, { params, body: { iccid: '8931440400002815542' } })).body.wanted!
  const now = async (state: string, words: string | null, unread: string | null = null) => {
    const esim = { words: unread, eid: null, profiles: [], job: null }
    const change = { generation, state, words, began_at: changed_at, until: null, ended_at: null }
    const at = house.clock.now().toISOString()
    await report({
      network: { at, words: null, manager: null, modem_words: null, interfaces: [], apn: null, modem: null, esim, change, pin: null },
    })
    return eventsOf((await owner.call(ops.getEsimProgress, { params })).text)
  }
  const failed = { status: 'Fail', profiles: [] }
  expect(await now('failed', 'It is not there')).toEqual([{ ...failed, error: 'ErrorNoProfile', message: 'It is not there' }])
  const message = 'The eSIM has no profile 8931440400002815542'
  expect(await now('kept', null)).toEqual([{ ...failed, error: 'ErrorNoProfile', message }])
  expect(await now('failed', 'No lpac', 'No lpac')).toEqual([{ ...failed, error: 'Unknown', message: 'No lpac' }])
})

test('a program reads how a device is, what it measured, its modem and where it was', async () => {
  const { owner, asset_id, run, report } = await putDevice()
  const params = { asset_id }
  const before = (await owner.call(ops.getDeviceStatus, { params })).body
  expect(before).toMatchObject({ presence: 'never', agent_version: '0.1.0', containers: { wanted: 2, as_wanted: 0, in_trouble: 0 } })
  const versions = { agent: '0.1.0', os: 'Debian', kernel: '6', engine: 'Docker 27' }
  const host = { name: 'truck', arch: 'x64', model: null, serial: null }
  await run({ state: 'running' }, { more: { versions, host, booted_at: house.clock.now().toISOString() } })
  expect((await owner.call(ops.getDeviceStatus, { params })).body).toMatchObject({
    presence: 'offline',
    reported_revision: before.revision,
    engine: 'Docker 27',
    architecture: 'amd64',
    containers: { wanted: 2, as_wanted: 1, in_trouble: 0 },
  })
  expect((await owner.call(ops.getMeasurements, { params })).body).toMatchObject({ vitals: null, versions, host })
  expect((await owner.call(ops.getModem, { params })).body).toEqual({ modem: null, words: null, reported_at: null })
  const modem = { manufacturer: 'Quectel', model: 'EG25', firmware: null, imei: null, state: 'connected', operator: 'KPN' }
  const rest = { operator_code: '20408', technology: 'lte', signal_pct: 60, lock: null, pin_tries: 3 }
  const at = house.clock.now().toISOString()
  const network = {
    at,
    words: null,
    manager: null,
    modem_words: null,
    interfaces: [],
    apn: null,
    modem: { ...modem, ...rest },
    change: null,
    pin: null,
  }
  await report({ network })
  expect((await owner.call(ops.getModem, { params })).body).toEqual({ modem: { ...modem, ...rest }, words: null, reported_at: at })
  expect((await owner.call(ops.getLocation, { params })).body).toEqual({ location: null })
  const bare = await addAsset(house, owner)
  for (const op of [ops.getDeviceStatus, ops.getMeasurements, ops.getModem])
    expect(await owner.call(op, { params: { asset_id: bare.id } })).toMatchObject({ status: 409, body: { code: 'device_not_enrolled' } })
})
