import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { getAsset, registerAsset } from '@masthead/contract/assets/operations'
import * as ops from '@masthead/contract/assets/sim-operations'
import { assignStock, transferStock } from '@masthead/contract/backoffice/stock-operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { enterStaff } from '../../backoffice/test-backoffice.ts'
import { addAsset, addStock, putCounter } from '../test-stock.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const release = (asset: { id: string; serial: string }, to: string | null = null) =>
  ada.call(ops.releaseAsset, { params: { asset_id: asset.id }, body: { to, serial: asset.serial } })
const register = (who: Person, token: string) => who.call(registerAsset, { body: { token } })
const setSim = (id: string, values: object) => house.db.updateTable('sim').set(values).where('id', '=', id).execute()

test('of two who swap the SIM of an asset at once, the second swaps what the first has put in', async () => {
  const asset = await addAsset(house, ada)
  const params = { asset_id: asset.id }
  await setSim(asset.sim!.id, { state: 'active' })
  const spares = [await addStock(house, { type: 'plastic_sim' }), await addStock(house, { type: 'plastic_sim' })]
  const swaps = await Promise.all(spares.map(({ serial }) => ada.call(ops.swapSim, { params, body: { token: serial } })))
  expect(swaps.map(({ status }) => status)).toEqual([200, 200])
  const { sim, sims } = (await ada.call(getAsset, { params })).body
  expect(sim!.state).toBe('active')
  expect(sims!.filter(({ state }) => state === 'active').map(({ iccid }) => iccid)).toEqual([sim!.iccid])
})

test('a SIM that staff hold does not leave the account, so that nobody registers it without the hold', async () => {
  const asset = await addAsset(house, ada)
  const hold = { code: 'staff', since: house.clock.now().toISOString(), by: 'staff', words: 'Fraud', clears: 'When staff lift the hold' }
  await setSim(asset.sim!.id, { blocks: JSON.stringify([hold]) })
  expect(await release(asset)).toMatchObject({ status: 409, body: { code: 'sim_wrong_state' } })
  await setSim(asset.sim!.id, { blocks: '[]' })
  expect((await release(asset)).status).toBe(200)
})

test('nothing leaves an account that staff suspended, so that no SIM comes on the network by another account', async () => {
  const [one, other] = [await addAsset(house, ada), await addAsset(house, ada)]
  const suspend = (suspended_at: Date | null) =>
    house.db.updateTable('account').set({ suspended_at }).where('id', '=', ada.account_id).execute()
  const body = { action: 'release' as const, to: null, asset_ids: [other.id], confirm: 'release' }
  await suspend(house.clock.now())
  expect(await release(one)).toMatchObject({ status: 409, body: { code: 'sim_wrong_state', detail: expect.stringContaining('suspended') } })
  expect((await ada.call(startBulkChange, { body })).body).toMatchObject({ changed: 0, left: [{ reason: 'suspended', count: 1 }] })
  await suspend(null)
  expect((await release(one)).status).toBe(200)
  expect((await ada.call(startBulkChange, { body })).body).toMatchObject({ changed: 1 })
})

test('a hold that staff put on while an asset is released is not lost', async () => {
  const asset = await addAsset(house, ada)
  const hold = { code: 'staff', since: house.clock.now().toISOString(), by: 'staff', words: 'Fraud', clears: 'When staff lift the hold' }
  const held = await house.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('sim')
      .set({ blocks: JSON.stringify([hold]) })
      .where('id', '=', asset.sim!.id)
      .execute()
    const released = release(asset)
    const waits = () => sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(house.db)
    await expect.poll(async () => (await waits()).rows.length).toBe(1)
    return { released }
  })
  expect(await held.released).toMatchObject({ status: 409, body: { code: 'sim_wrong_state' } })
})

test('a SIM has its free test once, whoever registers it again', async () => {
  const bob = await house.newOwner()
  for (const { account_id } of [ada, bob]) {
    await house.db.updateTable('account').set({ test_bytes: 1_000_000 }).where('id', '=', account_id).execute()
  }
  const [used, fresh] = [await addAsset(house, ada), await addAsset(house, ada)]
  expect([used.sim!.test?.allowance_bytes, fresh.sim!.test?.allowance_bytes]).toEqual([1_000_000, 1_000_000])
  await putCounter(house, { account_id: ada.account_id, sim_id: used.sim!.id, bytes_up: 1 })
  for (const asset of [used, fresh]) expect((await release(asset)).status).toBe(200)
  expect((await register(bob, used.serial)).body.sim).toMatchObject({ state: 'ready', test: null })
  expect((await register(bob, fresh.serial)).body.sim!.test).toMatchObject({ allowance_bytes: 1_000_000 })
})

test('nobody registers a terminated SIM anew, staff neither', async () => {
  const bob = await house.newOwner()
  const staff = await enterStaff(house)
  const asset = await addAsset(house, ada)
  await ada.call(ops.terminateSim, { params: { asset_id: asset.id }, body: { iccid: asset.sim!.iccid } })
  const reason = 'The device is broken'
  const transfer = (account: string | null) => staff.call(transferStock, { params: { serial: asset.serial }, body: { account, reason } })
  expect((await transfer(bob.email)).body).toMatchObject({ code: 'stock_not_free' })
  expect((await transfer(null)).status).toBe(200)
  expect((await register(bob, asset.serial)).body).toMatchObject({ code: 'asset_reserved' })
  const assigned = await staff.call(assignStock, { body: { serials: [asset.serial], account: bob.email, active: true, reason } })
  expect(assigned.body).toMatchObject({ code: 'stock_not_free' })
})

test('an asset is handed over to whose address it is, and not to whoever opened an account with it', async () => {
  const eve = await house.newOwner('eve', { proved: false })
  const asset = await addAsset(house, ada)
  await release(asset, eve.email)
  expect(await register(eve, asset.serial)).toMatchObject({ status: 403, body: { code: 'email_not_verified' } })
  await house.db
    .updateTable('person')
    .set({ email_proven_at: house.clock.now(), email_proven_by: 'mail' })
    .where('email', '=', eve.email)
    .execute()
  expect((await register(eve, asset.serial)).status).toBe(200)
})

test('an account asks staff so many questions an hour', async () => {
  const staff = await house.newOwner('staff', { staff: ['backoffice'] })
  const asset = await addAsset(house, ada)
  const ask = () => ada.call(ops.askStaff, { params: { asset_id: asset.id }, body: { message: 'Why has it no service?' } })
  for (let i = 0; i < 20; i++) expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(429)
  expect(await house.mails(staff.email)).toHaveLength(20)
  house.clock.advance({ hours: 1 })
  expect((await ask()).status).toBe(200)
})
