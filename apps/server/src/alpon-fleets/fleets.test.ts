import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as ops from '@masthead/contract/alpon-fleets/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { updateAsset } from '@masthead/contract/assets/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../assets/test-stock.ts'
import { putDevice, putFleet } from './test-fleet.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const create = (name: string, who = ada) => who.call(ops.createFleet, { body: { name } })
const update = (fleet_id: string, body: object, who = ada) => who.call(ops.updateFleet, { params: { fleet_id }, body })
const add = (fleet_id: string, assets: string[], who = ada) => who.call(ops.addFleetAssets, { params: { fleet_id }, body: { assets } })
const remove = (fleet_id: string, assets: string[], who = ada) =>
  who.call(ops.removeFleetAssets, { params: { fleet_id }, body: { assets } })
const removeBy = (fleet_id: string, body: object, who = ada) => who.call(ops.removeFleetAssets, { params: { fleet_id }, body })
const assetsOf = async (fleet_id: string, query = {}, who = ada) =>
  (await who.call(ops.listFleetAssets, { params: { fleet_id }, query })).body.items.map(({ name }) => name)
const happened = async () =>
  (await house.events(ada.account_id)).filter(({ name }) => name.startsWith('alpon_fleets.')).map(({ name, detail }) => ({ name, detail }))

test('a fleet is made, renamed, found by its name and deleted; its assets stay', async () => {
  const { body: fleet } = await create('Depots')
  expect(fleet).toMatchObject({ name: 'Depots', pilot: null, assets: 0, updated_by: ada.email })
  expect(await create('depots')).toMatchObject({
    status: 409,
    body: { code: 'fleet_name_taken', fields: { name: 'There is a fleet "depots" already' } },
  })
  await create('Ships')
  expect((await update(fleet.id, { name: 'Harbours' })).body.name).toBe('Harbours')
  expect(await update(fleet.id, { name: 'ships' })).toMatchObject({ status: 409, body: { code: 'fleet_name_taken' } })
  const list = async (query = {}) => (await ada.call(ops.listFleets, { query })).body
  expect(await list()).toMatchObject({ items: [{ name: 'Harbours' }, { name: 'Ships' }], total: 2 })
  expect((await list({ search: 'SHIP' })).items).toMatchObject([{ name: 'Ships' }])
  expect((await list({ search: '%' })).items).toEqual([])
  const asset = await addAsset(house, ada)
  await add(fleet.id, [asset.id])
  expect((await ada.call(ops.deleteFleet, { params: { fleet_id: fleet.id } })).status).toBe(200)
  expect((await ada.call(ops.getFleet, { params: { fleet_id: fleet.id } })).status).toBe(404)
  const ships = await list({ search: 'ships' })
  expect((await add(ships.items[0]!.id, [asset.id])).body).toMatchObject({ added: 1 })
  expect((await happened()).map(({ name }) => name.split('.')[1]).toSorted()).toEqual([
    'assets_added',
    'assets_added',
    'fleet_created',
    'fleet_created',
    'fleet_deleted',
    'fleet_renamed',
  ])
})

test('pages follow each other by name', async () => {
  for (const name of ['c', 'a', 'b']) await create(name)
  const first = (await ada.call(ops.listFleets, { query: { page_size: 2 } })).body
  expect(first).toMatchObject({ items: [{ name: 'a' }, { name: 'b' }], total: 3 })
  const second = (await ada.call(ops.listFleets, { query: { page_size: 2, after: first.next! } })).body
  expect(second).toMatchObject({ items: [{ name: 'c' }], next: null })
})

test('assets are added by id, serial number or ICCID, each once; what cannot be added is said with its reason', async () => {
  const { body: fleet } = await create('Depots')
  const { body: other } = await create('Ships')
  const [a, b, c] = [await addAsset(house, ada, { name: 'A' }), await addAsset(house, ada, { name: 'B' }), await addAsset(house, ada)]
  const sim = await addAsset(house, ada, { type: 'plastic_sim' })
  const foreign = await addAsset(house, await house.newOwner())
  await add(other.id, [c.id])
  const keys = [a.id, a.serial, b.sim!.iccid, c.id, sim.id, foreign.id, 'nothing']
  expect((await add(fleet.id, keys)).body).toEqual({
    added: 2,
    already: 0,
    refused: [
      { key: c.id, name: c.name, words: 'It is in the fleet Ships. Take it out there first' },
      { key: sim.id, name: sim.name, words: 'Plastic SIM runs no containers' },
      { key: foreign.id, name: null, words: 'There is no such asset' },
      { key: 'nothing', name: null, words: 'There is no such asset' },
    ],
  })
  expect((await add(fleet.id, [a.id])).body).toEqual({ added: 0, already: 1, refused: [] })
  expect(await assetsOf(fleet.id)).toEqual(['A', 'B'])
  expect(await assetsOf(fleet.id, { search: b.serial.toLowerCase() })).toEqual(['B'])
  expect((await remove(fleet.id, [a.serial, a.id, c.id, foreign.id])).body).toEqual({
    removed: 1,
    refused: [
      { key: c.id, name: c.name, words: 'It is not in this fleet' },
      { key: foreign.id, name: null, words: 'There is no such asset' },
    ],
  })
  expect((await remove(fleet.id, [a.serial])).body).toMatchObject({ removed: 0, refused: [{ key: a.serial, name: 'A' }] })
  expect(await assetsOf(fleet.id)).toEqual(['B'])
  const told = (await happened()).filter(({ detail }) => detail.fleet_name === 'Depots')
  expect(told.find(({ name }) => name.endsWith('added'))!.detail).toMatchObject({ assets_added: 2 })
  expect(told.find(({ name }) => name.endsWith('removed'))!.detail).toMatchObject({ assets_deleted: 1 })
})

test('the assets of a fleet say whether the device of each can be reached now', async () => {
  const { body: fleet } = await create('Depots')
  const made = await Promise.all(['away', 'here', 'never'].map((name) => addAsset(house, ada, { name })))
  await add(
    fleet.id,
    made.map(({ id }) => id)
  )
  const [away, here] = made
  for (const { id } of [away!, here!]) await putDevice(house, { account_id: ada.account_id, asset_id: id })
  const left = { online: false, last_birth_at: house.clock.now() } as never
  await house.db.updateTable('device').set(left).where('account_id', '=', ada.account_id).where('asset_id', '=', away!.id).execute()
  const { items } = (await ada.call(ops.listFleetAssets, { params: { fleet_id: fleet.id }, query: {} })).body
  expect(items.map(({ name, online }) => [name, online])).toEqual([
    ['away', false],
    ['here', true],
    ['never', null],
  ])
  for (const [device, name] of Object.entries({ offline: 'away', online: 'here', without_agent: 'never' }))
    expect(await assetsOf(fleet.id, { device })).toEqual([name])
})

test('assets are added by a filter of the list too, but some, by who may see assets, and never more than 1,000', async () => {
  const { body: fleet } = await create('Depots')
  const { body: tag } = await ada.call(createTag, { body: { name: 'north' } })
  const made = await Promise.all(['A', 'B', 'C'].map((name) => addAsset(house, ada, { name, tags: ['north'] })))
  await addAsset(house, ada, { name: 'South' })
  const addBy = (body: object, who = ada) => who.call(ops.addFleetAssets, { params: { fleet_id: fleet.id }, body })
  const filter = { tag: ['north'] }
  expect((await addBy({ filter, except: [made[1]!.id] })).body).toEqual({ added: 2, already: 0, refused: [] })
  expect(await assetsOf(fleet.id)).toEqual(['A', 'C'])
  expect((await addBy({ filter })).body).toMatchObject({ added: 1, already: 2 })
  for (const body of [{}, { filter, assets: [made[0]!.id] }])
    expect(await addBy(body)).toMatchObject({ status: 400, body: { fields: { assets: 'Name the assets, or choose them by a filter' } } })
  const blind = await house.newMember(ada, ['alpon_fleets.view', 'alpon_fleets.edit'])
  expect(await addBy({ filter }, blind)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const limited = await house.newMember(ada, ['assets.view', 'alpon_fleets.view', 'alpon_fleets.edit'], [tag.id])
  expect((await addBy({ filter: {} }, limited)).body).toMatchObject({ added: 0, already: 3, refused: [] })
})

test('assets are taken out by a filter of the list too: those of this fleet alone, but some, by who may see assets', async () => {
  const [{ body: fleet }, { body: other }] = [await create('Depots'), await create('Ships')]
  await ada.call(createTag, { body: { name: 'north' } })
  const [a, b, c, ship] = await Promise.all(['A', 'B', 'C', 'Ship'].map((name) => addAsset(house, ada, { name, tags: ['north'] })))
  const south = await addAsset(house, ada, { name: 'South' })
  await add(fleet.id, [a!.id, b!.id, c!.id, south.id])
  await add(other.id, [ship!.id])
  await update(fleet.id, { pilot_asset_id: a!.id })
  const filter = { tag: ['north'] }
  const blind = await house.newMember(ada, ['alpon_fleets.view', 'alpon_fleets.edit'])
  expect(await removeBy(fleet.id, { filter }, blind)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  for (const body of [{}, { filter, assets: [a!.id] }])
    expect(await removeBy(fleet.id, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect((await removeBy(fleet.id, { filter, except: [b!.id] })).body).toEqual({ removed: 2, refused: [] })
  expect(await assetsOf(fleet.id)).toEqual(['B', 'South'])
  expect(await assetsOf(other.id)).toEqual(['Ship'])
  expect((await ada.call(ops.getFleet, { params: { fleet_id: fleet.id } })).body.pilot).toBeNull()
  expect((await removeBy(fleet.id, { filter: { search: 'no such name' } })).body).toEqual({ removed: 0, refused: [] })
  expect((await happened()).filter(({ name }) => name.endsWith('assets_removed'))).toMatchObject([{ detail: { assets_deleted: 2 } }])
})

test('the pilot is an asset of the fleet, and is it no more when it leaves', async () => {
  const { body: fleet } = await create('Depots')
  const [a, b] = [await addAsset(house, ada, { name: 'A' }), await addAsset(house, ada, { name: 'B' })]
  await add(fleet.id, [a.id])
  expect(await update(fleet.id, { pilot_asset_id: b.id })).toMatchObject({
    status: 400,
    body: { code: 'pilot_not_in_fleet', fields: { pilot_asset_id: 'Choose an asset of this fleet as its pilot' } },
  })
  expect((await update(fleet.id, { pilot_asset_id: a.id })).body.pilot).toEqual({ asset_id: a.id, asset_name: 'A' })
  expect((await happened()).filter(({ name }) => name === 'alpon_fleets.pilot_set')).toMatchObject([
    { detail: { new_pilot_asset_name: 'A' } },
  ])
  await remove(fleet.id, [a.id])
  expect((await ada.call(ops.getFleet, { params: { fleet_id: fleet.id } })).body.pilot).toBeNull()
  await add(fleet.id, [a.id])
  await update(fleet.id, { pilot_asset_id: a.id })
  expect((await update(fleet.id, { pilot_asset_id: null })).body.pilot).toBeNull()
})

test('a member limited by tags sees, adds and takes out their own assets alone, and changes no fleet', async () => {
  const { body: tag } = await ada.call(createTag, { body: { name: 'north' } })
  const [theirs, another] = [await addAsset(house, ada, { name: 'Theirs', tags: ['north'] }), await addAsset(house, ada)]
  const { body: fleet } = await create('Depots')
  await add(fleet.id, [another.id])
  await update(fleet.id, { pilot_asset_id: another.id })
  const member = await house.newMember(ada, ['alpon_fleets.view', 'alpon_fleets.edit'], [tag.id])
  expect((await member.call(ops.getFleet, { params: { fleet_id: fleet.id } })).body).toMatchObject({ assets: 0, pilot: null })
  expect((await add(fleet.id, [theirs.id, another.id], member)).body).toEqual({
    added: 1,
    already: 0,
    refused: [{ key: another.id, name: null, words: 'There is no such asset' }],
  })
  expect(await assetsOf(fleet.id, {}, member)).toEqual(['Theirs'])
  expect((await remove(fleet.id, [another.id], member)).body).toMatchObject({ removed: 0, refused: [{ name: null }] })
  const seeing = await house.newMember(ada, ['assets.view', 'alpon_fleets.view', 'alpon_fleets.edit'], [tag.id])
  expect((await removeBy(fleet.id, { filter: {} }, seeing)).body).toEqual({ removed: 1, refused: [] })
  expect(await assetsOf(fleet.id)).toEqual([another.name])
  for (const { status } of [await update(fleet.id, { name: 'x' }, member), await create('y', member)]) expect(status).toBe(403)
  expect((await member.call(ops.deleteFleet, { params: { fleet_id: fleet.id } })).status).toBe(403)
})

test('an asset that leaves the account leaves its fleet', async () => {
  const asset = await addAsset(house, ada)
  const fleet_id = await putFleet(house, { account_id: ada.account_id, asset_id: asset.id })
  await update(fleet_id, { pilot_asset_id: asset.id })
  await ada.call(updateAsset, { params: { asset_id: asset.id }, body: { name: 'Gone' } })
  await house.db.deleteFrom('asset').where('id', '=', asset.id).execute()
  expect((await ada.call(ops.getFleet, { params: { fleet_id } })).body).toMatchObject({ assets: 0, pilot: null })
})

test('two at once: a name is taken once, an asset is in one fleet', async () => {
  const made = await Promise.all([create('Depots'), create('Depots'), create('Depots')])
  expect(made.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const { body: other } = await create('Ships')
  const asset = await addAsset(house, ada)
  const depots = made.find(({ status }) => status === 200)!.body.id
  const added = await Promise.all([add(depots, [asset.id]), add(other.id, [asset.id])])
  expect(added.map(({ body }) => body.added).toSorted()).toEqual([0, 1])
})
