import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAsset, listAssets } from '@masthead/contract/assets/operations'
import { releaseAsset } from '@masthead/contract/assets/sim-operations'
import { getHome, listSearchHits } from '@masthead/contract/backoffice/home-operations'
import { assignStock, listStock, transferStock } from '@masthead/contract/backoffice/stock-operations'
import { newId } from '@masthead/contract/kernel/id'
import { openHouse, type House } from '@masthead/testkit/house'
import { addStock, addTestGateway, enterStaff, type Staff } from '../test-backoffice.ts'

let house: House
let staff: Staff
beforeAll(async () => {
  house = await openHouse()
  staff = await enterStaff(house)
  await enterStaff(house, ['backoffice']) // who is alone may give things to themselves
})
afterAll(() => house[Symbol.asyncDispose]())

const reason = 'Ordered by telephone'
const serials = async (query: object) => (await staff.call(listStock, { query: query as never })).body.items.map((row) => row.serial)

test('stock is found by the beginning of its serial number, by every number, by state and account; page by page', async () => {
  const customer = await house.newOwner('stocked')
  const [free, owned] = [await addStock(house, null), await addStock(house, customer)]
  for (const search of [free.serial.toLowerCase(), free.iccid, free.imsi]) expect(await serials({ search })).toEqual([free.serial])
  expect(await serials({ account: customer.email })).toEqual([owned.serial])
  expect(await serials({ state: 'registered' })).toEqual([owned.serial])
  await house.db.updateTable('inventory').set({ released_at: null }).where('serial', '=', free.serial).execute()
  expect([await serials({ state: 'reserved' }), await serials({ state: 'free' })]).toEqual([[free.serial], []])
  for (let i = 0; i < 5; i++) await addStock(house, null)
  for (const sort of ['serial', '-serial', 'loaded_at', '-loaded_at']) {
    const seen: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const query: Record<string, string> = { sort, page_size: '2', ...(after && { after }) }
      const page: { items: { serial: string }[]; next: string | null } = (await staff.call(listStock, { query: query as never })).body
      seen.push(...page.items.map((row) => row.serial))
      after = page.next
    }
    expect([sort, new Set(seen).size, seen.length]).toEqual([sort, 7, 7])
  }
})

test('stock that was handed over has a state of its own with the address, is not counted as available, and is available again once it is assigned and taken back', async () => {
  const giver = await house.newOwner('giver')
  const { serial, asset_id } = await addStock(house, giver)
  const available = async () => (await staff.call(getHome, {})).body.free_stock
  const before = await available()
  const params = { asset_id: asset_id! }
  expect((await giver.call(releaseAsset, { params, body: { to: 'waits@example.test', serial } })).status).toBe(200)
  const row = async () => (await staff.call(listStock, { query: { search: serial } as never })).body.items[0]
  expect(await row()).toMatchObject({ state: 'handed_over', account: null, reserved_for: 'waits@example.test' })
  expect(await serials({ state: 'handed_over' })).toEqual([serial])
  for (const state of ['free', 'reserved', 'registered']) expect(await serials({ state })).not.toContain(serial)
  expect(await available()).toBe(before)
  const found = async () => (await staff.call(listSearchHits, { query: { search: serial } })).body.items.map(({ note }) => note)
  expect(await found()).toEqual([expect.stringMatching(/^\d+ · Handed over to waits@example\.test$/)])

  const other = await house.newOwner('other')
  await staff.call(assignStock, { body: { serials: [serial], account: other.email, reason } })
  expect(await row()).toMatchObject({ state: 'registered', account: other.email, reserved_for: null })
  await staff.call(transferStock, { params: { serial }, body: { account: null, reason } })
  expect(await row()).toMatchObject({ state: 'free', reserved_for: null })
  expect([await serials({ state: 'handed_over' }), await available()]).toEqual([[], before + 1])
  expect(await found()).toEqual([expect.stringMatching(/^\d+$/)])
})

test('stock is assigned as a whole or not at all, and the customer is notified', async () => {
  const customer = await house.newOwner('buyer')
  const [one, two, owned] = [await addStock(house, null), await addStock(house, null), await addStock(house, await house.newOwner())]
  const assign = (given: string[], more: object = {}) =>
    staff.call(assignStock, { body: { serials: given, account: customer.email, reason, ...more } })
  expect(await assign([one.serial, owned.serial])).toMatchObject({ status: 409, body: { code: 'stock_not_free' } })
  expect(await assign([one.serial, 'no-such'])).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await assign([one.serial], { account: 'nobody@example.test' })).toMatchObject({
    status: 404,
    body: { code: 'person_unknown', fields: { account: 'Nobody has the e-mail address nobody@example.test' } },
  })
  expect((await customer.call(listAssets)).body.total).toBe(0)
  expect((await assign([one.serial.toLowerCase(), two.serial, two.serial], { active: true })).body).toEqual({ assigned: 2 })
  const { items } = (await customer.call(listAssets)).body
  expect(items.map(({ serial, sim }) => [serial, sim!.state]).toSorted()).toEqual(
    [one, two].map(({ serial }) => [serial, 'active']).toSorted()
  )
  expect((await house.events(customer.account_id)).map(({ name, detail }) => [name, detail.count, detail.reason])).toEqual([
    ['backoffice.stock_assigned', 2, reason],
  ])
})

test('an asset moves to another account and begins there anew; with an open session it stays', async () => {
  const [from, to] = [await house.newOwner('from'), await house.newOwner('to')]
  const asset = await addStock(house, from)
  const params = { serial: asset.serial }
  const move = (account: string | null) => staff.call(transferStock, { params, body: { account, reason } })
  expect(await move(from.email)).toMatchObject({ status: 409, body: { code: 'same_account' } })
  expect(await move(staff.email)).toMatchObject({ status: 409, body: { code: 'staff_own_account' } })
  const at = house.clock.now()
  const session = { account_id: from.account_id, id: newId('session'), sim_id: asset.sim_id, asset_id: asset.asset_id }
  await house.db
    .insertInto('data_session')
    .values({
      ...session,
      gateway_id: await addTestGateway(house),
      nas: 'pgw',
      acct_session_id: 'open',
      started_at: at,
      updated_at: at,
      heard_at: at,
    })
    .execute()
  expect(await move(to.email)).toMatchObject({ status: 409, body: { code: 'asset_in_use' } })
  await house.db.updateTable('data_session').set({ ended_at: at }).where('id', '=', session.id).execute()
  expect((await move(to.email)).body).toMatchObject({ serial: asset.serial, state: 'registered', account: to.email })
  expect(await from.call(getAsset, { params: { asset_id: asset.serial } })).toMatchObject({ status: 404 })
  const moved = (await to.call(getAsset, { params: { asset_id: asset.serial } })).body
  expect(moved).toMatchObject({
    name: asset.serial,
    sim: { iccid: asset.iccid, imsi: asset.imsi, state: 'ready', usage: { period_bytes: 0 } },
  })
  expect(moved.id).not.toBe(asset.asset_id)
  const told = [from, to].map(async ({ account_id }) =>
    (await house.events(account_id)).map(({ name, detail }) => [name, JSON.stringify(detail)])
  )
  const [atFrom, atTo] = await Promise.all(told)
  expect([atFrom!.map(([name]) => name), atTo!.map(([name]) => name)]).toEqual([['backoffice.asset_taken'], ['backoffice.asset_given']])
  // Neither learns who the other is.
  expect(JSON.stringify(atFrom)).not.toContain(to.email)
  expect(JSON.stringify(atTo)).not.toContain(from.email)

  expect((await move(null)).body).toMatchObject({ state: 'free', account: null, asset_id: null })
  expect(await move(null)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await staff.call(assignStock, { body: { serials: [asset.serial], account: from.email, reason } })).body).toEqual({ assigned: 1 })
})

test('stock that was handed over is found among much that is free without a walk over that', async () => {
  await sql`insert into inventory (serial, type) select 'MANY-' || i, 'picolte' from generate_series(1, 20000) i`.execute(house.db)
  await sql`analyze inventory`.execute(house.db)
  const { rows } = await sql`explain select serial from inventory where account_id is null and released_at is not null
    and reserved_for is not null order by lower(serial) limit 26`.execute(house.db)
  expect(JSON.stringify(rows)).toContain('inventory_handed_over')
})
