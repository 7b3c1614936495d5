import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getApplication } from '@masthead/contract/devices/agent/operations'
import { mostDevicesAtOnce } from '@masthead/contract/registry/operations'
import * as ops from '@masthead/contract/registry/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putContainer, putFleet } from '../alpon-fleets/test-fleet.ts'
import { addAsset } from '../assets/test-stock.ts'
import { putAgent, reportedContainer } from '../devices/agent/test-agent.ts'
import { newPusher, pushImage } from './test-registry.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

test('containers of chosen devices run another tag of their repository, from where each has it; all others stay as they are', async () => {
  const acme = await newPusher(house, address, 'Many')
  const repository = `${acme.slug}/relay`
  await pushImage(acme.ask, repository, { tag: '2.0' })
  const { person, account_id } = acme
  const [one, two, three] = [await addAsset(house, person), await addAsset(house, person), await addAsset(house, person)]
  const put = (asset_id: string, name: string, image: string) => putContainer(house, { account_id, asset_id, name, image })
  await put(one.id, 'relay', `registry.test/${repository}:1.0`)
  await put(one.id, 'other', `registry.test/${repository}-other:1.0`)
  await put(two.id, 'relay', `10.0.0.1:5000/${repository}@sha256:${'ab'.repeat(32)}`)
  await put(two.id, 'spare', `10.0.0.1:5000/${repository}:2.0`)
  await put(three.id, 'relay', `registry.test/${repository}:1.0`)
  const params = { repository_id: repository }
  const listed = await person.call(ops.listDeployed, { params })
  expect(listed.body.items.map(({ asset_id, container }) => [asset_id, container]).toSorted()).toEqual(
    [
      [one.id, 'relay'],
      [two.id, 'relay'],
      [two.id, 'spare'],
      [three.id, 'relay'],
    ].toSorted()
  )

  const outsider = await house.newOwner('Outside')
  const foreign = await addAsset(house, outsider)
  await putContainer(house, {
    account_id: outsider.account_id,
    asset_id: foreign.id,
    name: 'relay',
    image: `registry.test/${repository}:1.0`,
  })
  const body = { asset_ids: [one.id, two.id, two.id] }
  const deploy = (asset_ids: string[]) => person.call(ops.deployTag, { params: { ...params, tag: '2.0' }, body: { asset_ids } })
  for (const none of [foreign.id, 'ast_none']) expect((await deploy([one.id, none])).status).toBe(404)
  const deployed = await person.call(ops.deployTag, { params: { ...params, tag: '2.0' }, body })
  expect(deployed).toMatchObject({ status: 200, body: { changed: 2, already: 1, in_fleets: 0, agents_too_old: 0 } })
  const imagesOf = async (asset_id: string, of = person) =>
    (await of.call(getApplication, { params: { asset_id } })).body.items.map(({ name, image }) => [name, image])
  expect(await imagesOf(one.id)).toEqual([
    ['other', `registry.test/${repository}-other:1.0`],
    ['relay', `registry.test/${repository}:2.0`],
  ])
  expect(await imagesOf(two.id)).toEqual([
    ['relay', `10.0.0.1:5000/${repository}:2.0`],
    ['spare', `10.0.0.1:5000/${repository}:2.0`],
  ])
  expect(await imagesOf(three.id)).toEqual([['relay', `registry.test/${repository}:1.0`]])
  expect(await imagesOf(foreign.id, outsider)).toEqual([['relay', `registry.test/${repository}:1.0`]])
  const updated = (await house.events(account_id)).filter(({ name }) => name === 'assets.container_updated')
  expect(updated.map(({ detail }) => (detail as { asset_id: string }).asset_id).toSorted()).toEqual([one.id, two.id].toSorted())

  expect((await person.call(ops.deployTag, { params: { ...params, tag: 'gone' }, body })).status).toBe(404)
  expect((await outsider.call(ops.deployTag, { params: { ...params, tag: '2.0' }, body })).status).toBe(404)
  const many = { asset_ids: Array.from({ length: mostDevicesAtOnce + 1 }, (_, n) => `ast_${n}`) }
  expect((await person.call(ops.deployTag, { params: { ...params, tag: '2.0' }, body: many })).status).toBe(400)
})

test('a container that runs what its tag named before is listed so, and pulls the tag anew', async () => {
  const acme = await newPusher(house, address, 'Moved tags')
  const repository = `${acme.slug}/relay`
  const { digest } = await pushImage(acme.ask, repository, { tag: 'stable' })
  const { person, account_id } = acme
  const { asset_id, device_id } = await putAgent(house, person)
  for (const [name, image] of [
    ['tagged', `registry.test/${repository}:stable`],
    ['pinned', `registry.test/${repository}@${digest}`],
  ] as const)
    await putContainer(house, { account_id, asset_id, name, image })
  const params = { repository_id: repository }
  const listed = async () => (await person.call(ops.listDeployed, { params })).body.items
  const older = async () => (await listed()).filter((each) => each.older).map(({ container }) => container)
  const deploy = async () =>
    (await person.call(ops.deployTag, { params: { ...params, tag: 'stable' }, body: { asset_ids: [asset_id] } })).body
  const report = async (digest: string) => {
    const { items } = (await person.call(getApplication, { params: { asset_id } })).body
    const containers = items.map(({ name, generation }) => ({ ...reportedContainer, name, generation, digest }))
    const reported = JSON.stringify({ agent: { versions: { agent: '99.0.0', os: 'Debian', kernel: '6', engine: null }, containers } })
    await sql`update device set reported = ${reported}::jsonb where id = ${device_id}`.execute(house.db)
  }
  expect(await older(), 'the device said nothing yet').toEqual([])
  await report(digest)
  expect(await older()).toEqual([])
  const next = await pushImage(acme.ask, repository, { tag: 'stable', config: { author: 'again' } })
  expect(await older()).toEqual(['tagged'])
  expect(await deploy()).toMatchObject({ changed: 2, already: 0 })
  expect(await older(), 'it is on its way').toEqual([])
  await report(next.digest)
  expect(await older()).toEqual([])
  expect(await deploy()).toMatchObject({ changed: 0, already: 2 })
})

test('devices that get the versions of a fleet stay as their version has them; its pilot, and those of a fleet without one, do not', async () => {
  const acme = await newPusher(house, address, 'Fleets')
  const repository = `${acme.slug}/relay`
  await pushImage(acme.ask, repository, { tag: '2.0' })
  const { person, account_id } = acme
  const add = async () => (await addAsset(house, person)).id
  const [member, pilot, early, alone] = [await add(), await add(), await add(), await add()]
  const fleet_id = await putFleet(house, { account_id, asset_id: pilot, pilot_asset_id: pilot })
  await house.db.insertInto('fleet_asset').values({ account_id, asset_id: member, fleet_id, added_at: house.clock.now() }).execute()
  await house.db.updateTable('fleet').set({ version: 1 }).where('id', '=', fleet_id).execute()
  await putFleet(house, { account_id, asset_id: early, name: 'Without a version' })
  const before = `registry.test/${repository}:1.0`
  for (const asset_id of [member, pilot, early, alone]) await putContainer(house, { account_id, asset_id, name: 'relay', image: before })
  const params = { repository_id: repository }
  const listed = await person.call(ops.listDeployed, { params })
  expect(listed.body.items.filter(({ in_fleet }) => in_fleet).map(({ asset_id }) => asset_id)).toEqual([member])

  const body = { asset_ids: [member, pilot, early, alone] }
  const deployed = await person.call(ops.deployTag, { params: { ...params, tag: '2.0' }, body })
  expect(deployed).toMatchObject({ status: 200, body: { changed: 3, already: 0, in_fleets: 1, agents_too_old: 0 } })
  const now = await person.call(ops.listDeployed, { params })
  expect(new Map(now.body.items.map(({ asset_id, image }) => [asset_id, image]))).toEqual(
    new Map([[member, before], ...[pilot, early, alone].map((id) => [id, `registry.test/${repository}:2.0`] as const)])
  )
})

test('an image of the same path in another registry is not this one, and is left alone', async () => {
  const acme = await newPusher(house, address, 'Hosts')
  const repository = `${acme.slug}/relay`
  await pushImage(acme.ask, repository, { tag: '2.0' })
  const { person, account_id } = acme
  const { id: asset_id } = await addAsset(house, person)
  const images = {
    elsewhere: `ghcr.test/${repository}:1.0`,
    hub: `x/${repository}:1.0`,
    address: `10.0.0.1:5000/${repository}:1.0`,
    local: `localhost/${repository}:1.0`,
    ours: `Registry.test:5000/${repository}:1.0`,
  }
  for (const [name, image] of Object.entries(images)) await putContainer(house, { account_id, asset_id, name, image })
  const params = { repository_id: repository }
  const listed = async () => (await person.call(ops.listDeployed, { params })).body.items.map(({ container }) => container)
  // While no name is configured it may be any.
  expect((await listed()).toSorted()).toEqual(['address', 'elsewhere', 'local', 'ours'])
  const { integrations } = house.app.config
  const before = { ...integrations }
  Object.assign(integrations, { registryHost: 'registry.test' })
  try {
    expect((await listed()).toSorted()).toEqual(['address', 'local', 'ours'])
    expect((await person.call(ops.listTags, { params })).body.items[0]!.devices).toBe(0)
    const deployed = await person.call(ops.deployTag, { params: { ...params, tag: '2.0' }, body: { asset_ids: [asset_id] } })
    expect(deployed.body).toEqual({ changed: 3, already: 0, in_fleets: 0, agents_too_old: 0 })
    const { items } = (await person.call(getApplication, { params: { asset_id } })).body
    expect(items.filter(({ image }) => image.endsWith(':1.0')).map(({ name }) => name)).toEqual(['elsewhere', 'hub'])
    expect((await person.call(ops.listTags, { params })).body.items[0]!.devices).toBe(1)
  } finally {
    Object.assign(integrations, before)
  }
})

test('a device whose agent is too old to read an image keeps the one that it has, and the others get theirs', async () => {
  const acme = await newPusher(house, address, 'Old agents')
  const repository = `${acme.slug}/${'a'.repeat(120)}/${'b'.repeat(110)}`
  const tag = 'c'.repeat(100)
  await pushImage(acme.ask, repository, { tag })
  const { person, account_id } = acme
  const [old, newer] = [await putAgent(house, person), await putAgent(house, person)]
  const reported = JSON.stringify({ agent: { versions: { agent: '0.330.7', os: 'Debian', kernel: '6', engine: null } } })
  await sql`update device set reported = ${reported}::jsonb where id = ${newer.device_id}`.execute(house.db)
  const before = `registry.test/${repository}:1.0`
  for (const { asset_id } of [old, newer]) await putContainer(house, { account_id, asset_id, name: 'web', image: before })
  const body = { asset_ids: [old.asset_id, newer.asset_id] }
  const deployed = await person.call(ops.deployTag, { params: { repository_id: repository, tag }, body })
  expect(deployed).toMatchObject({ status: 200, body: { changed: 1, already: 0, in_fleets: 0, agents_too_old: 1 } })
  const imageOf = async (asset_id: string) =>
    (await person.call(getApplication, { params: { asset_id } })).body.items.find(({ name }) => name === 'web')!.image
  expect(await imageOf(old.asset_id)).toBe(before)
  expect(await imageOf(newer.asset_id)).toBe(`registry.test/${repository}:${tag}`)
})
