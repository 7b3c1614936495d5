import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { getAsset } from '@masthead/contract/assets/operations'
import { setSimLimit } from '@masthead/contract/assets/sim-operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { hearStatements } from '@masthead/testkit/statements'
import { systemActor } from '../../kernel/app.ts'
import { swapSim } from '../sim/swap-sim.ts'
import { addAsset, addStock } from '../test-stock.ts'
import { grantWishes } from './grant-wishes.ts'

let house: House
let ada: Person
let heard: ReturnType<typeof hearStatements>
beforeAll(async () => {
  house = await openHouse()
  heard = hearStatements(house.app.pool)
  ada = await house.newOwner()
})
afterAll(() => house[Symbol.asyncDispose]())

test('a file swaps SIMs by old and new ICCID; a row whose new SIM cannot be says why', async () => {
  const bob = await house.newOwner()
  const assets = await Promise.all(Array.from({ length: 8 }, () => addAsset(house, ada)))
  const [first, second, third] = assets as [(typeof assets)[0], (typeof assets)[0], (typeof assets)[0]]
  const old = (i: number) => assets[i]!.sim!.iccid
  await ada.call(setSimLimit, { params: { asset_id: first.id }, body: { bytes: 1e9 } })
  const [spare, other, reserved, lone] = [
    await addStock(house),
    await addStock(house),
    await addStock(house, { released_at: null }),
    await addStock(house, { iccid: null }),
  ]
  const taken = await addAsset(house, bob)
  const text = [
    'asset,new_sim,name',
    `${old(0)},${spare.iccid},`,
    `${second.serial},${other.serial.toLowerCase()},`,
    `${old(2)},${spare.iccid},`,
    `${old(3)},${taken.sim!.iccid},`,
    `${old(4)},${reserved.iccid},`,
    `${old(5)},${lone.serial},`,
    `${old(6)},${old(0)},`,
    `${old(7)},${spare.iccid},Pump`,
    `89445000012000099999,${spare.iccid},`,
    `${old(7)},nothing,`,
  ].join('\n')
  const { body, text: said } = await ada.call(bulk.startCsvChange, { body: text as never })
  expect(body, said).toMatchObject({ total: 10, changed: 2 })
  const { items } = (await ada.call(bulk.listLeftAssets, { params: { bulk_id: body.id } })).body
  expect(items.map(({ line, reason, words }) => [line, words ?? reason])).toEqual([
    [4, 'twice'],
    [5, 'new_sim_taken'],
    [6, 'new_sim_reserved'],
    [7, 'new_sim_unknown'],
    [8, 'new_sim_yours'],
    [9, 'A row that swaps the SIM changes nothing else'],
    [10, 'gone'],
    [11, 'twice'],
  ])
  const told = async ({ id }: { id: string }) => (await ada.call(getAsset, { params: { asset_id: id } })).body
  expect(await told(first)).toMatchObject({ sim: { iccid: spare.iccid, usage: { limit_bytes: 1e9 } } })
  expect((await told(first)).sims!.map(({ iccid }) => iccid)).toContain(old(0))
  expect((await told(second)).sim!.iccid).toBe(other.iccid)
  expect((await told(third)).sim!.iccid).toBe(old(2))
  const swapped = (await house.events(ada.account_id)).filter(({ name }) => name === 'assets.sim_swapped')
  expect(swapped).toHaveLength(2)
  expect((await ada.call(bulk.undoBulkChange, { params: { bulk_id: body.id } })).body).toMatchObject({
    changed: 0,
    left: [{ reason: 'not_undoable', count: 2 }],
  })
})

test('a file says what becomes of the SIMs before; a part of it is done in as many statements as a row', async () => {
  const swap = async (count: number, old_sim: string) => {
    const bo = await house.newOwner()
    const pairs = await Promise.all(
      Array.from({ length: count }, async () => ({ asset: await addAsset(house, bo), spare: await addStock(house) }))
    )
    await bo.call(setSimLimit, { params: { asset_id: pairs[0]!.asset.id }, body: { bytes: 2e9 } })
    const text = ['asset,new_sim,old_sim', ...pairs.map(({ asset, spare }) => `${asset.serial},${spare.iccid},${old_sim}`)].join('\n')
    const query = old_sim === 'terminated' ? { confirm: 'terminate' } : {}
    const { answer, statements } = await heard.during(() => bo.call(bulk.startCsvChange, { query, body: text as never }))
    expect(answer.body, answer.text).toMatchObject({ total: count, changed: count })
    for (const { asset, spare } of pairs) {
      const { body } = await bo.call(getAsset, { params: { asset_id: asset.id } })
      expect(body.sims!.map(({ iccid, state }) => [iccid, state])).toContainEqual([asset.sim!.iccid, old_sim || 'inactive'])
      expect(body.sim!.iccid).toBe(spare.iccid)
    }
    expect((await bo.call(getAsset, { params: { asset_id: pairs[0]!.asset.id } })).body.sim!.usage.limit_bytes).toBe(2e9)
    const names = (await house.events(bo.account_id)).map(({ name }) => name)
    expect(names.filter((name) => name === 'assets.sim_terminated')).toHaveLength(old_sim === 'terminated' ? count : 0)
    return statements.length
  }
  const few = await swap(2, 'terminated')
  expect(await swap(12, 'terminated')).toBe(few)
  await swap(2, 'inactive')
  await swap(1, '')
})

test('a file that terminates SIMs is taken only with the word that confirms it', async () => {
  const [asset, spare] = [await addAsset(house, ada), await addStock(house)]
  const text = ['asset,new_sim,old_sim', `${asset.serial},${spare.iccid},terminated`].join('\n')
  const start = (query: { confirm?: string }) => ada.call(bulk.startCsvChange, { query, body: text as never })
  for (const query of [{}, { confirm: 'yes' }])
    expect(await start(query)).toMatchObject({ status: 400, body: { fields: { confirm: expect.stringContaining('terminate') } } })
  expect((await ada.call(getAsset, { params: { asset_id: asset.id } })).body.sim!.iccid).not.toBe(spare.iccid)
  expect((await start({ confirm: 'terminate' })).body).toMatchObject({ total: 1, changed: 1 })
})

test('a row that cannot say so is told', async () => {
  const asset = await addAsset(house, ada)
  const other = await addAsset(house, ada)
  const spare = await addStock(house)
  const text = ['asset,new_sim,old_sim', `${asset.serial},${spare.iccid},sold`, `${other.serial},,terminated`].join('\n')
  const { body } = await ada.call(bulk.startCsvChange, { body: text as never })
  const { items } = (await ada.call(bulk.listLeftAssets, { params: { bulk_id: body.id } })).body
  expect(items.map(({ words }) => words)).toEqual([
    'The SIM before is inactive or terminated',
    'What becomes of the SIM before is said where new_sim names another one',
  ])
})

test('a row whose asset has no SIM, or is not there, takes none from a later row that names the same', async () => {
  const [bare, gone, asset] = [await addAsset(house, ada, { iccid: null }), '89445000012000088888', await addAsset(house, ada)]
  const spare = await addStock(house)
  const text = ['asset,new_sim', ...[bare.serial, gone, asset.serial].map((key) => `${key},${spare.iccid}`)].join('\n')
  const { body, text: said } = await ada.call(bulk.startCsvChange, { body: text as never })
  expect(body, said).toMatchObject({ total: 3, changed: 1 })
  const { items } = (await ada.call(bulk.listLeftAssets, { params: { bulk_id: body.id } })).body
  expect(items.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'no_sim'],
    [3, 'gone'],
  ])
  expect((await ada.call(getAsset, { params: { asset_id: asset.id } })).body.sim!.iccid).toBe(spare.iccid)
})

test('a change that waited for the swap of a SIM has the one that came in its place locked', async () => {
  const asset = await addAsset(house, ada)
  const spare = await addStock(house)
  const actor = systemActor(ada.account_id, house.clock.now())
  const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  const isHeld = sql`select from sim where account_id = ${ada.account_id} and iccid = ${spare.iccid} for no key update nowait`
  const { change } = await house.db.transaction().execute(async (tx) => {
    await swapSim(tx, actor, asset.id, { token: spare.serial, before: 'deactivate' })
    const waits = house.db.transaction().execute(async (other) => {
      const granted = await grantWishes(other, actor, [{ asset_id: asset.id, wish: { limit: null } }])
      await expect(house.db.transaction().execute((third) => isHeld.execute(third))).rejects.toMatchObject({ code: '55P03' })
      return granted
    })
    await expect.poll(async () => (await waiting.execute(house.db)).rows[0]!.n, { timeout: 10_000 }).toBe(1)
    return { change: waits }
  })
  expect(await change).toMatchObject([{ outcome: 'already' }])
})
