import { addPoolAssets, updateDataPool } from '@masthead/contract/datapools/operations'
import { getTotalUsage } from '@masthead/contract/usage/operations'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openCorrectingHouse } from '../backoffice/corrections/test-correcting.ts'
import type { TestSim } from '../metering/test-network.ts'
import { renewDuePools } from './renew-pools.ts'
import { putPool } from './test-pools.ts'

/** Numbers that look like chance and are the same each time. */
function numbersFrom(seed: number) {
  let state = seed
  return (most: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % most
  }
}

type House = Awaited<ReturnType<typeof openCorrectingHouse>>['house']

/** What each SIM used, as it is said in different places. */
async function saidOf(house: House) {
  const of = async (statement: ReturnType<typeof sql>) =>
    Object.fromEntries(
      ((await statement.execute(house.db)).rows as { sim_id: string; bytes: string }[]).map(({ sim_id, bytes }) => [sim_id, Number(bytes)])
    )
  return {
    counters: await of(sql`select sim_id, lifetime_up + lifetime_down as bytes from sim_counter order by 1`),
    hours: await of(sql`select sim_id, sum(bytes_up + bytes_down) as bytes from (
      select * from usage_hour union all select * from usage_open_hour) h group by 1 order by 1`),
    pools: await of(sql`select sim_id, sum(bytes) as bytes from data_pool_usage group by 1 having sum(bytes) > 0 order by 1`),
  }
}

/** Terms whose sums differ from place to place. */
const unevenTerms = async (house: House) => {
  const sumIn = (table: string, column: string) =>
    sql.raw(
      `(select coalesce(sum(${column}), 0) from ${table} o where (o.account_id, o.pool_id, o.starts_at) = (t.account_id, t.pool_id, t.starts_at))`
    )
  const { rows } = await sql`select t.pool_id, t.starts_at from data_pool_term t
    where ${sumIn('data_pool_counter', 'within_bytes + over_bytes')} <> ${sumIn('data_pool_usage', 'bytes')}
      or ${sumIn('data_pool_day', 'bytes')} <> ${sumIn('data_pool_usage', 'bytes')}
      or ${sumIn('data_pool_counter', 'over_bytes')} <> ${sumIn('data_pool_usage', 'over_bytes')}
      or ${sumIn('data_pool_counter', 'within_bytes')} not between 0 and t.size_bytes`.execute(house.db)
  return rows
}

test('what is used is the same by SIM, by hour, by pool and in all, whatever staff and customers change meanwhile', async () => {
  const { house, setClock, newSim, use, correct, undo } = await openCorrectingHouse()
  await using _ = house
  const { owner } = house
  const chance = numbersFrom(7)
  const one = <T>(list: readonly T[]): T => list[chance(list.length)]!
  const sims: TestSim[] = [await newSim(), await newSim(), await newSim()]
  const day = { validity_count: 1, validity_unit: 'day' as const }
  const pools = [
    await putPool(house, owner, { ...day, size_bytes: 3000, priority: 1 }),
    await putPool(house, owner, { ...day, size_bytes: 5000, kind: 'dynamic', priority: 2 }),
    await putPool(house, owner, { ...day, size_bytes: 4000, overage_policy: 'payg' }),
  ]
  // What was counted before they join is not corrected in the pools.
  await setClock('2026-11-20T06:00:00Z')
  for (const pool_id of pools) {
    const { status } = await owner.call(addPoolAssets, { params: { pool_id }, body: { assets: sims.map(({ asset_id }) => asset_id) } })
    expect(status).toBe(200)
  }
  const corrections: [TestSim, string][] = []
  for (const date of ['2026-11-20', '2026-11-21', '2026-11-22']) {
    // Pools begin at midnight: nothing reported here began before the first one.
    await setClock(`${date}T06:00:00Z`)
    for (let step = 0; step < 8; step++) {
      house.clock.advance({ minutes: 2 })
      await use(one(sims), house.clock.now().toISOString(), chance(3000), chance(500))
      const overage_policy = one(['stop', 'payg'] as const)
      if (chance(3) === 0)
        await owner.call(updateDataPool, { params: { pool_id: one(pools) }, body: { priority: 1 + chance(5), overage_policy } })
      if (chance(2) === 0) {
        const sim = one(sims)
        const { status, body } = await correct(sim, { day: date, bytes_up: chance(2000) - 1000 })
        if (status === 200) corrections.push([sim, body.id])
      }
      if (chance(3) === 0 && corrections.length > 0) await undo(...corrections.splice(chance(corrections.length), 1)[0]!)
    }
    expect(await unevenTerms(house)).toEqual([])
    const { counters, hours, pools: taken } = await saidOf(house)
    expect(hours).toEqual(counters)
    expect(taken).toEqual(counters)
  }
  await setClock('2026-11-24T00:00:10Z')
  await renewDuePools(house.app)
  expect(await unevenTerms(house)).toEqual([])
  const { counters } = await saidOf(house)
  const range = { start: '2026-11-01T00:00:00Z', end: '2026-11-25T00:00:00Z', group_by: 'sim' }
  const { body } = await owner.call(getTotalUsage, { query: range as never })
  expect(corrections.length).toBeGreaterThan(0)
  expect(Object.fromEntries(body.items.map(({ key, bytes }) => [key, bytes]))).toEqual(
    Object.fromEntries(sims.map(({ id, asset_id }) => [asset_id, counters[id]]))
  )
  expect(body.bytes_up + body.bytes_down).toBe(Object.values(counters).reduce((sum, bytes) => sum + bytes, 0))
})
