import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNetworkUsage, listSilentSims } from '@masthead/contract/usage/network-operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { keepConnectionEvents, prepareMetering } from '../metering/index.ts'
import { addAsset, addNetworks, addTag, addUsage, type SeededAsset } from './test-usage.ts'

let house: House
let owner: Person
let camera: SeededAsset
let truck: SeededAsset
let quiet: SeededAsset
let north: string

beforeAll(async () => {
  house = await openHouse()
  house.clock.set('2026-11-21T14:31:48Z')
  owner = await house.newOwner()
  await addNetworks(house)
  north = await addTag(house, owner, 'north')
  camera = await addAsset(house, owner, { name: 'camera', tags: [north] })
  truck = await addAsset(house, owner, { name: 'truck' })
  quiet = await addAsset(house, owner, { name: 'quiet', tags: [north] })
  await addAsset(house, owner, { name: 'Alone' })
  await addAsset(house, owner, { name: 'asleep', state: 'inactive' })
  await addUsage(house, owner, [
    { sim_id: camera.sim_id, hour: '2026-11-20T09:00:00Z', up: 800, down: 100 },
    { sim_id: truck.sim_id, hour: '2026-11-20T10:00:00Z', up: 100, down: 200, mccmnc: '208-01' },
    { sim_id: truck.sim_id, hour: '2026-11-20T10:00:00Z', up: 7, down: 0, mccmnc: '' },
    { sim_id: camera.sim_id, hour: '2026-10-20T09:00:00Z', up: 40, down: 2 },
    { sim_id: quiet.sim_id, hour: '2026-10-20T09:00:00Z', up: 3, down: 0, mccmnc: '262-02' },
  ])
  await prepareMetering(house.app)
  const refused = (sim: SeededAsset, at: string) => ({
    account_id: owner.account_id,
    sim_id: sim.sim_id,
    asset_id: sim.asset_id,
    kind: 'rejected' as const,
    key: at,
    at: Date.parse(at),
    words: null,
    mccmnc: '208-10',
    rat: null,
    gateway: null,
    before: null,
    after: null,
  })
  await house.db.transaction().execute((tx) =>
    keepConnectionEvents(tx, [
      refused(truck, '2026-11-21T13:00:00Z'),
      refused(truck, '2026-11-21T13:10:00Z'),
      refused(quiet, '2026-11-20T15:00:00Z'),
      // More than a day ago.
      refused(camera, '2026-11-20T14:00:00Z'),
    ])
  )
})
afterAll(() => house[Symbol.asyncDispose]())

const networksFor = async (person: Person, query: object = {}) => {
  const { status, body } = await person.call(listNetworkUsage, { query })
  expect(status, body.detail).toBe(200)
  const of = body.networks.map(({ network, bytes, previous_bytes, refused_sims }) => [
    network.mccmnc,
    network.country,
    bytes,
    previous_bytes,
    refused_sims,
  ])
  return { ...body, of }
}

test('usage of each operator beside that of the month before, and where SIMs were refused in the last 24 hours', async () => {
  const body = await networksFor(owner)
  expect(body.of).toEqual([
    ['262-01', 'DE', 900, 42, 0],
    ['208-01', 'FR', 300, 0, 0],
    ['208-10', 'FR', 0, 0, 2],
    ['262-02', 'DE', 0, 3, 0],
  ])
  expect(body).toMatchObject({ unknown_bytes: 7, previous_unknown_bytes: 0 })
})

test('a period that is over shows no refusals of today', async () => {
  const body = await networksFor(owner, { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' })
  expect(body.of).toEqual([
    ['262-01', 'DE', 42, 0, null],
    ['262-02', 'DE', 3, 0, null],
  ])
})

test('a member with tags sees what their assets used, and where those were refused', async () => {
  const member = await house.newMember(owner, ['usage.view'], [north])
  expect((await networksFor(member)).of).toEqual([
    ['262-01', 'DE', 900, 42, 0],
    ['208-10', 'FR', 0, 0, 1],
    ['262-02', 'DE', 0, 3, 0],
  ])
})

test('active SIMs without a byte, by name, page by page', async () => {
  const ask = async (query: object, person = owner) => (await person.call(listSilentSims, { query })).body
  const first = await ask({ page_size: 1 })
  expect(first).toMatchObject({ total: 2, total_capped: false, items: [{ name: 'Alone', sent_at: null, seen_at: null, blocked: false }] })
  const second = await ask({ page_size: 1, after: first.next! })
  expect(second.items.map(({ asset_id, iccid }) => [asset_id, iccid])).toEqual([[quiet.asset_id, quiet.iccid]])
  expect(second.next).toBeNull()
  const october = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' }
  expect((await ask(october)).items.map(({ name }) => name)).toEqual(['Alone', 'truck'])
  const member = await house.newMember(owner, ['usage.view'], [north])
  expect((await ask({}, member)).items.map(({ name }) => name)).toEqual(['quiet'])
  expect(await ask({ after: 'x' })).toMatchObject({ code: 'invalid_request' })
})
