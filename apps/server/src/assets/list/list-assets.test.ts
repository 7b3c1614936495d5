import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Asset } from '@masthead/contract/assets/asset'
import { luhnDigit } from '@masthead/contract/assets/iccid'
import { deactivateSim, getAsset, listAssets, updateAsset } from '@masthead/contract/assets/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { loadNetworks } from '../../networks/index.ts'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset, addSession, list, type Query } from '../test-stock.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
  await loadNetworks(house.db)
})
afterAll(() => house[Symbol.asyncDispose]())

const names = async (person: Person, query: Query = {}) => (await list(person, query)).items.map((asset) => asset.name)

test('filters by type, status, state, tag and being online, any of several, all kinds together', async () => {
  const ada = await house.newOwner()
  const cold = (await ada.call(createTag, { body: { name: 'Cold' } })).body.id
  const a = await addAsset(house, ada, { name: 'a', type: 'core', tags: [cold] })
  const b = await addAsset(house, ada, { name: 'b', type: 'picolte' })
  await addAsset(house, ada, { name: 'c', type: 'picolte', iccid: null })
  await ada.call(deactivateSim, { params: { asset_id: b.id } })
  await house.db
    .updateTable('sim')
    .set({ blocks: '[{"code":"staff","since":"2026-01-01T00:00:00Z","by":"staff","words":"","clears":""}]' })
    .where('asset_id', '=', a.id)
    .execute()
  await addSession(house, a, ada.account_id)
  expect(await names(ada, { type: 'core' })).toEqual(['a'])
  expect(await names(ada, { type: ['core', 'picolte'] })).toEqual(['a', 'b', 'c'])
  expect(await names(ada, { sim_status: 'blocked' })).toEqual(['a'])
  expect(await names(ada, { sim_status: 'ready' })).toEqual([])
  expect(await names(ada, { state: 'ready' })).toEqual(['a'])
  expect(await names(ada, { state: ['ready', 'inactive'] })).toEqual(['a', 'b'])
  expect(await names(ada, { tag: 'COLD' })).toEqual(['a'])
  expect(await names(ada, { tag: [cold, 'nothing'] })).toEqual(['a'])
  expect(await names(ada, { tag: 'nothing' })).toEqual([])
  expect(await names(ada, { online: 'true' })).toEqual(['a'])
  expect(await names(ada, { online: 'false' })).toEqual(['b', 'c'])
  expect(await names(ada, { type: 'core', online: 'false' })).toEqual([])
  expect((await list(ada, { type: 'picolte' })).total).toBe(2)
  expect(await ada.call(listAssets, { query: { type: 'toaster' } as never })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  })
})

test('search finds every number of a SIM, names, serial numbers and the IP address of now', async () => {
  const ada = await house.newOwner()
  const asset = await addAsset(house, ada, { name: 'Pump 100% of_it\\x', serial: 'QX-77-abc' })
  const other = await addAsset(house, ada, { name: 'Pump of Übersee' })
  const sim = asset.sim!
  await addSession(house, asset, ada.account_id, { ip: '10.9.8.7' })
  await addSession(house, other, ada.account_id, { ip: '2001:db8::7' })
  await addSession(house, other, ada.account_id, { ip: '10.9.8.7', ended_at: house.clock.now() })
  const finds = [
    asset.serial.toLowerCase(),
    '77-AB',
    '100%',
    'of_it',
    'it\\x',
    sim.iccid,
    sim.iccid.slice(0, -1),
    sim.iccid.slice(3, 18),
    sim.imsi!,
  ]
  finds.push(
    `+${sim.msisdn!}`,
    sim.msisdn!.replace(/(..)(...)/, '+$1 ($2) '),
    sim.imei!,
    '10.9.8.7',

    sim.iccid.replaceAll(/(.{4})/g, '$1 ')
  )
  for (const search of finds) expect(await names(ada, { search }), search).toEqual([asset.name])
  expect(await names(ada, { search: '2001:DB8:0::7' })).toEqual([other.name])
  expect(await names(ada, { search: 'ÜBER' })).toEqual([other.name])
  expect(await names(ada, { search: 'pump' })).toEqual([asset.name, other.name])
  // Two letters: how a name or a serial number begins.
  expect(await names(ada, { search: 'qx' })).toEqual([asset.name])
  expect(await names(ada, { search: 'P' })).toEqual([asset.name, other.name])
  for (const search of ['um', '%', '_', 'u%p', '10.9.8', 'zzz']) expect(await names(ada, { search }), search).toEqual([])
  for (const search of ['', '  ']) expect(await names(ada, { search })).toHaveLength(2)
  // What the network reports later is found too.
  await house.db.updateTable('sim').set({ imei: '490154203237518' }).where('id', '=', sim.id).execute()
  // Also by what a device says of itself: two digits of its software in the place of the check digit.
  for (const search of ['490154203237518', '49-015420-323751-8', '4901542032375107', '49015420323751'])
    expect(await names(ada, { search }), search).toEqual([asset.name])
  for (const search of ['4901542032376107', '490154203237519']) expect(await names(ada, { search }), search).toEqual([])
  await house.db.updateTable('sim').set({ imei: '4901542032375107' }).where('id', '=', sim.id).execute()
  expect(await names(ada, { search: '490154203237518' })).toEqual([asset.name])
})

test('words are found in any order, and each must be', async () => {
  const ada = await house.newOwner()
  await addAsset(house, ada, { name: 'tracker-lyon-139', serial: 'AB-1' })
  await addAsset(house, ada, { name: 'tracker-paris-7', serial: 'AB-2' })
  const all = ['tracker-lyon-139', 'tracker-paris-7']
  for (const search of ['lyon trac', 'TRAC  lyon', 'ab-1 tracker', '39 tracker'])
    expect(await names(ada, { search }), search).toEqual([all[0]])
  expect(await names(ada, { search: 'tracker ab' })).toEqual(all)
  for (const search of ['lyon paris', 'tracker 8', 'ra ab']) expect(await names(ada, { search }), search).toEqual([])
})

test('an ICCID kept without its check digit is found with it, its neighbours are not', async () => {
  const ada = await house.newOwner()
  const short = await addAsset(house, ada, { name: 'short', iccid: '894450000077000001' })
  await addAsset(house, ada, { name: 'neighbour', iccid: '8944500000770000019' })
  const long = short.sim!.iccid + luhnDigit(short.sim!.iccid)
  expect(long).not.toBe('8944500000770000019')
  expect(await names(ada, { search: long })).toEqual(['short'])
})

test('an IP address of somebody else finds nothing', async () => {
  const [ada, bob] = [await house.newOwner(), await house.newOwner()]
  await addSession(house, await addAsset(house, bob), bob.account_id, { ip: '10.1.1.1' })
  expect(await names(ada, { search: '10.1.1.1' })).toEqual([])
  expect(await list(ada)).toEqual({ items: [], total: 0, total_capped: false, next: null, copied_at: null })
})

test('sorts by name, age, usage of this month and last packet, both ways', async () => {
  const ada = await house.newOwner()
  const month = house.clock.now().toISOString().slice(0, 7)
  const used = async (asset: Asset, bytes: number, period_start: string, seen_at: Date) =>
    house.db
      .insertInto('sim_counter')
      .values({
        account_id: ada.account_id,
        sim_id: asset.sim!.id,
        period_start,
        bytes_up: 1,
        bytes_down: bytes - 1,
        lifetime_up: 1,
        lifetime_down: bytes,
        seen_at,
      })
      .execute()
  const ago = (minutes: number) => new Date(house.clock.now().getTime() - minutes * 60_000)
  const assets: Asset[] = []
  for (const name of ['beta', 'Alpha', 'gamma', 'delta']) {
    assets.push(await addAsset(house, ada, { name }))
    house.clock.advance({ seconds: 1 })
  }
  await used(assets[0]!, 50, `${month}-01`, ago(5))
  await used(assets[1]!, 900, '2001-01-01', ago(1))
  await used(assets[2]!, 70, `${month}-01`, ago(60))
  expect(await names(ada)).toEqual(['Alpha', 'beta', 'delta', 'gamma'])
  expect(await names(ada, { sort: '-name' })).toEqual(['gamma', 'delta', 'beta', 'Alpha'])
  expect(await names(ada, { sort: 'created_at' })).toEqual(['beta', 'Alpha', 'gamma', 'delta'])
  expect((await names(ada, { sort: '-usage' })).slice(0, 2)).toEqual(['gamma', 'beta'])
  expect((await names(ada, { sort: 'usage' })).slice(2)).toEqual(['beta', 'gamma'])
  expect(await names(ada, { sort: '-last_seen_at' })).toEqual(['Alpha', 'beta', 'gamma', 'delta'])
  const { items } = await list(ada)
  expect(items.map(({ sim }) => sim!.usage.period_bytes)).toEqual([0, 50, 0, 70])
  expect(items[0]).toMatchObject({ last_seen_at: ago(1).toISOString(), online: false })
  // The same rows in pages of one, by every order.
  for (const sort of ['name', '-name', 'created_at', '-created_at', 'usage', '-usage', 'last_seen_at', '-last_seen_at']) {
    const found: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const page = await list(ada, { sort, page_size: '1', ...(after && { after }) })
      expect(page.items).toHaveLength(1) // the last page does not promise another one
      found.push(...page.items.map((asset) => asset.name))
      after = page.next
    }
    expect(found, sort).toEqual(await names(ada, { sort }))
  }
})

test('paging by key neither misses nor repeats a row while others come and go', async () => {
  const ada = await house.newOwner()
  for (let i = 0; i < 12; i++) await addAsset(house, ada, { name: `m${String(i).padStart(2, '0')}` })
  const found: string[] = []
  let after: string | null = null
  for (let i = 0; i === 0 || after !== null; i++) {
    const page: Awaited<ReturnType<typeof list>> = await list(ada, { page_size: '5', ...(after && { after }) })
    found.push(...page.items.map((asset) => asset.name))
    after = page.next
    // Rows before and after the place, and one renamed out of the way.
    await addAsset(house, ada, { name: `a${i}` })
    await addAsset(house, ada, { name: `z${i}` })
  }
  const kept = found.filter((name) => name.startsWith('m'))
  expect(kept).toEqual(Array.from({ length: 12 }, (_, i) => `m${String(i).padStart(2, '0')}`))
  expect(new Set(found).size).toBe(found.length)
})

test('pages by number say how many there are', async () => {
  const ada = await house.newOwner()
  for (let i = 0; i < 5; i++) await addAsset(house, ada, { name: `n${i}` })
  expect(await list(ada, { page: '2', page_size: '2' })).toMatchObject({
    items: [{ name: 'n2' }, { name: 'n3' }],
    total: 5,
    next: expect.any(String),
  })
  expect(await list(ada, { page: '3', page_size: '2' })).toMatchObject({ items: [{ name: 'n4' }], total: 5, next: null })
  expect(await list(ada, { page: '4', page_size: '2', search: 'n' })).toMatchObject({ items: [], total: 5, next: null })
  expect(await list(ada, { page: '3', page_size: '2', search: 'n' })).toMatchObject({ total: 5 })
  const place = (after: string) => ada.call(listAssets, { query: { after } })
  const { next } = await list(ada, { sort: '-name', page_size: '2' })
  for (const after of [next!, 'nonsense', Buffer.from('["name",7,7]').toString('base64url')]) {
    expect(await place(after), after).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', fields: { after: expect.any(String) } },
    })
  }
  expect(await ada.call(listAssets, { query: { page: '5000', page_size: '100' } })).toMatchObject({
    status: 400,
    body: { fields: { page: expect.any(String) } },
  })
})

test('a name as long as names may be is no obstacle to the next page', async () => {
  const ada = await house.newOwner()
  for (const letter of ['🚚', '🚛', '🚜']) await addAsset(house, ada, { name: letter.repeat(60) })
  const first = await list(ada, { page_size: '2' })
  expect((await list(ada, { page_size: '2', after: first.next! })).items).toHaveLength(1)
})

test('a row says what its SIM does: live session, network, silence', async () => {
  const ada = await house.newOwner()
  const asset = await addAsset(house, ada)
  await addSession(house, asset, ada.account_id, { started_at: new Date(house.clock.now().getTime() - 60_000), mccmnc: '999-99' })
  const newest = await addSession(house, asset, ada.account_id, { bytes_up: 10, bytes_down: 20, mccmnc: '208-99' })
  const get = async () => (await ada.call(getAsset, { params: { asset_id: asset.id } })).body
  expect(await get()).toMatchObject({
    online: true,
    sim: {
      session: {
        id: newest.id,
        ip: '10.0.0.9',
        gateway: 'Test gateway',
        silent: false,
        bytes_up: 10,
        network: { mccmnc: '208-99', name: null, country: 'FR' },
      },
    },
  })
  house.clock.advance({ seconds: 901 })
  expect(await get()).toMatchObject({ online: false, sim: { session: { silent: true } } })
  expect((await list(ada, { online: 'true' })).total).toBe(0)
  house.clock.advance({ seconds: -901 })
})

test('an asset is found by id, serial number and ICCID in any form; that of somebody else is not', async () => {
  const [ada, bob] = [await house.newOwner(), await house.newOwner()]
  const asset = await addAsset(house, ada)
  const get = (person: Person, asset_id: string) => person.call(getAsset, { params: { asset_id } })
  const iccid = asset.sim!.iccid
  for (const key of [asset.id, asset.serial, asset.serial.toLowerCase(), iccid, iccid.slice(0, -1)]) {
    expect(await get(ada, key), key).toMatchObject({ status: 200, body: { id: asset.id } })
    expect(await get(bob, key), key).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await bob.call(updateAsset, { params: { asset_id: key }, body: { name: 'mine' } })).toMatchObject({ status: 404 })
  }
  expect(await get(ada, 'nothing')).toMatchObject({ status: 404 })
})
