import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findNumbers } from '@masthead/contract/assets/find-operations'
import { exportAssets, listAssets } from '@masthead/contract/assets/operations'
import { createNetworkGroup } from '@masthead/contract/network-groups/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { loadNetworks } from '../../networks/index.ts'
import { addAsset, addSession, list, putCounter, putLimit } from '../test-stock.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
  await loadNetworks(house.db)
  house.clock.set('2026-03-18T12:00:00Z')
  ada = await house.newOwner()
  await fill()
})
afterAll(() => house[Symbol.asyncDispose]())

const namesOf = async (person: Person, q: string) => (await list(person, { q })).items.map((asset) => asset.name).join(' ')

/** `a` goes on in Germany and is blocked, `b` was last seen in Poland, `c` never was, `d` has no SIM. */
async function fill() {
  const cold = (await ada.call(createTag, { body: { name: 'Cold store' } })).body.id
  const a = await addAsset(house, ada, { name: 'a', type: 'core', tags: [cold] })
  const b = await addAsset(house, ada, { name: 'b', type: 'picolte', tags: [cold] })
  const c = await addAsset(house, ada, { name: 'c', type: 'picolte' })
  await addAsset(house, ada, { name: 'd', iccid: null })
  const account_id = ada.account_id
  await addSession(house, b, account_id, { mccmnc: '262-01', started_at: new Date('2026-03-01'), ended_at: new Date('2026-03-02') })
  await addSession(house, b, account_id, { mccmnc: '260-06', started_at: new Date('2026-03-09'), ended_at: new Date('2026-03-10') })
  await addSession(house, a, account_id, { mccmnc: '262-01' })
  const counted = async ({ sim }: typeof a, bytes: number, seen_at: string) =>
    putCounter(house, { account_id, sim_id: sim!.id, period_start: '2026-03-01', bytes_up: bytes, seen_at: new Date(seen_at) })
  await counted(a, 2e9, '2026-03-18T11:59:00Z')
  await counted(b, 5e6, '2026-03-10T12:00:00Z')
  const blocks = JSON.stringify([{ code: 'data_limit', since: '2026-03-10T00:00:00Z', by: 'system', words: 'x', clears: 'y' }])
  await house.db.updateTable('sim').set({ blocks }).where('id', '=', a.sim!.id).execute()
  await putLimit(house.db, { account_id, sim_id: a.sim!.id, bytes: 1e9 })
  await sql`insert into sim_sent (account_id, sim_id, until, hours, mccmnc) values (${account_id}, ${b.sim!.id}, '2026-03-10', repeat('0', 720)::bit(720), '262-01')`.execute(
    house.db
  )
  await sql`insert into fleet (account_id, id, name, created_at, updated_at) values (${account_id}, 'flt_1', 'Reefer south', now(), now())`.execute(
    house.db
  )
  await sql`insert into fleet_asset (account_id, asset_id, fleet_id, added_at) values (${account_id}, ${a.id}, 'flt_1', now())`.execute(
    house.db
  )
  const group = await ada.call(createNetworkGroup, { body: { name: 'Poland only' } as never })
  await house.db.updateTable('sim').set({ group_id: group.body.id }).where('id', '=', c.sim!.id).execute()
}

test.each([
  ['type:core', 'a'],
  ['type:core or type:picolte', 'a b c'],
  ['status:blocked', 'a'],
  ['state:ready', 'a b c'],
  ['block:any', 'a'],
  ['block:data_limit,staff', 'a'],
  ['block:staff', ''],
  ['tag:"cold store"', 'a b'],
  ['tag:"cold store" -block:any', 'b'],
  ['-tag:"cold store"', 'c d'],
  ['group:"poland only"', 'c'],
  ['group:default', 'a b'],
  ['limit:>500MB', 'a'],
  ['limit:<500MB', ''],
  ['limit:none', 'b c d'],
  ['usage:>1GB', 'a'],
  ['usage:<10MB', 'b c d'],
  ['silent:>5d', 'b'],
  ['silent:>9d', ''],
  ['silent:>9999999999w', ''],
  ['seen:<9999999999w', 'a b'],
  ['seen:never', 'c d'],
  ['seen:<1h', 'a'],
  ['country:PL', 'b'],
  ['country:de,pl', 'a b'],
  ['operator:26006', 'b'],
  ['network:26201', 'b'],
  ['connection:online', 'a'],
  ['(connection:online or type:picolte) connection:offline', 'b c'],
  ['attention:silent', ''],
  ['connection:offline and type:core', ''],
  ['connection:online', 'a'],
  ['connection:offline', 'b c d'],
  ['not (country:PL or seen:never)', 'a'],
  ['country:DE (block:any or usage:<1MB)', 'a'],
  ['pool:none-of-mine', ''],
  ['fleet:"reefer south"', 'a'],
  ['-fleet:"reefer south" tag:"cold store"', 'b'],
  ['"tore"', ''],
  ['a or b type:picolte', 'a b'],
  ['', 'a b c d'],
])('%j finds %j', async (q, names) => expect(await namesOf(ada, q)).toBe(names))

test('it goes with words, filters, sorts and the export', async () => {
  expect((await list(ada, { q: 'seen:never', type: 'picolte' })).total).toBe(1)
  expect((await list(ada, { q: '-country:PL', sort: '-usage' })).items.map(({ name }) => name)).toEqual(['a', 'd', 'c'])
  expect((await ada.call(exportAssets, { query: { q: 'block:any' } })).text.trim().split('\n')).toHaveLength(2)
})

test('an IMEI in each of its forms and an EID name the assets whose SIMs have them', async () => {
  const [a, b] = (await list(ada, { q: 'tag:"cold store"' })).items
  const [imei, eid] = ['490154203237518', '89049032000001000000000000000123']
  await house.db.updateTable('sim').set({ imei, eid }).where('id', '=', a!.sim!.id).execute()
  await house.db.updateTable('sim').set({ imei: '3569380356438099' }).where('id', '=', b!.sim!.id).execute()
  const numbers = [imei, '49-015420-323751-8', '4901542032375101', eid, '356938035643809', '490154203237519']
  const { body } = await ada.call(findNumbers, { body: { numbers } })
  expect(body).toMatchObject({ found: 2, repeated: 3, unknown: [{ line: 6, number: '490154203237519' }] })
  expect(await namesOf(ada, `list:${body.list!}`)).toBe('a b')
  const bob = await house.newOwner()
  expect((await bob.call(findNumbers, { body: { numbers } })).body).toMatchObject({ list: null, found: 0 })
  // Two SIMs of one device: both are meant.
  await house.db.updateTable('sim').set({ imei }).where('id', '=', b!.sim!.id).execute()
  expect((await ada.call(findNumbers, { body: { numbers: [imei] } })).body).toMatchObject({ found: 2, repeated: 0, unknown: [] })
})

test('many numbers become a list; what is unknown is said with the reason', async () => {
  const [a, b] = (await list(ada, { q: 'tag:"cold store"' })).items
  const [sim, other] = [a!.sim!, b!.sim!]
  const numbers = [sim.iccid, sim.imsis[0]!, other.msisdn!, a!.serial.toLowerCase(), '893108201704409172', 'nobody']
  const { body } = await ada.call(findNumbers, { body: { numbers } })
  expect(body).toMatchObject({
    found: 2,
    repeated: 2,
    unknown: [
      { line: 5, number: '893108201704409172', words: 'No asset that you see has this number' },
      { line: 6, number: 'nobody', words: 'No asset that you see has this number' },
    ],
  })
  expect(await namesOf(ada, `list:${body.list!}`)).toBe('a b')
  expect(await namesOf(ada, `list:${body.list!} block:any`)).toBe('a')
  const bob = await house.newOwner()
  const gone = { status: 400, body: { fields: { q: expect.stringContaining('paste the numbers again') } } }
  const ask = (person: typeof bob) => person.call(listAssets, { query: { q: `list:${body.list!}` } })
  expect(await ask(bob)).toMatchObject(gone)
  expect((await bob.call(findNumbers, { body: { numbers } })).body).toMatchObject({ list: null, found: 0, expires_at: null })
  house.clock.set('2026-03-18T12:00:01Z')
  for (let nth = 0; nth < 20; nth++) await ada.call(findNumbers, { body: { numbers: [sim.iccid] } })
  expect(await ask(ada), 'of the newest twenty').toMatchObject(gone)
  expect((await ada.call(exportAssets, { query: { q: `type:core list:${body.list!}` } })).status).toBe(400)
})

test('what cannot be read is refused in words; nobody sees what is not theirs', async () => {
  const refused = await ada.call(listAssets, { query: { q: 'colour:red' } })
  expect(refused).toMatchObject({ status: 400, body: { fields: { q: expect.stringContaining('“colour”') as string } } })
  const bob = await house.newOwner()
  for (const q of ['tag:"cold store"', 'group:"poland only"', 'country:DE', 'seen:never']) expect(await namesOf(bob, q), q).toBe('')
})
