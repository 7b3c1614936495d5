import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAlerts } from '@masthead/contract/notifications/operations'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putAssignment, putTariff, putVersion } from '../../billing/tariffs/test-tariffs.ts'
import { putGateway } from '../../gateways/test-gateway.ts'
import { newTrials, today } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('sessions that end are counted by the day on which they ended, and those without data by themselves', async () => {
  const { owner, asset, tried, fired } = await newTrials(house)
  const truck = await asset('truck')
  const { gateway_id } = await putGateway(house.db, { name: 'pgw', address: '10.9.0.1' })
  for (const [n, [began, ended, bytes, nas]] of (
    [
      ['2026-11-20T23:00:00Z', `${today}T09:00:00Z`, 5, 'pgw'],
      [`${today}T09:10:00Z`, `${today}T09:20:00Z`, 0, 'pgw'],
      [`${today}T10:00:00Z`, `${today}T10:01:00Z`, 0, 'pgw'],
      [`${today}T11:00:00Z`, null, 0, 'pgw'],
      [`${today}T08:00:00Z`, `${today}T09:00:00Z`, 7, gateway_id],
    ] as const
  ).entries())
    await sql`insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, started_at, updated_at, heard_at, ended_at, bytes_up)
      values (${owner.account_id}, ${`e${n}`}, ${truck.sim_id}, ${truck.asset_id}, ${gateway_id}, ${nas}, ${`e${n}`}, ${began}, ${ended ?? began}, ${ended ?? began},
        ${ended}, ${bytes})`.execute(house.db)
  expect(await tried({ metric: 'ended_day', threshold: 3 })).toEqual([['truck', today, 3]])
  expect(await tried({ metric: 'ended_day', threshold: 4 })).toEqual([])
  expect(await tried({ metric: 'empty_day', threshold: 2 })).toEqual([['truck', today, 2]])
  expect(await tried({ metric: 'empty_day', threshold: 3 })).toEqual([])
  expect(await fired({ metric: 'ended_day', threshold: 2 })).toEqual([['truck', today, 3]])
})

test('what several assets used since they are in the account fires for them once, also when it goes on', async () => {
  const { owner, asset, tried, make, look, firings } = await newTrials(house)
  const tag = (await owner.call(createTag, { body: { name: 'fleet' } })).body.id
  const [one, two, other] = [await asset('one', tag), await asset('two', tag), await asset('other')]
  const count = ({ sim_id }: typeof one, lifetime_up: number) =>
    sql`insert into sim_counter as c (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
      values (${owner.account_id}, ${sim_id}, '2026-11-01', 0, 0, ${lifetime_up}, 1, ${`${today}T10:00:00Z`})
      on conflict (account_id, sim_id) do update set lifetime_up = excluded.lifetime_up`.execute(house.db)
  await count(one, 499)
  await count(two, 299)
  await count(other, 9999)
  const rule = { metric: 'assets_usage_ever', scope: 'tag:fleet', threshold: 800 } as const
  expect(await tried(rule)).toEqual([[null, today, 800]])
  expect(await tried({ ...rule, threshold: 801 })).toEqual([])
  expect(await tried({ ...rule, scope: '', threshold: 801 })).toEqual([[null, today, 10_800]])
  const id = await make(rule)
  await look()
  house.clock.set('2026-11-23T12:00:00Z')
  await count(two, 5000)
  await look()
  expect((await firings(id)).map(({ value }) => value)).toEqual([800])
})

const rule = { name: 'Other prices', metric: 'prices_change', threshold: 14 } as const

test('a change of prices fires so many days before, once, whether the list changes or the account is given another one', async () => {
  const { owner, tried, make, look } = await newTrials(house)
  const { account_id } = owner
  house.clock.set('2026-11-10T12:00:00Z')
  const [first, second] = [await putTariff(house), await putTariff(house)]
  await putAssignment(house, account_id, first, { from_day: '2026-11-12' })
  await putVersion(house, first, { effective_from: '2026-12-01' })
  // Valid once the account pays by another list.
  await putVersion(house, first, { effective_from: '2027-01-10' })
  await putVersion(house, second, { effective_from: '2026-12-15' })
  house.clock.set(`${today}T12:00:00Z`)
  await putAssignment(house, account_id, second, { from_day: '2027-01-01' })
  expect(await tried(rule)).toEqual([
    [null, '2026-11-17', 14],
    [null, '2026-11-10', 2],
  ])
  expect(await tried({ ...rule, threshold: 5 })).toEqual([[null, '2026-11-10', 2]])
  const id = await make(rule)
  await look()
  await look()
  // Of a time by which the owner's session is over.
  const fired = async () => {
    const rows = await house.db
      .selectFrom('alert_rule_firing')
      .select(['day', 'value'])
      .where('rule_id', '=', id)
      .orderBy('at', 'desc')
      .execute()
    return rows.map(({ day, value }) => [day, Number(value)])
  }
  expect(await fired()).toEqual([[today, 10]])
  const alerts = async () => (await owner.call(listAlerts, { query: {} })).body.items.map(({ words, link }) => [words, link])
  expect(await alerts()).toEqual([['Days until the prices of the account change: 10 days on 21 Nov 2026 (UTC).', '/billing/pricing']])
  for (const day of ['2026-11-22', '2026-12-01', '2026-12-17', '2026-12-18', '2026-12-19']) {
    house.clock.set(`${day}T12:00:00Z`)
    await look()
  }
  expect(await fired()).toEqual([
    ['2026-12-18', 14],
    [today, 10],
  ])
})

test('a rule of prices is for whoever sees them', async () => {
  const { owner, make, look, fields } = await newTrials(house)
  await putAssignment(house, owner.account_id, await putTariff(house), { from_day: '2026-11-25' })
  await make(rule)
  await look()
  const rights = ['notifications.view', 'notifications.edit', 'assets.view']
  const blind = await house.newMember(owner, rights)
  const refused = await blind.call(ops.previewRule, { body: fields(rule) })
  expect([refused.status, refused.body]).toMatchObject([
    403,
    { detail: 'This rule is about prices, which you do not have the permission to see' },
  ])
  expect((await blind.call(listAlerts, { query: {} })).body.items).toEqual([])
  const seeing = await house.newMember(owner, [...rights, 'billing.view'])
  expect((await seeing.call(ops.previewRule, { body: fields(rule) })).body).toMatchObject({ fired: 1 })
  expect((await seeing.call(listAlerts, { query: {} })).body.items).toHaveLength(1)
})
