import { getCostSummary, listCostShares } from '@masthead/contract/billing/cost-operations'
import { emptyDatabase } from '@masthead/testkit/cluster'
import { expect, test } from 'vitest'
import { migrate } from '../../kernel/database/migrations/migrate.ts'
import { openPool } from '../../kernel/database/pool.ts'
import { packetOf, type TestSim } from '../../metering/test-network.ts'
import { addTag } from '../../usage/test-usage.ts'
import { openBilledHouse } from '../rating/test-billed.ts'
import { chargeAllFees } from '../settling/charge-fees.ts'
import { settleCharges } from '../settling/settle.ts'
import { noFees, putVersion, someZones } from '../tariffs/test-tariffs.ts'

test('pay as you go is told apart by zone, by its newest name, month by month; fees are of none; a limited member sees their SIMs', async () => {
  const fees = { ...noFees, active_monthly: [{ from: 1, price_micros: 500_000 }] }
  await using house = await openBilledHouse({ fees })
  const zones = someZones.map((zone) => ({ ...zone, name: `Zone ${zone.id}` }))
  await putVersion(house, house.tariff_id, { effective_from: '2026-11-21', zones, fees })
  const [a, b] = [await house.newSim(), await house.newSim()]
  const report = (sim: TestSim, id: string, up: number, sgsn_mccmnc: string) =>
    house.client.account(packetOf(sim, 'interim', { id, time: 60, up, sgsn_mccmnc } as never))
  await report(a, 's1', 2_000_000, '26201')
  await chargeAllFees(house.app)
  await settleCharges(house.app)
  house.clock.set('2026-12-02T12:00:00Z')
  await report(a, 's2', 3_000_000, '26201')
  await report(a, 's3', 1_000_000, '310410')
  await report(b, 's4', 5_000_000, '26201')
  await settleCharges(house.app)
  await settleCharges(house.app)
  const { body } = await house.owner.call(getCostSummary, {})
  const [november, december] = body.months.slice(-2)
  const before = november!.zones!.map(({ zone, micros }) => [zone, micros])
  expect(before).toEqual([['EU1', 200_000]])
  expect(december!.zones).toEqual([
    { zone: 'ROW', name: zones[1]!.name, micros: 2_000_000 },
    { zone: 'EU1', name: zones[0]!.name, micros: 800_000 },
  ])
  const shares = async (who: Pick<typeof house.owner, 'call'>, month?: string) =>
    (await who.call(listCostShares, { query: { by: 'zone', ...(month && { month }) } })).body.items.map(
      ({ id, name, micros, before_micros, bytes }) => [id, name, micros, before_micros, bytes]
    )
  expect(await shares(house.owner)).toEqual([
    ['ROW', zones[1]!.name, 2_000_000, 0, 1_000_000],
    ['EU1', zones[0]!.name, 800_000, 200_000, 8_000_000],
    ['', '', 0, 1_000_000, 0],
  ])
  const { account_id } = house.owner
  const tag_id = await addTag(house, house.owner, 'north')
  await house.db.insertInto('asset_tag').values({ account_id, asset_id: b.asset_id, tag_id }).execute()
  const member = await house.newMember(house.owner, ['usage.view'], [tag_id])
  expect(await shares(member)).toEqual([['EU1', zones[0]!.name, 500_000, 0, 5_000_000]])
  expect((await member.call(getCostSummary, {})).body.months.at(-1)).toMatchObject({ micros: 500_000, zones: null })
})

test('what was charged before zones were summed is summed when they are, and a release that does not know them goes on adding', async () => {
  const pool = openPool(await emptyDatabase(), { max: 2 })
  try {
    await migrate(pool, { until: '0205' })
    await pool.query(`insert into account (id, team_name) values ('acc_1', 'Acme')`)
    const charge = (sim: string, day: string, zone: string, summed: number) =>
      pool.query(
        `insert into charge (account_id, sim_id, day, tariff_id, number, from_day, zone_id, source, mccmnc, is_late, price_micros, bytes, billed_bytes, charged_micros,
            used_from, used_to, summed_bytes, summed_micros)
          values ('acc_1', $1, $2, 'trf_1', 1, '2026-01-01', $3, 'payg', '262-01', false, 100, 10, 10, 9, now(), now(), 10, $4)`,
        [sim, day, zone, summed]
      )
    await charge('sim_1', '2026-11-30', 'A', 5)
    await charge('sim_2', '2026-11-01', 'A', 7)
    await charge('sim_1', '2026-12-01', 'B', 1)
    await migrate(pool)
    const sums = async () => (await pool.query('select month::text, zone_id, micros, bytes from cost_zone order by 1, 2')).rows
    const november = { month: '2026-11-01', zone_id: 'A', micros: 12, bytes: 20 }
    expect(await sums()).toEqual([november, { month: '2026-12-01', zone_id: 'B', micros: 1, bytes: 10 }])
    await pool.query(`update charge set summed_micros = charged_micros, is_open = false where day >= '2026-12-01'`)
    await pool.query(`update charge set settled_micros = charged_micros`)
    expect(await sums()).toEqual([november, { month: '2026-12-01', zone_id: 'B', micros: 9, bytes: 10 }])
  } finally {
    await pool.end()
  }
})
