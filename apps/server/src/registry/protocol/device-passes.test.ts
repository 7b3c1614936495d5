import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDevice, getDesiredState, getRegistryLogin } from '@masthead/contract/devices/agent/device-operations'
import { makeClaimCode } from '@masthead/contract/devices/agent/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putContainer } from '../../alpon-fleets/test-fleet.ts'
import { addAsset } from '../../assets/test-stock.ts'
import { cutDevice } from '../../devices/index.ts'
import { basic, client, newPusher, pushImage, type Pusher } from '../test-registry.ts'

let house: House
let address: string
let acme: Pusher
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  acme = await newPusher(house, address, 'Devices')
})
afterAll(() => house[Symbol.asyncDispose]())

/** A device that was set up by a claim code. */
async function newDevice({ person, account_id }: Pusher, image?: string) {
  const { id: asset_id } = await addAsset(house, person)
  const claim = async () => {
    const { body } = await person.call(makeClaimCode, { params: { asset_id } })
    return (await house.anyone.call(claimDevice, { body: { code: body.code } })).body
  }
  const wants = (name: string, of: string) => putContainer(house, { account_id, asset_id, name, image: of })
  const { device_id, token } = await claim()
  if (image) await wants('relay', image)
  const login = (key = `${device_id}:${token}`) => house.anyone.call(getRegistryLogin, {}, { 'x-device-key': key })
  return { asset_id, device_id, token, claim, wants, login }
}

const passOf = async (device: Awaited<ReturnType<typeof newDevice>>) => {
  const { status, body } = await device.login()
  expect(status).toBe(200)
  return body
}

test('a device pulls what its containers are to run, by a password or a token, and does nothing else', async () => {
  const [relay, other] = [`${acme.slug}/relay`, `${acme.slug}/other`]
  const image = await pushImage(acme.ask, relay, { tag: '1.0' })
  await pushImage(acme.ask, other, { tag: '1.0' })
  const device = await newDevice(acme, `registry.test/${relay}:1.0`)
  const { password, hosts, username, expires_at } = await passOf(device)
  expect({ hosts, username }).toEqual({ hosts: ['localhost:80'], username: device.device_id })
  expect(Date.parse(expires_at) - house.clock.now().getTime()).toBeGreaterThan(86_390_000)
  const ask = client(address, basic(password))
  const pulled = await ask(`/v2/${relay}/manifests/1.0`)
  expect([pulled.status, pulled.text]).toEqual([200, image.manifest])
  expect((await ask(`/v2/${relay}/blobs/${image.layers[0]}`)).status).toBe(200)
  const refused = await ask(`/v2/${other}/manifests/1.0`)
  const words = `A device pulls what its containers are to run: none of them names ${other}`
  expect(refused).toMatchObject({ status: 403, code: 'DENIED', words })
  expect((await ask(`/v2/${relay}/blobs/uploads/`, { method: 'POST' })).status).toBe(403)
  expect((await ask(`/v2/${relay}/manifests/2.0`, { method: 'PUT', body: image.manifest })).status).toBe(403)
  expect((await ask(`/v2/${relay}/manifests/${image.digest}`, { method: 'DELETE' })).status).toBe(403)
  expect(JSON.parse((await ask('/v2/_catalog')).text)).toEqual({ repositories: [relay] })
  const scope = `scope=repository:${relay}:pull,push&scope=repository:${other}:pull`
  const given = JSON.parse((await ask(`/v2/token?service=x&${scope}`)).text) as { token: string; scope: string }
  expect(given.scope).toBe(`repository:${relay}:pull`)
  const byToken = client(address, `Bearer ${given.token}`)
  expect((await byToken(`/v2/${relay}/manifests/1.0`)).status).toBe(200)

  // It follows what is wanted: what no container names any more is closed, also to a token that was given before.
  await house.db
    .updateTable('container')
    .set({ image: `registry.test/${other}@sha256:${'ab'.repeat(32)}` })
    .where('asset_id', '=', device.asset_id)
    .execute()
  for (const each of [ask, byToken]) expect((await each(`/v2/${relay}/manifests/1.0`)).status).toBe(403)
  expect((await ask(`/v2/${other}/manifests/1.0`)).status).toBe(200)
  await house.db.deleteFrom('container').where('asset_id', '=', device.asset_id).execute()
  for (const name of [relay, other]) expect((await ask(`/v2/${name}/manifests/1.0`)).status, name).toBe(403)
  expect(JSON.parse((await ask('/v2/_catalog')).text)).toEqual({ repositories: [] })
})

test('it is for the registry of its own account alone: neither another account’s nor the API or what the device is to run', async () => {
  const other = await newPusher(house, address, 'Others')
  await pushImage(other.ask, `${other.slug}/relay`, { tag: '1.0' })
  await pushImage(acme.ask, `${acme.slug}/mine`, { tag: '1.0' })
  const device = await newDevice(acme, `registry.test/${other.slug}/relay:1.0`)
  const { password } = await passOf(device)
  const ask = client(address, basic(password))
  for (const name of [`${other.slug}/relay`, 'nobody/none'])
    expect(await ask(`/v2/${name}/manifests/1.0`), name).toMatchObject({ status: 404, code: 'NAME_UNKNOWN' })
  expect((await ask(`/v2/${acme.slug}/mine/manifests/1.0`)).status).toBe(403)
  expect((await house.server.inject({ url: '/v1/registry', headers: { 'x-api-key': password, host: 'localhost:80' } })).statusCode).toBe(
    401
  )
  const key = `${device.device_id}:${password}`
  expect((await house.anyone.call(getDesiredState, {}, { 'x-device-key': key })).status).toBe(403)
  expect((await device.login(key)).body).toMatchObject({ code: 'device_key_unknown' })
  for (const wrong of [password.replace('.', 'x.'), `${password}x`, 'mhd_', 'mhd_e30.'])
    expect((await client(address, basic(wrong))('/v2/')).status, wrong).toBe(401)
})

test('it ends with the device: cut off or set up anew, and after a day', async () => {
  const image = `${acme.slug}/ends`
  await pushImage(acme.ask, image, { tag: '1.0' })
  const device = await newDevice(acme, `registry.test/${image}:1.0`)
  const manifest = async ({ password }: { password: string }) => client(address, basic(password))(`/v2/${image}/manifests/1.0`)
  const first = await passOf(device)
  expect((await manifest(first)).status).toBe(200)
  const again = await device.claim()
  const over = { status: 401, words: 'The device that this password was for is cut off, or was set up anew' }
  expect(await manifest(first)).toMatchObject(over)
  const second = (await device.login(`${again.device_id}:${again.token}`)).body
  expect((await manifest(second)).status).toBe(200)

  house.clock.advance({ hours: 24, seconds: 1 })
  expect(await manifest(second)).toMatchObject({ status: 401, words: 'This password of a device is over, or is none of this registry' })
  house.clock.advance({ hours: -24, seconds: -1 })
  expect((await manifest(second)).status).toBe(200)
  const cut = { account_id: acme.account_id, device_id: device.device_id, by: 'staff', at: house.clock.now() }
  await house.app.db.transaction().execute((tx) => cutDevice(tx, cut))
  expect(await manifest(second)).toMatchObject(over)
})

test('what a container pulls from another registry opens nothing here, whatever it is called there', async () => {
  const relay = `${acme.slug}/elsewhere`
  await pushImage(acme.ask, relay, { tag: '1.0' })
  const { integrations } = house.app.config
  Object.assign(house.app.config, { integrations: { ...integrations, registryHost: 'registry.test' } })
  try {
    const device = await newDevice(acme, `ghcr.io/${relay}:1.0`)
    const ask = client(address, basic((await passOf(device)).password))
    expect((await ask(`/v2/${relay}/manifests/1.0`)).status).toBe(403)
    expect(JSON.parse((await ask('/v2/_catalog')).text)).toEqual({ repositories: [] })
    // By the name that is set, and by the one under which the device asks.
    for (const host of ['Registry.test', 'registry.test:5000', new URL(address).host]) {
      await device.wants(`by-${host.length}`, `${host}/${relay}:1.0`)
      expect((await ask(`/v2/${relay}/manifests/1.0`)).status, host).toBe(200)
      await house.db.deleteFrom('container').where('asset_id', '=', device.asset_id).execute()
    }
  } finally {
    Object.assign(house.app.config, { integrations })
  }
})
