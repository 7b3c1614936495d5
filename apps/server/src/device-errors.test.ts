import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployApp, updateApp } from '@masthead/contract/devices/agent/app-operations'
import { deployContainer, updateContainer } from '@masthead/contract/devices/agent/operations'
import { addEsimProfile, updateActiveEsim, updateSimAccess } from '@masthead/contract/devices/network/operations'
import { progressErrors } from '@masthead/contract/devices/progress'
import type { Operation } from '@masthead/contract/kernel/operation'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from './assets/test-stock.ts'
import { describeApi } from './describe-api.ts'
import { putAgent } from './devices/agent/test-agent.ts'
import { routes } from './routes.ts'
import { callRows } from './test-calls.ts'
import type { Sample } from './test-samples.ts'

// Programs for these devices test refusals by name: every call of domain §6.7 and 6.8 that names an asset is asked for each that it has.

/** Of domain §6.8, as it stands there. */
const known = `ErrorNoImage, ErrorNoName, AssetNotFound, AssetNotAlponDevice, ContainerExists, AppExists, AppNotFound,
  ErrorNodePortIsNotCorrectRange, ErrorPortInUse, ErrorDeploymentAlreadyExist, ErrorSaveDeploymentToFile, ErrorNameExists,
  ErrorControlLoopAlreadyRunning, ImagePullBackOff, CrashLoopBackOff, ErrorBindingRequest, ErrorNoActCode, ErrorNoApn, ErrorNoIccid,
  ErrorNoProfile, DeviceNotReachable, Unknown`.split(/,\s+/)
/** What no call of ours fails by. */
const neverSaid = ['ErrorDeploymentAlreadyExist', 'ErrorSaveDeploymentToFile', 'ErrorControlLoopAlreadyRunning', 'ErrorBindingRequest']

const operations: Operation[] = routes.map(({ op }) => op)
const beside = ['assets.getAsset', 'assets.updateAsset', 'assets.getSimUsages', 'devices.updateSimAccess']
const walked = operations.filter(({ name, path }) => path.startsWith('/assets/{asset_id}/alpon') || beside.includes(name))
const names = (ops: readonly Operation[]) => ops.map(({ name }) => name.replace(/^\w+\./, '')).toSorted()

let house: House
let owner: Person
let device: Awaited<ReturnType<typeof putAgent>>
beforeAll(async () => {
  house = await openHouse()
  owner = await house.newOwner()
  device = await putAgent(house, owner)
})
afterAll(() => house[Symbol.asyncDispose]())

/** Asks a call as its sample does, of another asset, and of a container that no asset has. */
async function ask(op: Operation, asset_id: string, by = owner) {
  const ownBody = op.name === 'assets.updateAsset' ? { name: 'Renamed' } : undefined
  const sample: Sample = callRows[op.name]?.sample?.({ agent: { asset_id }, limited: { id: asset_id } } as never) ?? {}
  const { query, body = ownBody } = sample
  const params = { asset_id, name: 'none', request_id: 'none' }
  const answer = await by.call(op, { params, query, body } as never)
  const { code, error } = (answer.status === 200 ? {} : answer.body) as { code?: string; error?: string }
  return { op, said: [answer.status, code, error].filter((part) => part !== undefined).join(' ') }
}
async function askAll(asset_id: string, by = owner) {
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  for (const op of walked) answers.push(await ask(op, asset_id, by))
  const groups = Map.groupBy(answers, ({ said }) => said)
  return Object.fromEntries([...groups].map(([said, all]) => [said, names(all.map(({ op }) => op))]))
}

/** Of these nothing is asked that a device would have to be there for: screens show what follows from there being none. */
const reads = ['getApplication', 'getLocation', 'getNetwork']
const ofAsset = ['getAsset', 'getSimUsages', 'updateAsset']
const ofContainer = [
  'getFollowedLogs',
  'removeContainer',
  'restartContainer',
  'startContainer',
  'stopContainer',
  'updateApp',
  'updateContainer',
]
const others = (...taken: string[]) => names(walked).filter((name) => !taken.includes(name))

test('an asset that is not there, or is not of the account, has one name at every call', async () => {
  expect(walked.length).toBeGreaterThan(35)
  expect(await askAll('none')).toEqual({ '404 not_found AssetNotFound': names(walked) })
  expect(await askAll(device.asset_id, await house.newOwner())).toEqual({ '404 not_found AssetNotFound': names(walked) })
})

test('an asset whose devices run no agent of ours has another', async () => {
  const { id } = await addAsset(house, owner, { type: 'plastic_sim' })
  expect(await askAll(id)).toEqual({
    200: ofAsset,
    '409 asset_runs_no_containers AssetNotAlponDevice': ['makeClaimCode'],
    '404 not_found AssetNotAlponDevice': ['getLogs', ...ofContainer].toSorted(),
    '409 device_not_enrolled AssetNotAlponDevice': others(...ofAsset, ...ofContainer, 'getLogs', 'makeClaimCode'),
  })
})

test('a device that is not set up yet cannot be reached', async () => {
  const { id } = await addAsset(house, owner, { type: 'alpon_x5_ai' })
  expect(await askAll(id)).toEqual({
    200: [...reads, ...ofAsset, 'makeClaimCode'].toSorted(),
    '404 not_found': ['getLogs'],
    '404 not_found AppNotFound': ofContainer,
    '409 device_not_enrolled DeviceNotReachable': others(...reads, ...ofAsset, ...ofContainer, 'getLogs', 'makeClaimCode'),
  })
})

test('a container that a device does not have is an app that is not found', async () => {
  const named = walked.filter(({ path }) => path.includes('{name}'))
  const answers: string[] = []
  for (const op of named) answers.push(`${op.name} ${(await ask(op, device.asset_id)).said}`)
  expect(answers).toEqual(named.map(({ name }) => `${name} 404 not_found AppNotFound`))
  expect(names(named)).toEqual(expect.arrayContaining([...ofContainer, 'followLogs', 'getContainerProgress', 'requestLogs']))
})

/** What a set-up device with a container `relay` and one on port 30200 is asked, and what is answered. */
const port = (host: unknown) => ({ host, container: 80 })
const isInvalid = '400 invalid_request'
const ofDeployments = (op: Operation): [Operation, object, string][] => [
  [op, {}, `${isInvalid} ErrorNoImage`],
  [op, { name: 'one' }, `${isInvalid} ErrorNoImage`],
  [op, { name: 'one', image: '' }, `${isInvalid} ErrorNoImage`],
  [op, { image: 'acme/one:1' }, `${isInvalid} ErrorNoName`],
  [op, { name: null, image: 'acme/one:1' }, `${isInvalid} ErrorNoName`],
  [op, { name: 'Not a name', image: 'acme/one:1' }, isInvalid],
  [op, { name: 'one', image: 'not an image' }, isInvalid],
  [op, { name: 'one', image: 'acme/one:1', more: true }, isInvalid],
  ...[80, 29_999, 32_768, '30000'].map((host): [Operation, object, string] => [
    op,
    { name: 'one', image: 'acme/one:1', ports: [port(30_000), port(host)] },
    `${isInvalid} ErrorNodePortIsNotCorrectRange`,
  ]),
  [op, { name: 'one', image: 'acme/one:1', ports: [port(30_200)] }, '409 port_taken ErrorPortInUse'],
  [op, { name: 'relay', image: 'acme/relay:1' }, `409 container_exists ${op === deployApp ? 'AppExists' : 'ContainerExists'}`],
]
const ofChanges = (op: Operation): [Operation, object, string][] => [
  [op, { ports: [port(80)] }, `${isInvalid} ErrorNodePortIsNotCorrectRange`],
  [op, { ports: [port(30_200)] }, '409 port_taken ErrorPortInUse'],
  [op, { image: '' }, isInvalid],
]
const refused: [Operation, object, string][] = [
  ...[deployContainer, deployApp].flatMap(ofDeployments),
  ...[updateContainer, updateApp].flatMap(ofChanges),
  [addEsimProfile, {}, `${isInvalid} ErrorNoActCode`],
  [addEsimProfile, { act_code: '', apn: '', name: '' }, `${isInvalid} ErrorNoActCode`],
  [addEsimProfile, { act_code: 'LPA:1$smdp.example.com$ONE', apn: '', name: 'Field' }, `${isInvalid} ErrorNoApn`],
  [addEsimProfile, { act_code: 'LPA:1$smdp.example.com$ONE', apn: 'iot.example', name: '' }, `${isInvalid} ErrorNoName`],
  [addEsimProfile, { act_code: 'no code' }, isInvalid],
  [updateActiveEsim, {}, `${isInvalid} ErrorNoIccid`],
  [updateActiveEsim, { iccid: '12' }, isInvalid],
  [updateSimAccess, { user: 'somebody' }, '409 apn_not_set ErrorNoApn'],
]
test('what is wrong with a call for a device has its name, for whoever accepts events, too', async () => {
  const inAsset = { asset_id: device.asset_id }
  await owner.call(deployContainer, {
    params: inAsset,
    body: { name: 'taken', image: 'acme/taken:1', ports: [{ host: 30_200, container: 80 }] },
  })
  for (const accept of ['application/json', 'text/event-stream'])
    for (const [op, body, expected] of refused) {
      const answer = await owner.call(op, { params: { ...inAsset, name: 'relay' }, body } as never, { accept })
      const { code, error, detail } = answer.body as { code?: string; error?: string; detail?: string }
      expect([op.name, body, [answer.status, code, error].filter((part) => part !== undefined).join(' ')]).toEqual([
        op.name,
        body,
        expected,
      ])
      expect(answer.headers['content-type']).toContain('application/problem+json')
      expect(answer.body).toMatchObject({ message: detail })
    }
})

test('a CORE device that is refused is told a code and words alone, which it writes into its log', async () => {
  for (const payload of ['', '{"deployment_token": "none", "iccid": "8944500000120000011"}']) {
    const answer = await house.server.inject({ method: 'POST', url: '/v1/core/deploy', headers: { host: 'localhost:80' }, payload })
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json<object>()).toSorted()).toEqual(['code', 'detail', 'message', 'request_id', 'title'])
  }
})

test('the names are those that programs know, all but what nothing here fails by, and the description of the API has them', () => {
  const declared = operations.flatMap(({ problems, fieldErrors: { missing, wrong } = {} }) => [
    ...problems.flatMap(({ error }) => error ?? []),
    ...Object.values({ ...missing }),
    ...Object.values({ ...wrong }),
  ])
  expect([...new Set([...declared, ...progressErrors, ...neverSaid])].toSorted()).toEqual(known.toSorted())
  expect(declared.filter((name) => neverSaid.includes(name))).toEqual([])
  const { paths } = describeApi() as { paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>> }
  for (const [op, body, expected] of refused) {
    const [status = '', code = '', error] = expected.split(' ')
    const { description } = paths[op.path]![op.method.toLowerCase()]!.responses[status]!
    expect(description, `${op.name} ${JSON.stringify(body)}`).toContain(error ? `\`${code}\` (\`${error}\`)` : `\`${code}\``)
  }
})
