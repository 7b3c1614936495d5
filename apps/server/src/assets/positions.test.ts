import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateAsset } from '@masthead/contract/assets/operations'
import { listStays, mostPlaces, type Position } from '@masthead/contract/assets/place-operations'
import { getPlaces } from '@masthead/contract/overview/glance-operations'
import { createTag } from '@masthead/contract/tags/operations'
import { newKey } from '../developers/test-keys.ts'
import { openHouse, type House } from '@masthead/testkit/house'
import { forgetPlaces } from './set-position.ts'
import { addAsset } from './test-stock.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const [warsaw, malmo] = [
  { latitude: 52.2297, longitude: 21.0122 },
  { latitude: 55.6, longitude: 13 },
]

async function newScene() {
  const ada = await house.newOwner()
  const asset = await addAsset(house, ada, { name: 'buoy' })
  const params = { asset_id: asset.id }
  const put = (position: Position | null) => ada.call(updateAsset, { params, body: { position } })
  const places = async () =>
    (await ada.call(listStays, { params })).body.places.map(({ latitude, longitude, until }) => [latitude, longitude, until])
  const hours = (n: number) => house.clock.advance({ seconds: n * 3600 })
  return { ada, asset, put, places, hours }
}

test('an asset stands where it was set, each change is in the activities, and where it stood before is kept for 30 days', async () => {
  const { ada, asset, put, places, hours } = await newScene()
  const events = async () => (await house.events(ada.account_id)).filter(({ name }) => name.startsWith('assets.asset_place'))
  expect(await places()).toEqual([])
  await put(null)
  expect(await events()).toEqual([])
  await put(warsaw)
  await put(warsaw)
  expect((await events()).map(({ name, detail }) => [name, detail])).toEqual([
    ['assets.asset_placed', { asset_id: asset.id, asset_name: 'buoy', position: '52.2297, 21.0122' }],
  ])
  hours(1)
  const moved = house.clock.now().toISOString()
  expect((await put(malmo)).status).toBe(200)
  expect(await places()).toEqual([
    [55.6, 13, null],
    [52.2297, 21.0122, moved],
  ])
  expect((await ada.call(listStays, { params: { asset_id: asset.id } })).body.places[0]).toMatchObject({ since: moved, by: ada.email })
  hours(1)
  const removed = house.clock.now().toISOString()
  await put(null)
  expect((await places()).map(([, , until]) => until)).toEqual([removed, moved])
  expect((await events()).at(-1)).toMatchObject({ name: 'assets.asset_place_forgotten' })
  await sql`update asset_place set since = since - interval '30 days', until = until - interval '30 days' where asset_id = ${asset.id}`.execute(
    house.db
  )
  expect((await places()).map(([latitude]) => latitude)).toEqual([55.6])
  hours(1)
  await forgetPlaces(house.app)
  expect(await places()).toEqual([])
  await put(warsaw)
  await forgetPlaces(house.app)
  expect(await places()).toEqual([[52.2297, 21.0122, null]])
  const { count } = await house.db
    .selectFrom('asset_place')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('asset_id', '=', asset.id)
    .executeTakeFirstOrThrow()
  expect(Number(count), 'what is older is not kept').toBe(1)
})

test('so many positions of an asset are kept, the newest', async () => {
  const { ada, asset, put, places, hours } = await newScene()
  await sql`insert into asset_place (account_id, asset_id, since, until, latitude, longitude, set_by)
    select ${ada.account_id}, ${asset.id}, ${house.clock.now()}::timestamptz + n * interval '1 second', ${house.clock.now()}::timestamptz + (n + 1) * interval '1 second', n / 100.0, 0, 'x'
    from generate_series(0, ${mostPlaces + 1}::int) n`.execute(house.db)
  hours(1)
  await put({ latitude: 50, longitude: 0 })
  const kept = await places()
  expect([kept.length, kept[0], kept.at(-1)![0]]).toEqual([mostPlaces, [50, 0, null], 0.03])
})

test('what a system reports each minute is the way of the asset, and no activity', async () => {
  const { ada, asset, put, places } = await newScene()
  await put(warsaw)
  const { call } = await newKey(house, ada, ['assets.edit', 'assets.view'])
  const at = (minute: number) => ({ ...malmo, longitude: 13 + minute / 100 })
  const report = (minute: number) => call(updateAsset, { params: { asset_id: asset.id }, body: { position: at(minute) } })
  for (let minute = 1; minute <= 25; minute++) {
    house.clock.advance({ minutes: 1 })
    expect((await report(minute)).status).toBe(200)
  }
  const way = async () => (await places()).map(([, longitude]) => longitude)
  expect(await way()).toEqual([13.25, 13.2, 13.1, 21.0122])
  const named = async () =>
    (await house.events(ada.account_id)).flatMap(({ name }) => (name.startsWith('assets.asset_place') ? [name] : []))
  expect(await named()).toEqual(['assets.asset_placed'])
  // It stood there for a while, and its receiver said another place each time.
  for (const metres of [5, -20, 12]) {
    house.clock.advance({ minutes: 4 })
    await call(updateAsset, {
      params: { asset_id: asset.id },
      body: { position: { ...at(25), latitude: malmo.latitude + metres / 111_320 } },
    })
  }
  await report(26)
  expect(await way()).toEqual([13.26, 13.25, 13.2, 13.1, 21.0122])
  await forgetPlaces(house.app)
  expect(await way()).toHaveLength(5)
  house.clock.advance({ days: 2, minutes: 30 })
  await forgetPlaces(house.app)
  const hours = (await ada.call(listStays, { params: { asset_id: asset.id } })).body.places.map(({ since }) => since.slice(0, 13))
  expect(hours).toEqual([...new Set(hours)])
  expect((await way())[0]).toBe(13.26)
  await put(warsaw)
  expect(await named()).toEqual(['assets.asset_placed', 'assets.asset_placed'])
})

test('what is no position is refused in words', async () => {
  const { put } = await newScene()
  expect((await put({ latitude: 91, longitude: 0 })).body).toMatchObject({
    code: 'invalid_request',
    fields: { 'position.latitude': 'A latitude is from -90 to 90 degrees' },
  })
  expect((await put('Warsaw' as unknown as Position)).body).toMatchObject({
    fields: { position: 'Enter latitude and longitude, like 52.2297, 21.0122' },
  })
})

test('the map of the overview has all assets with a position, for whoever is limited to tags theirs', async () => {
  const { ada, put } = await newScene()
  await put(warsaw)
  const tag = (await ada.call(createTag, { body: { name: 'north' } })).body.id
  const tagged = await addAsset(house, ada, { name: 'mast' })
  await ada.call(updateAsset, { params: { asset_id: tagged.id }, body: { tags: [tag], position: malmo } })
  const limited = await house.newMember(ada, ['overview.view'], [tag])
  const placed = async (who = ada) => {
    const { placed, more_placed } = (await who.call(getPlaces)).body
    return [placed.map(({ name, latitude }) => [name, latitude]).toSorted(), more_placed]
  }
  expect(await placed()).toEqual([
    [
      ['buoy', 52.2297],
      ['mast', 55.6],
    ],
    false,
  ])
  expect(await placed(limited)).toEqual([[['mast', 55.6]], false])
  await put(null)
  expect(await placed()).toEqual([[['mast', 55.6]], false])
})
