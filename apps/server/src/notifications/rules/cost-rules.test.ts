import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyPackage } from '@masthead/contract/datapools/operations'
import { formatDay } from '@masthead/contract/kernel/time'
import { listAlerts } from '@masthead/contract/notifications/operations'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { charging, openBilling, postAll } from '../../billing/ledger/test-ledger.ts'
import { putPackage } from '../../datapools/test-pools.ts'
import { newScene, today } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const dollars = 1_000_000

/** Two trucks, of which one cost $5 on 2 November and $6 today, the other $3 and its fee of $2 in October. */
async function costScene() {
  const scene = await newScene(house)
  const { account_id } = scene.owner
  await openBilling(house, account_id)
  const [dear, cheap] = [await scene.asset('dear'), await scene.asset('cheap')]
  const charge = async ({ sim_id }: { sim_id: string }, day: string, micros: number) => {
    const month = `${day.slice(0, 7)}-01`
    const at = `${day}T11:00:00Z`
    await sql`insert into charge (account_id, sim_id, day, tariff_id, number, from_day, zone_id, source, mccmnc, is_late, price_micros, bytes, billed_bytes,
        charged_micros, used_from, used_to) values (${account_id}, ${sim_id}, ${day}, 'trf', 1, '2026-01-01', 'EU1', 'payg', '262-01', false, 1, 1, 1,
        ${micros}, ${at}, ${at})`.execute(house.db)
    await sql`insert into cost_sim as c (account_id, month, sim_id, kind, micros, bytes) values (${account_id}, ${month}, ${sim_id}, 'payg', ${micros}, 1)
      on conflict (account_id, month, sim_id, kind) do update set micros = c.micros + excluded.micros`.execute(house.db)
    await sql`insert into cost_month as c (account_id, month, kind, country, micros, bytes) values (${account_id}, ${month}, 'payg', 'DE', ${micros}, 1)
      on conflict (account_id, month, kind, country) do update set micros = c.micros + excluded.micros`.execute(house.db)
  }
  await charge(dear, '2026-11-02', 5 * dollars)
  await charge(dear, today, 6 * dollars)
  await charge(cheap, today, 3 * dollars)
  await sql`insert into sim_fee (account_id, month, kind, sim_id, micros, charged_at)
    values (${account_id}, '2026-10-01', 'sim_active', ${cheap.sim_id}, ${2 * dollars}, '2026-10-31T10:00:00Z')`.execute(house.db)
  const fired = async (changes: Partial<RuleFields>) => {
    const { body, text } = await scene.owner.call(ops.previewRule, { body: scene.fields(changes) })
    expect(body.latest, text).toBeDefined()
    return body.latest.map(({ asset_name, day, value }) => [asset_name, day, value / dollars])
  }
  return { ...scene, charge, fired }
}

test('the cost of a SIM in a month fires on the day on which it is reached, fees among it, and once in the month', async () => {
  const { fired, make, look, firings } = await costScene()
  expect(await fired({ metric: 'cost_month', threshold: 10 * dollars })).toEqual([['dear', today, 11]])
  expect(await fired({ metric: 'cost_month', threshold: 2 * dollars })).toEqual([
    ['cheap', today, 3],
    ['dear', '2026-11-02', 5],
    ['cheap', '2026-10-31', 2],
  ])
  const rule_id = await make({ metric: 'cost_month', threshold: 10 * dollars })
  await look()
  house.clock.set('2026-11-22T12:00:00Z')
  await look()
  expect(await firings(rule_id)).toMatchObject([{ asset_name: 'dear', value: 11 * dollars }])
})

test('the cost of a SIM in one day fires on that day alone, with the fees that were charged on it', async () => {
  const { fired, make, look, firings } = await costScene()
  const metric = 'cost_day'
  expect(await fired({ metric, threshold: 5 * dollars })).toEqual([
    ['dear', today, 6],
    ['dear', '2026-11-02', 5],
  ])
  expect(await fired({ metric, threshold: 2 * dollars })).toContainEqual(['cheap', '2026-10-31', 2])
  expect(await fired({ metric, threshold: 6 * dollars + 1 })).toEqual([])
  const rule_id = await make({ metric, threshold: 6 * dollars })
  await look()
  await look()
  expect(await firings(rule_id)).toMatchObject([{ asset_name: 'dear', day: today, value: 6 * dollars }])
})

test('what was given back on a day of the month hides no other day', async () => {
  const { fired, asset, charge } = await costScene()
  const back = await asset('back')
  await charge(back, '2026-11-03', -8 * dollars)
  await charge(back, '2026-11-04', 9 * dollars)
  expect(await fired({ metric: 'cost_day', threshold: 7 * dollars })).toEqual([['back', '2026-11-04', 9]])
})

test('the cost of the account is that of its SIMs and of its data pools in the month so far', async () => {
  const { owner, fired, make, rule } = await costScene()
  expect(await fired({ metric: 'account_cost_month', threshold: 14 * dollars })).toEqual([[null, today, 14]])
  expect(await fired({ metric: 'account_cost_month', threshold: 14 * dollars + 1 })).toEqual([])
  await postAll(house, [charging(owner.account_id, 'credits', 20 * dollars)])
  const package_id = await putPackage(house, { price_micros: 4 * dollars })
  expect((await owner.call(buyPackage, { body: { package_id, auto_renew: true } })).status).toBe(200)
  expect(await fired({ metric: 'account_cost_month', threshold: 18 * dollars })).toEqual([[null, today, 18]])
  expect(await fired({ metric: 'account_cost_month', threshold: 18 * dollars + 1 })).toEqual([])
  expect((await rule(await make({ metric: 'account_cost_month', threshold: dollars }))).currency).toBe('USD')
  expect((await owner.call(ops.listRules, {})).body.currency).toBe('USD')
  expect((await (await house.newOwner('free')).call(ops.listRules, {})).body).toEqual({ items: [], currency: null, sees_all: true })
})

test('who may not see costs makes and tries no rule of them, and reads no amount that one found', async () => {
  const { owner, fields, make, look } = await costScene()
  const costs = { metric: 'cost_month', threshold: 10 * dollars, action: 'deactivate_sim' } as const
  const rule_id = await make(costs)
  await look()
  const rights = ['notifications.view', 'notifications.edit', 'assets.view', 'assets.edit']
  const [blind, seeing] = [await house.newMember(owner, rights), await house.newMember(owner, [...rights, 'usage.view'])]
  for (const op of [ops.createRule, ops.previewRule]) {
    expect((await blind.call(op, { body: fields(costs) })).body).toMatchObject({
      code: 'forbidden',
      detail: expect.stringContaining('is about costs') as string,
    })
    expect((await seeing.call(op, { body: fields(costs) })).status).toBe(200)
  }
  await owner.call(ops.disableRule, { params: { rule_id } })
  expect((await blind.call(ops.enableRule, { params: { rule_id } })).body).toMatchObject({ code: 'forbidden' })
  expect((await seeing.call(ops.enableRule, { params: { rule_id } })).status).toBe(200)
  const valueFor = async (who: typeof blind) =>
    (await who.call(ops.listFirings, { params: { rule_id }, query: {} })).body.items.map(({ value }) => value)
  expect(await valueFor(blind)).toEqual([null])
  expect(await valueFor(seeing)).toEqual([11 * dollars])
  const alerts = (await blind.call(listAlerts, { query: {} })).body.items
  expect(alerts.map(({ words }) => words)).toContain(
    `Cost of a SIM in the month so far: as much as the rule says, or more, on ${formatDay(today)} (UTC). Its SIM is deactivated at once.`
  )
  expect(JSON.stringify(alerts)).not.toContain('11.00')
})
