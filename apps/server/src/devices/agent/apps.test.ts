import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as apps from '@masthead/contract/devices/agent/app-operations'
import { notThere } from '@masthead/contract/devices/agent/container'
import { getDesiredState } from '@masthead/contract/devices/agent/device-operations'
import * as ops from '@masthead/contract/devices/agent/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { isOwnImage } from './own-hosts.ts'
import { putAgent } from './test-agent.ts'

let house: House
let owner: Person
let device: Awaited<ReturnType<typeof putAgent>>
beforeAll(async () => {
  house = await openHouse()
  owner = await house.newOwner()
  device = await putAgent(house, owner)
})
afterAll(() => house[Symbol.asyncDispose]())

const inAsset = () => ({ asset_id: device.asset_id })
const shown = async (name: string) =>
  (await owner.call(ops.getApplication, { params: inAsset() })).body.items.find((each) => each.name === name)!
/** What the device itself gets of the variables. */
async function told(name: string) {
  const { body } = await owner.call(getDesiredState, {}, { 'x-device-key': device.key })
  const { environment } = body.containers.find((each) => each.name === name)!
  return environment.map((each) => [each.name, each.value])
}

test('an app is a container whose variables are given by name; what is left out stays, and an empty list removes', async () => {
  const port = { host: 30_100, container: 80, protocol: 'tcp' as const }
  const { status, body } = await owner.call(apps.deployApp, {
    params: inAsset(),
    body: { name: 'gateway', image: 'acme/gateway:1', ports: [port], environments: { MODE: 'fast', RATE: '5' } },
  })
  expect(status).toBe(200)
  expect(body.items.find(({ name }) => name === 'gateway')).toMatchObject({ ports: [port], restart_policy: 'always', health: null })
  const params = { ...inAsset(), name: 'gateway' }
  await owner.call(apps.updateApp, { params, body: { image: 'acme/gateway:2' } })
  expect(await shown('gateway')).toMatchObject({
    image: 'acme/gateway:2',
    ports: [port],
    environment: [{ name: 'MODE' }, { name: 'RATE' }],
  })
  await owner.call(apps.updateApp, { params, body: { ports: [], environments: { RATE: null, ZONE: 'north' } } })
  expect(await shown('gateway')).toMatchObject({ image: 'acme/gateway:2', ports: [] })
  expect(await told('gateway')).toEqual([
    ['RATE', '5'],
    ['ZONE', 'north'],
  ])
  await owner.call(apps.updateApp, { params, body: { environments: {} } })
  expect(await told('gateway')).toEqual([])
  expect(await owner.call(apps.deployApp, { params: inAsset(), body: { name: 'gateway', image: 'acme/gateway:3' } })).toMatchObject({
    status: 409,
    body: { code: 'container_exists' },
  })
  expect(await owner.call(apps.updateApp, { params: { ...inAsset(), name: 'none' }, body: {} })).toMatchObject({ status: 404 })
})

test('a secret stays one when an app says another value, or none', async () => {
  const environment = [{ name: 'TOKEN', value: 'one', secret: true }]
  await owner.call(ops.deployContainer, { params: inAsset(), body: { name: 'secretive', image: 'acme/relay:1', environment } })
  for (const [value, known] of [
    [null, 'one'],
    ['two', 'two'],
  ] as const) {
    await owner.call(apps.updateApp, { params: { ...inAsset(), name: 'secretive' }, body: { environments: { TOKEN: value } } })
    expect((await shown('secretive')).environment).toEqual([{ name: 'TOKEN', value: null, secret: true }])
    expect(await told('secretive')).toEqual([['TOKEN', known]])
  }
})

test('a variable may have a name that every object has', async () => {
  const names = ['__proto__', 'constructor', 'toString']
  const given = (secret: boolean) => names.map((name) => ({ name, value: `is ${name}`, secret }))
  const params = { ...inAsset(), name: 'odd' }
  await owner.call(ops.deployContainer, { params: inAsset(), body: { name: 'odd', image: 'acme/relay:1', environment: given(true) } })
  const all = names.map((name) => [name, `is ${name}`])
  expect(await told('odd')).toEqual(all)
  const kept = names.map((name) => ({ name, secret: true }))
  expect(await owner.call(ops.updateContainer, { params, body: { environment: kept } })).toMatchObject({ status: 200 })
  expect(await told('odd')).toEqual(all)
  // As one that is shown, and has no value: nothing of the sort was a secret.
  await owner.call(ops.updateContainer, { params, body: { environment: [] } })
  const bare = names.map((name) => ({ name, secret: false }))
  expect(await owner.call(ops.updateContainer, { params, body: { environment: bare } })).toMatchObject({ status: 200 })
  expect(await told('odd')).toEqual(names.map((name) => [name, '']))
})

test('whoever accepts events is answered with the progress of what they changed', async () => {
  const params = { ...inAsset(), name: 'watched' }
  const answer = owner.call(
    apps.deployApp,
    { params: inAsset(), body: { name: 'watched', image: 'acme/watched:1' } },
    { accept: 'text/event-stream' }
  )
  await expect.poll(() => shown('watched')).toBeDefined()
  const report = async (problem: object | null) => {
    const { body } = await owner.call(ops.getApplication, { params: inAsset() })
    const { generation } = body.items.find(({ name }) => name === 'watched')!
    const watched = { ...notThere, name: 'watched', generation, state: 'running', image: 'acme/watched:1', problem }
    const agent = { revision: body.device!.revision, containers: [watched], engine_words: null }
    await sql`update device set online = true, reported = reported || ${JSON.stringify({ agent })}::jsonb where id = ${device.device_id}`.execute(
      house.db
    )
  }
  await report(null)
  const { status, headers, text } = await answer
  expect([status, headers['content-type']]).toEqual([200, 'text/event-stream'])
  expect(text.trimEnd().split('\n\n').at(-1)).toBe('data: {"status":"Success"}')
  const refused = await owner.call(apps.updateApp, { params: { ...params, name: 'none' }, body: {} }, { accept: 'text/event-stream' })
  expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
})

test('an image is of the registry of this installation by one of its names or by an address', () => {
  const hosts = ['registry.example.com', 'console.example.com']
  const own = [
    'registry.example.com/acme/relay:1',
    'Console.Example.com:8443/acme/relay',
    'localhost:5000/acme/relay',
    '10.0.0.5:80/acme/relay',
  ]
  for (const image of own) expect(isOwnImage(image, hosts), image).toBe(true)
  const others = ['ghcr.io/acme/relay:1', 'registry.example.com.evil.test/acme/relay', 'acme/relay:1', 'relay']
  for (const image of others) expect(isOwnImage(image, hosts), image).toBe(false)
  expect(isOwnImage('ghcr.io/acme/relay:1', null)).toBe(true)
})
