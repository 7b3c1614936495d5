import { hearStatements } from '@masthead/testkit/statements'
import { openHouse } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { AssetSim } from './asset-sims.ts'
import { rowsOfSims } from './rows-of-sims.ts'

test('SIMs whose rows fill whole parts are read SIM by SIM, with no more statements than parts', async () => {
  await using house = await openHouse()
  const heard = hearStatements(house.app.pool)
  const sims = Array.from({ length: 12 }, (_, i) => ({ sim_id: `sim_${String(i).padStart(2, '0')}` }) as AssetSim)
  const each = 2500
  const from = sql`(select 'sim_' || lpad(s::text, 2, '0') as sim_id, n from generate_series(0, 11) s, generate_series(1, ${each}) n) r where true`
  const rows: string[] = []
  const { statements } = await heard.during(async () => {
    for await (const part of rowsOfSims<{ n: number }>(house.db, sims, {
      select: sql`r.n`,
      from,
      place: [{ of: sql`r.n`, type: sql`integer` }],
    }))
      rows.push(...part.map(({ sim_id, n }) => `${sim_id} ${n}`))
  })
  expect(rows).toEqual(sims.flatMap(({ sim_id }) => Array.from({ length: each }, (_, n) => `${sim_id} ${n + 1}`)))
  const asked = statements.filter((text) => text.includes('order by r.sim_id')).length
  // A part, and one that is empty; at first it is found how many SIMs are asked for at once.
  expect(asked).toBeGreaterThanOrEqual(sims.length * 2)
  expect(asked).toBeLessThan(sims.length * 2 + 6)
})
