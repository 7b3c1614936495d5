import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployApp, updateApp } from '@masthead/contract/devices/agent/app-operations'
import { lastLinesMark } from '@masthead/contract/devices/agent/container'
import { claimDevice, getDesiredState } from '@masthead/contract/devices/agent/device-operations'
import * as ops from '@masthead/contract/devices/agent/operations'
import { agentTopics, reportOf, type Directive, type ReportedState } from '@masthead/contract/devices/agent/messages'
import { getDevice } from '@masthead/contract/devices/operations'
import type { Person } from '@masthead/testkit/house'
import { addAsset } from '../../assets/test-stock.ts'
import { openBrokerHouse, type BrokerHouse } from '../test-broker.ts'
import { putAgent, reportedContainer } from './test-agent.ts'

let house: BrokerHouse
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const desired = (key: string) => house.owner.call(getDesiredState, {}, { 'x-device-key': key })

test('a claim code sets a device up once, until it expires or another is made; the token of before is worth nothing then', async () => {
  const { owner } = house
  const { asset_id, key, code } = await putAgent(house, owner)
  const params = { asset_id }
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
  const newer = (await owner.call(ops.makeClaimCode, { params })).body.code
  const enrol = (given: string) => owner.call(claimDevice, { body: { code: given } })
  expect(await enrol(code)).toMatchObject({ status: 404, body: { code: 'claim_code_unknown' } })
  expect(JSON.stringify(await house.db.selectFrom('claim_code').selectAll().execute())).not.toContain(newer)
  expect((await desired(key)).status).toBe(200)
  expect((await enrol(newer.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
  expect((await enrol(newer)).status).toBe(404)
  expect(await desired(key)).toMatchObject({ status: 403, body: { code: 'device_key_unknown' } })

  const late = (await owner.call(ops.makeClaimCode, { params })).body.code
  house.clock.advance({ hours: 25 })
  expect((await enrol(late)).status).toBe(404)
  const { id } = await addAsset(house, owner, { type: 'plastic_sim' })
  expect(await owner.call(ops.makeClaimCode, { params: { asset_id: id } })).toMatchObject({ body: { code: 'asset_runs_no_containers' } })
  expect(await owner.call(ops.deployContainer, { params: { asset_id: id }, body: { name: 'a', image: 'b' } })).toMatchObject({
    body: { code: 'device_not_enrolled' },
  })
})

test('what is wanted has generations; secrets reach the device and are never shown', async () => {
  const { owner } = house
  const { asset_id, key } = await putAgent(house, owner)
  const params = { asset_id }
  const environment = [
    { name: 'REGION', value: 'eu' },
    { name: 'TOKEN', value: 'very-secret', secret: true },
  ]
  const ports = [{ host: 30_100, container: 80 }]
  const deployed = await owner.call(ops.deployContainer, { params, body: { name: 'web', image: 'acme/web:1', environment, ports } })
  expect(deployed.text).not.toContain('very-secret')
  const web = (answer: typeof deployed) => answer.body.items.find(({ name }) => name === 'web')!
  expect(web(deployed).environment).toEqual([
    { name: 'REGION', value: 'eu', secret: false },
    { name: 'TOKEN', value: null, secret: true },
  ])
  expect(JSON.stringify(await house.db.selectFrom('container').selectAll().execute())).not.toContain('very-secret')
  const at = async () => (await desired(key)).body.containers.find(({ name }) => name === 'web')!
  const first = await at()
  expect(first.environment).toEqual([
    { name: 'REGION', value: 'eu' },
    { name: 'TOKEN', value: 'very-secret' },
  ])

  const named = { params: { asset_id, name: 'web' } }
  // What is sent back without a value does not turn a secret into what is shown.
  for (const variable of [{ name: 'TOKEN' }, { name: 'TOKEN', secret: false }]) {
    const answer = await owner.call(ops.updateContainer, { ...named, body: { environment: [variable] } })
    expect(answer).toMatchObject({ status: 400, body: { fields: { 'environment.0.value': expect.stringContaining('TOKEN is a secret') } } })
    expect(answer.text).not.toContain('very-secret')
  }
  await owner.call(ops.updateContainer, { ...named, body: { image: 'acme/web:2', environment: [{ name: 'TOKEN', secret: true }] } })
  const second = await at()
  expect(second).toMatchObject({ image: 'acme/web:2', environment: [{ name: 'TOKEN', value: 'very-secret' }], ports: first.ports })
  expect(second.generation).toBeGreaterThan(first.generation)
  await owner.call(ops.restartContainer, named)
  const third = await at()
  expect(third.generation).toBe(second.generation)
  expect(third.restart).toBeGreaterThan(second.restart)
  await owner.call(ops.stopContainer, named)
  expect(await owner.call(ops.stopContainer, named)).toMatchObject({ status: 409, body: { code: 'container_wrong_state' } })
  expect((await at()).run).toBe('stopped')

  const again = { params, body: { name: 'web', image: 'acme/web:3' } }
  expect(await owner.call(ops.deployContainer, again)).toMatchObject({ status: 409, body: { code: 'container_exists' } })
  const taken = await owner.call(ops.deployContainer, { params, body: { name: 'b', image: 'b', ports } })
  expect(taken).toMatchObject({
    status: 409,
    body: { code: 'port_taken', detail: 'Port 30100 of this device belongs to the container web' },
  })
  expect((await owner.call(ops.removeContainer, named)).status).toBe(200)
  expect((await owner.call(ops.removeContainer, named)).status).toBe(404)
  await owner.call(ops.deployContainer, again)
  expect((await at()).generation).toBeGreaterThan(third.restart)
})

test('the call that changes a container starts, stops and restarts it, too, after the change or without one', async () => {
  const { owner } = house
  const { asset_id, key } = await putAgent(house, owner)
  const params = { asset_id, name: 'web' }
  await owner.call(ops.deployContainer, { params, body: { name: 'web', image: 'acme/web:1' } })
  const at = async () => (await desired(key)).body.containers.find(({ name }) => name === 'web')!
  const change = (body: object) => owner.call(ops.updateContainer, { params, body })
  const first = await at()
  expect((await change({ action: 'restart' })).status).toBe(200)
  const restarted = await at()
  expect([restarted.generation, restarted.restart > first.restart]).toEqual([first.generation, true])
  expect((await change({ action: 'stop' })).status).toBe(200)
  expect(await at()).toMatchObject({ run: 'stopped', generation: first.generation })
  // What is refused changes nothing.
  expect(await change({ image: 'acme/web:2', action: 'restart' })).toMatchObject({ status: 409, body: { code: 'container_wrong_state' } })
  expect((await at()).image).toBe('acme/web:1')
  expect((await change({ image: 'acme/web:2', action: 'start' })).status).toBe(200)
  expect(await at()).toMatchObject({ run: 'running', image: 'acme/web:2' })
  expect((await change({ action: 'pause' })).status).toBe(400)
  const names = (await house.events(owner.account_id)).map(({ name }) => name).filter((name) => name.startsWith('assets.container_'))
  expect(names.slice(-4)).toEqual(['restarted', 'stopped', 'updated', 'started'].map((what) => `assets.container_${what}`))
})

test('a device is asked to look, and what it reports stands beside what is wanted', async () => {
  const { owner } = house
  const { asset_id, device_id, token } = await putAgent(house, owner)
  const params = { asset_id }
  const client = await house.connect({ device_id, username: device_id, password: token })
  const topics = agentTopics(device_id)
  const directives: Directive[] = []
  client.on('message', (_topic, payload) => directives.push(JSON.parse(String(payload)) as Directive))
  await client.subscribeAsync(topics.directives, { qos: 1 })
  await expect.poll(() => directives).toEqual([{ command: 'look' }])
  const running = { generation: 1, state: 'running' as const, image: 'acme/relay:1', cpu_pct: 1.5, memory_bytes: 1_000_000 }
  const relay = { ...reportedContainer, ...running }
  const state: ReportedState = {
    at: '2026-11-25T10:00:00.000Z',
    seq: 1,
    started_at: '2026-11-25T09:00:00.000Z',
    revision: 3,
    versions: { agent: '0.1.0', os: 'Debian', kernel: '6', engine: 'Docker 27' },
    host: { name: 'truck', arch: 'arm64', model: null, serial: null },
    booted_at: '2026-11-25T09:00:00.000Z',
    interfaces: [],
    containers: [relay, { ...relay, name: 'gone' }],
    engine_words: null,
  }
  await client.publishAsync(topics.hive, JSON.stringify(reportOf('agent', state, 'm1')), { qos: 1 })
  await expect.poll(() => directives.at(-1)).toEqual({ command: 'ack', data: 'm1' })
  const { body } = await owner.call(ops.getApplication, { params })
  expect(body.device).toMatchObject({ reported_revision: 3, revision: 5, engine: 'Docker 27', architecture: 'arm64' })
  expect(body.items.map(({ name, reported }) => [name, reported?.state])).toEqual([
    ['idle', undefined],
    ['relay', 'running'],
  ])
  expect(body.leaving.map(({ name }) => name)).toEqual(['gone'])

  // What has not the shape of a report is not shown, and hides nothing else.
  const odd = {
    ...state,
    seq: 2,
    host: { ...state.host, arch: 'x64' },
    versions: 'none',
    engine_words: 7,
    containers: [relay, { name: 'half' }, 'x', null],
  }
  await client.publishAsync(topics.hive, JSON.stringify(reportOf('agent', odd as never, 'm2')), { qos: 1 })
  await expect.poll(() => directives.at(-1)).toEqual({ command: 'ack', data: 'm2' })
  const after = await owner.call(ops.getApplication, { params })
  expect(after).toMatchObject({
    status: 200,
    body: { device: { engine: null, architecture: 'amd64', engine_words: null, reported_revision: 3 }, leaving: [] },
  })
  expect(after.body.items.map(({ reported }) => reported?.state)).toEqual([undefined, 'running'])

  const { request_id } = (await owner.call(ops.requestLogs, { params: { asset_id, name: 'relay' }, body: {} })).body
  await expect
    .poll(() => directives.at(-1))
    .toEqual({ command: 'run', data: { id: request_id, do: 'logs', container: 'relay', lines: 100 } })
  const lines = () => owner.call(ops.getLogs, { params: { asset_id, request_id } })
  expect((await lines()).body.state).toBe('waiting')
  const answer = { id: request_id, ok: true, words: null, lines: [{ at: null, stream: 'stdout' as const, text: 'up' }] }
  await client.publishAsync(topics.hive, JSON.stringify(reportOf('answer', answer, 'm3')), { qos: 1 })
  await expect.poll(async () => (await lines()).body).toEqual({ state: 'here', words: null, lines: answer.lines })
  const own = await owner.call(ops.requestAgentLogs, { params, body: { lines: 5 } })
  const ownLog = { id: own.body.request_id, do: 'logs', container: '@agent', lines: 5 }
  await expect.poll(() => directives.at(-1)).toEqual({ command: 'run', data: ownLog })
  await owner.call(ops.followLogs, { params: { asset_id, name: 'relay' } })
  await expect.poll(() => directives.at(-1)).toMatchObject({ command: 'run', data: { do: 'follow', container: 'relay', seconds: 30 } })
  const part = (from: number, container = 'relay') =>
    ({
      container,
      run: '1',
      from,
      skipped: 0,
      lines: [{ at: null, stream: 'stdout', text: `line ${from}` }],
      ended: false,
      words: null,
    }) as const
  const say = (key: string, said: object) =>
    client.publishAsync(topics.hive, JSON.stringify(reportOf('log', { [key]: said } as never, key)), { qos: 1 })
  await say('p0', part(10))
  await say('p1', part(2))
  await say('p2', part(3, 'idle'))
  await say('p3', { run: 'of another shape' })
  const followed = () => owner.call(ops.getFollowedLogs, { params: { asset_id, name: 'relay' } })
  await expect.poll(async () => (await followed()).body.parts.map(({ from }) => from)).toEqual([2, 10])
  expect((await owner.call(ops.followLogs, { params: { asset_id, name: 'none' } })).status).toBe(404)
  await owner.call(ops.rebootDevice, { params })
  await expect.poll(() => directives.at(-1)).toMatchObject({ command: 'run', data: { do: 'reboot' } })
  await client.endAsync(true)
})

test('what a container printed before it was given up is for who may read logs', async () => {
  const { owner } = house
  const { asset_id, device_id } = await putAgent(house, owner)
  const words = `It ended with exit code 1${lastLinesMark}password=very-secret`
  const relay = {
    ...reportedContainer,
    generation: 1,
    state: 'running',
    image: 'acme/relay:1',
    problem: { code: 'rolled_back', words, since: '2026-11-25T10:00:00.000Z', next_at: null },
  }
  const line = { at: null, stream: 'stdout', text: 'password=very-secret' }
  const part = { container: 'relay', run: '1', from: 0, skipped: 0, lines: [line], ended: false, words: null }
  const reported = JSON.stringify({
    agent: { containers: [relay, { ...relay, name: 'gone' }] },
    answer: { id: 'cmd_1', ok: true, words: null, lines: [line] },
    log: { p0: part },
  })
  await sql`update device set reported = ${reported}::jsonb where id = ${device_id}`.execute(house.db)
  const wordsFor = async (person: Person) => {
    const { items, leaving } = (await person.call(ops.getApplication, { params: { asset_id } })).body
    return [...items.flatMap((item) => item.reported ?? []), ...leaving].map(({ name, problem }) => [name, problem?.words])
  }
  expect(await wordsFor(owner)).toEqual([
    ['relay', words],
    ['gone', words],
  ])
  const without = 'It ended with exit code 1'
  const viewer = await house.newMember(owner, ['assets.view'])
  expect(await wordsFor(viewer)).toEqual([
    ['relay', without],
    ['gone', without],
  ])
  const { body, text } = await viewer.call(getDevice, { params: { asset_id } })
  expect(text).not.toContain('very-secret')
  expect(body.device!.reported).toMatchObject({ agent: { containers: [{ problem: { words: without } }, { name: 'gone' }] } })
})

test('an image that the agent of a device is too old to read is refused in words, by each call that names one, and taken once it is updated', async () => {
  const { owner } = house
  const { asset_id, device_id, key } = await putAgent(house, owner)
  const params = { asset_id }
  const relay = { asset_id, name: 'relay' }
  const long = `acme/${'a'.repeat(300)}`
  for (const image of [`acme/web@sha512:${'b'.repeat(128)}`, long])
    for (const answer of [
      await owner.call(ops.deployContainer, { params, body: { name: 'web', image } }),
      await owner.call(ops.updateContainer, { params: relay, body: { image } }),
      await owner.call(deployApp, { params, body: { name: 'web', image } }),
      await owner.call(updateApp, { params: relay, body: { image } }),
    ])
      expect(answer).toMatchObject({ status: 409, body: { code: 'agent_too_old' } })
  const images = async () => (await desired(key)).body.containers.map(({ image }) => image)
  expect(await images()).not.toContain(long)
  const reported = JSON.stringify({ agent: { versions: { agent: '0.330.7', os: 'Debian', kernel: '6', engine: null } } })
  await sql`update device set reported = ${reported}::jsonb where id = ${device_id}`.execute(house.db)
  await owner.call(ops.deployContainer, { params, body: { name: 'web', image: long } })
  expect(await images()).toContain(long)
})
