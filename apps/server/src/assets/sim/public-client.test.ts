import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '@masthead/contract/developers/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset, addStock } from '../test-stock.ts'

// A client of this API family as there are public ones (domain.md §6.7): it knows paths, JSON and one header, and nothing of ours.

let house: House
let owner: Person
let key: string
beforeAll(async () => {
  house = await openHouse()
  owner = await house.newOwner()
  const scopes = ['assets.view', 'assets.edit', 'assets.register', 'usage.view']
  key = (await owner.call(createApiKey, { body: { name: 'client', scopes } as never })).body.secret
})
afterAll(() => house[Symbol.asyncDispose]())

async function client(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) {
  const answer = await house.server.inject({
    method,
    url: `/v1${path}`,
    headers: { 'x-api-key': key, host: 'localhost:80', 'content-type': 'application/json' },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, body: answer.json<{ [name: string]: unknown }>() }
}

test('it registers, finds, renames, and switches an asset, by id, serial number, ICCID or id of its SIM', async () => {
  const stock = await addStock(house)
  const { status, body } = await client('POST', '/assets', { token: stock.serial, name: 'Gateway 1' })
  expect([status, body.name]).toEqual([200, 'Gateway 1'])
  const { id: sim_id } = body.sim as { id: string }
  for (const id of [body.id as string, stock.serial, stock.serial.toLowerCase(), stock.iccid!, stock.iccid!.slice(0, -1), sim_id]) {
    expect((await client('GET', `/assets/${id}`)).body.id).toBe(body.id)
    expect((await client('PATCH', `/assets/${id}`, { name: `By ${id}` })).body.name).toBe(`By ${id}`)
  }
  expect((await client('GET', '/assets')).body).toMatchObject({ items: [{ id: body.id }], total: 1 })
  const sim = async () => (await client('GET', `/assets/${stock.serial}/sim`)).body
  expect(await sim()).toMatchObject({ iccid: stock.iccid, imsi: stock.imsis[0], state: 'ready', blocks: [] })
  // A switch over the asset, whatever its SIM is set to.
  expect(await client('PATCH', `/assets/${stock.iccid}`, { status: 'inactive' })).toMatchObject({
    status: 200,
    body: { status: 'inactive' },
  })
  expect((await client('GET', `/assets/${stock.iccid}`)).body.status).toBe('inactive')
  expect(await sim()).toMatchObject({ status: 'blocked', state: 'ready', blocks: [{ code: 'asset_off' }] })
  expect(await client('PATCH', `/assets/${stock.iccid}`, { status: 'active' })).toMatchObject({ status: 200, body: { status: 'active' } })
  expect((await client('PATCH', `/assets/${stock.iccid}`, { status: 'active' })).status).toBe(200)
  expect(await sim()).toMatchObject({ status: 'active', blocks: [] })
})

test('it reads usage of a span by a step, and the networks', async () => {
  const asset = await addAsset(house, owner)
  const usages = (start: string, end: string) =>
    client('GET', `/assets/${asset.sim!.iccid}/sim/usages?${new URLSearchParams({ start, end, interval: 'day' }).toString()}`)
  const byTimes = await usages('2026-11-01T00:00:00Z', '2026-11-03T00:00:00Z')
  expect(byTimes.body).toMatchObject({ items: [{ bytes_up: 0, bytes_down: 0 }, {}], bytes_up: 0, bytes_down: 0 })
  expect((await usages('2026-11-01', '2026-11-03')).body.items).toEqual(byTimes.body.items)
  expect((await usages('2026-11-01', 'soon')).body.message).toBe(
    'Give a time like 2026-11-01T00:00:00Z, or a day like 2026-11-01, of the years 1970 to 2999'
  )
  expect((await client('GET', '/networks')).body.items).toEqual(expect.any(Array))
})

test('errors carry a message and a detail, and say what is wrong with which field', async () => {
  const missing = await client('GET', '/assets/X4-nothing')
  expect(missing).toMatchObject({ status: 404, body: { message: expect.any(String), detail: expect.any(String) } })
  const asset = await addAsset(house, owner)
  const wrong = await client('PATCH', `/assets/${asset.id}`, { status: 'paused' })
  expect(wrong).toMatchObject({ status: 400, body: { message: expect.any(String), fields: { status: expect.any(String) } } })
  // Nothing that somebody could do would have it answer.
  const sim_only = await addAsset(house, owner, { type: 'plastic_sim' })
  expect((await client('PATCH', `/assets/${sim_only.id}/sim`, { apn: 'iot.example' })).body).toMatchObject({
    error: 'AssetNotAlponDevice',
    message: 'Devices of this type run no agent of ours',
  })
  const bare = await addAsset(house, owner, { iccid: null })
  expect(await client('GET', `/assets/${bare.id}/sim`)).toMatchObject({ status: 409, body: { code: 'asset_has_no_sim' } })
})
