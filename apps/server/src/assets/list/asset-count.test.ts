import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Asset } from '@masthead/contract/assets/asset'
import { activateSim, deactivateSim, listAssets, updateAsset } from '@masthead/contract/assets/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../test-stock.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const block = JSON.stringify([{ code: 'staff', since: '2026-01-01T00:00:00Z', by: 'staff', words: '', clears: '' }])
const step = fc.record({
  what: fc.constantFrom('register', 'activate', 'deactivate', 'block', 'unblock', 'terminate', 'rename', 'delete', 'delete all'),
  which: fc.nat(20),
  type: fc.constantFrom('core' as const, 'picolte' as const),
  sim: fc.boolean(),
})

/** What the counts say, and what is there: they must be the same. */
async function counts(account_id: string) {
  const kept =
    await sql`select type, sim_status, count from asset_count where account_id = ${account_id} and count <> 0 order by 1, 2`.execute(
      house.db
    )
  const real =
    await sql`select type, coalesce(sim_status, '') as sim_status, count(*) as count from asset where account_id = ${account_id} group by 1, 2 order by 1, 2`.execute(
      house.db
    )
  return { kept: kept.rows, real: real.rows }
}

async function take(ada: Person, { what, which, type, sim }: typeof step extends fc.Arbitrary<infer Step> ? Step : never) {
  const { db } = house
  if (what === 'register') return void (await addAsset(house, ada, { type, ...(!sim && { iccid: null }) }))
  const ids = await db.selectFrom('asset').select('id').where('account_id', '=', ada.account_id).orderBy('id').execute()
  const asset_id = ids[which % Math.max(ids.length, 1)]?.id ?? 'none'
  const params = { asset_id }
  const sims = db.updateTable('sim').where('account_id', '=', ada.account_id).where('asset_id', '=', asset_id)
  if (what === 'activate') await ada.call(activateSim, { params })
  else if (what === 'deactivate') await ada.call(deactivateSim, { params })
  else if (what === 'rename') await ada.call(updateAsset, { params, body: { name: `renamed ${which}` } })
  else if (what === 'block') await sims.set({ blocks: block }).execute()
  else if (what === 'unblock') await sims.set({ blocks: '[]' }).execute()
  else if (what === 'terminate') await sims.set({ state: 'terminated' }).execute()
  else if (what === 'delete') await db.deleteFrom('asset').where('account_id', '=', ada.account_id).where('id', '=', asset_id).execute()
  else await db.deleteFrom('asset').where('account_id', '=', ada.account_id).where('type', '=', type).execute()
}

test('the kept counts are the real ones whatever happens, and the list says so', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const ada = await house.newOwner()
      for (const each of steps) await take(ada, each)
      const { kept, real } = await counts(ada.account_id)
      expect(kept).toEqual(real)
      const { total, items } = (await ada.call(listAssets, { query: { page_size: '100' } })).body
      expect(total).toBe(items.length)
    }),
    { numRuns: 25 }
  )
})

test('they are when many change at once', async () => {
  const ada = await house.newOwner()
  const assets: Asset[] = []
  for (let i = 0; i < 6; i++) assets.push(await addAsset(house, ada))
  await Promise.all(
    Array.from({ length: 36 }, (_, i) => {
      const params = { asset_id: assets[i % 6]!.id }
      return i % 7 === 0 ? addAsset(house, ada, { type: 'core' }) : ada.call(i % 2 ? activateSim : deactivateSim, { params })
    })
  )
  const { kept, real } = await counts(ada.account_id)
  expect(kept).toEqual(real)
})
