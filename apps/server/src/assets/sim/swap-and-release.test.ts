import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getAsset, getSimUsages, listAssetSessions, registerAsset } from '@masthead/contract/assets/operations'
import * as ops from '@masthead/contract/assets/sim-operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { systemActor } from '../../kernel/app.ts'
import { addAsset, addSession, addStock } from '../test-stock.ts'
import { wakeSims } from '../service/index.ts'
import { releaseAsset } from './release-asset.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const namesOf = async (who: Person) => (await house.events(who.account_id)).map(({ name }) => name)

test('another SIM goes on where the one before was, and the history stays', async () => {
  const asset = await addAsset(house, ada, { name: 'Pump 7' })
  const params = { asset_id: asset.id }
  const old = asset.sim!
  await ada.call(ops.setSimLimit, { params, body: { bytes: 1e9 } })
  await ada.call(ops.setImeiLock, { params, body: { mode: 'lock', imeis: ['490154203237518'] } })
  const held = JSON.stringify([
    { code: 'staff', since: house.clock.now().toISOString(), by: 'staff', words: 'Fraud', clears: 'When staff lift the hold' },
    { code: 'data_limit', since: house.clock.now().toISOString(), by: 'system', words: 'Used up', clears: 'Next month' },
  ])
  await house.db.updateTable('sim').set({ state: 'active', blocks: held }).where('id', '=', old.id).execute()
  await addSession(house, asset, ada.account_id, { ended_at: house.clock.now(), end_cause: 'User request' })
  const spare = await addStock(house, { type: 'plastic_sim' })
  // SIMs stand in the order in which they came.
  house.clock.advance({ minutes: 1 })
  const swapped = (await ada.call(ops.swapSim, { params, body: { token: spare.iccid! } })).body
  expect(swapped.sim).toMatchObject({
    iccid: spare.iccid,
    imsi: spare.imsis[0],
    state: 'active',
    imei_lock: { own: 'lock', imeis: ['490154203237518'] },
    usage: { limit_bytes: 1e9 },
  })
  // A swap is no way out of what staff hold against it; the limit of the month is of each SIM by itself.
  expect(swapped.sim!.blocks.map(({ code }) => code)).toEqual(['staff'])
  expect(swapped.sims!.map(({ iccid, state }) => [iccid, state])).toEqual([
    [old.iccid, 'inactive'],
    [spare.iccid, 'active'],
  ])
  expect((await ada.call(listAssetSessions, { params })).body.items.map(({ iccid }) => iccid)).toEqual([old.iccid])
  const range = { start: '2026-01-01T00:00:00Z', end: house.clock.now().toISOString() }
  expect((await ada.call(getSimUsages, { params, query: range as never })).status).toBe(200)
  for (const key of [old.iccid, spare.iccid!]) expect((await ada.call(getAsset, { params: { asset_id: key } })).body.id).toBe(asset.id)
  expect((await ada.call(ops.swapSim, { params, body: { token: spare.serial } })).body).toMatchObject({ code: 'asset_already_yours' })
  const bare = await addStock(house, { iccid: null })
  expect((await ada.call(ops.swapSim, { params, body: { token: bare.serial } })).body).toMatchObject({ code: 'swap_needs_sim' })
  expect((await ada.call(ops.swapSim, { params, body: { token: 'X4-nothing' } })).status).toBe(404)
})

test('a SIM on standby is swapped for one on standby, which wakes when its device connects', async () => {
  const asset = await addAsset(house, ada)
  const activated_at = house.clock.now()
  await house.db.updateTable('sim').set({ state: 'standby', activated_at }).where('id', '=', asset.sim!.id).execute()
  const spare = await addStock(house, { type: 'plastic_sim' })
  const { body } = await ada.call(ops.swapSim, { params: { asset_id: asset.id }, body: { token: spare.iccid! } })
  expect(body.sim).toMatchObject({ iccid: spare.iccid, state: 'standby', activated_at: null })
  const woken = await house.db
    .transaction()
    .execute((tx) => wakeSims(tx, [{ account_id: ada.account_id, sim_id: body.sim!.id }], house.clock.now()))
  expect(woken.map(({ iccid }) => iccid)).toEqual([spare.iccid])
})

test('a limit that only notifies goes on as that with the new SIM', async () => {
  const asset = await addAsset(house, ada, { name: 'Pump 8' })
  const params = { asset_id: asset.id }
  await ada.call(ops.setSimLimit, { params, body: { bytes: 1e9 } })
  await sql`update usage_limit set action = 'alert' where sim_id = ${asset.sim!.id}`.execute(house.db)
  const spare = await addStock(house, { type: 'plastic_sim' })
  const { body } = await ada.call(ops.swapSim, { params, body: { token: spare.iccid! } })
  const { rows } = await sql`select action from usage_limit where sim_id = ${body.sim!.id}`.execute(house.db)
  expect(rows).toEqual([{ action: 'alert' }])
})

test('an asset is handed over: the other account alone may register it, and what it used stays', async () => {
  const [bob, eve] = [await house.newOwner(), await house.newOwner()]
  const asset = await addAsset(house, ada, { name: 'Pump 7' })
  const params = { asset_id: asset.id }
  const spare = await addStock(house, { type: 'plastic_sim' })
  await ada.call(ops.swapSim, { params, body: { token: spare.serial } })
  const session = await addSession(house, asset, ada.account_id)
  const release = (body: { to: string | null; serial: string }) => ada.call(ops.releaseAsset, { params, body })
  expect(await release({ to: bob.email, serial: 'wrong' })).toMatchObject({ status: 400, body: { fields: { serial: expect.any(String) } } })
  expect((await release({ to: bob.email, serial: asset.serial })).body).toMatchObject({ code: 'release_in_use' })
  await house.db.updateTable('data_session').set({ ended_at: house.clock.now() }).where('id', '=', session.id).execute()
  expect((await release({ to: bob.email, serial: asset.serial.toLowerCase() })).status).toBe(200)
  expect((await ada.call(getAsset, { params })).status).toBe(404)
  const register = (who: Person, token: string) => who.call(registerAsset, { body: { token } })
  for (const token of [asset.serial, spare.serial]) expect((await register(eve, token)).body).toMatchObject({ code: 'asset_taken' })
  const given = (await register(bob, asset.serial)).body
  expect(given.sim).toMatchObject({ iccid: asset.sim!.iccid, state: 'ready', usage: { period_bytes: 0 } })
  expect((await bob.call(listAssetSessions, { params: { asset_id: given.id } })).body.total).toBe(0)
  expect(await house.db.selectFrom('data_session').select('account_id').where('id', '=', session.id).execute()).toEqual([
    { account_id: ada.account_id },
  ])
  // Until the other one does, whoever handed it over may take it back.
  expect((await register(ada, spare.serial)).status).toBe(200)
  expect((await register(bob, spare.serial)).body).toMatchObject({ code: 'asset_taken' })
  expect(await namesOf(ada)).toContain('assets.asset_released')
})

test('an asset that is given back can be registered by whoever has it', async () => {
  const asset = await addAsset(house, ada)
  await ada.call(ops.releaseAsset, { params: { asset_id: asset.id }, body: { to: null, serial: asset.serial } })
  const bob = await house.newOwner()
  expect((await bob.call(registerAsset, { body: { token: asset.serial } })).status).toBe(200)
})

test('of two who give the same asset back at once, one is done and the other one learns that it is gone', async () => {
  const asset = await addAsset(house, ada)
  const release = () => ada.call(ops.releaseAsset, { params: { asset_id: asset.id }, body: { to: null, serial: asset.serial } })
  const waiting = sql<{
    n: number
  }>`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const answers: Promise<{ status: number }>[] = []
  await house.db.transaction().execute(async (tx) => {
    await sql`select from inventory where asset_id = ${asset.id} for update`.execute(tx)
    answers.push(release(), release())
    await expect.poll(async () => (await waiting.execute(house.db)).rows[0]!.n, { timeout: 10_000 }).toBe(2)
  })
  expect((await Promise.all(answers)).map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect((await namesOf(ada)).filter((name) => name === 'assets.asset_released')).toHaveLength(1)
})

test('a change that waited while its asset was given back learns that the asset is gone', async () => {
  const asset = await addAsset(house, ada)
  const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  const { change } = await house.db.transaction().execute(async (tx) => {
    await releaseAsset(tx, systemActor(ada.account_id, house.clock.now()), asset.id, { to: null, serial: asset.serial })
    const change = ada.call(ops.setSimLimit, { params: { asset_id: asset.id }, body: { bytes: 1e9 } })
    await expect.poll(async () => (await waiting.execute(house.db)).rows[0]!.n, { timeout: 10_000 }).toBe(1)
    return { change }
  })
  expect(await change).toMatchObject({ status: 404, body: { code: 'not_found' } })
})
