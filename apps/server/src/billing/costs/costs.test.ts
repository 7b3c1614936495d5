import { getCostSummary, listCostShares } from '@masthead/contract/billing/cost-operations'
import { micros } from '@masthead/contract/billing/money'
import { openHouse } from '@masthead/testkit/house'
import { expect, test } from 'vitest'
import { putAsset } from '../../assets/test-stock.ts'
import { charging, openBilling, postAll } from '../ledger/test-ledger.ts'

test('a month’s costs by kind, country, tag, group and asset; a limited member sees those of their assets', async () => {
  await using house = await openHouse()
  house.clock.set('2026-11-11T00:00:00Z')
  const owner = await house.newOwner()
  const { account_id } = owner
  const tag_id = 'tag_north'
  await house.db.insertInto('tag').values({ account_id, id: tag_id, name: 'north', color: 'teal' }).execute()
  const [a, b] = [
    await putAsset(house, owner, { serial: 'A', name: 'A', iccid: '8949020000000000011', imsi: '901280000000011', state: 'active' }),
    await putAsset(house, owner, { serial: 'B', name: 'B', iccid: '8949020000000000022', imsi: '901280000000022', state: 'active' }),
  ]
  await house.db.insertInto('asset_tag').values({ account_id, asset_id: a.id, tag_id }).execute()
  const costs = [
    { month: '2026-11-01', sim_id: a.sim_id, kind: 'payg', country: 'DE', micros: 5_000_000, bytes: 1000 },
    { month: '2026-11-01', sim_id: b.sim_id, kind: 'payg', country: 'FR', micros: 7_000_000, bytes: 2000 },
    { month: '2026-11-01', sim_id: b.sim_id, kind: 'sim_active', country: '', micros: 2_000_000, bytes: 0 },
    { month: '2026-10-01', sim_id: a.sim_id, kind: 'payg', country: 'DE', micros: 1_000_000, bytes: 100 },
  ]
  await house.db
    .insertInto('cost_month')
    .values(costs.map(({ sim_id: _, ...each }) => ({ account_id, ...each })))
    .execute()
  await house.db
    .insertInto('cost_sim')
    .values(costs.map(({ country: _, ...each }) => ({ account_id, ...each })))
    .execute()
  const summary = (await owner.call(getCostSummary, {})).body
  expect(summary).toMatchObject({
    month: '2026-11',
    is_closed: false,
    closes_at: '2026-12-04T00:00:00.000Z',
    sims: 2,
    bytes: 3000,
    projected_micros: 38_000_000,
  })
  expect(summary.months.slice(-2).map(({ micros }) => micros)).toEqual([1_000_000, 14_000_000])
  expect((await owner.call(getCostSummary, { query: { month: '2026-10' } })).body).toMatchObject({
    is_closed: true,
    projected_micros: null,
  })
  const by = async (grouping: 'country' | 'tag' | 'group' | 'asset', who: Pick<typeof owner, 'call'> = owner) =>
    (await who.call(listCostShares, { query: { by: grouping } })).body.items.map(({ name, micros, before_micros, bytes }) => [
      name,
      micros,
      before_micros,
      bytes,
    ])
  expect(await by('country')).toEqual([
    ['France', 7_000_000, 0, 2000],
    ['Germany', 5_000_000, 1_000_000, 1000],
    ['', 2_000_000, 0, 0],
  ])
  expect(await by('tag')).toEqual([
    ['', 9_000_000, 0, 2000],
    ['north', 5_000_000, 1_000_000, 1000],
  ])
  expect((await by('group')).map(([, micros]) => micros)).toEqual([14_000_000])
  expect((await by('asset')).map(([name, micros]) => [name, micros])).toEqual([
    ['B', 9_000_000],
    ['A', 5_000_000],
  ])
  expect((await (await house.newOwner()).call(getCostSummary, {})).body).toMatchObject({ currency: null, sims: 0 })
  const member = await house.newMember(owner, ['usage.view'], [tag_id])
  expect((await member.call(getCostSummary, {})).body.months.at(-1)).toMatchObject({ micros: 5_000_000 })
  expect((await by('asset', member)).map(([name]) => name)).toEqual(['A'])
  expect(await by('country', member)).toEqual([])
  // What is given back is taken off in the month in which that is done, as in its invoice; what is paid back to a card is no cost.
  await openBilling(house, account_id)
  const back = { type: 'refund', source: 'staff', corrects: 'led_1' } as const
  await postAll(house, [
    charging(account_id, 'fee', 500_000, { ...back, sub_type: 'sim_monthly', against: 'revenue', sim_id: b.sim_id }),
    charging(account_id, 'card', -300_000, { ...back, sub_type: 'topup', against: 'cash' }),
  ])
  const now = (await owner.call(getCostSummary, {})).body
  expect(now.months.at(-1)).toMatchObject({ micros: 13_500_000 })
  expect(now.months.at(-1)!.kinds.at(-1)).toEqual({ kind: 'refund', micros: -500_000 })
  expect((await member.call(getCostSummary, {})).body.months.at(-1)).toMatchObject({ micros: 5_000_000 })
})

test('credits that were given and tax on payments stand beside the costs, for who sees the ledger of the whole account', async () => {
  await using house = await openHouse()
  house.clock.set('2026-10-30T00:00:00Z')
  const owner = await house.newOwner()
  const { account_id } = owner
  await openBilling(house, account_id)
  const given = { sub_type: 'grant', source: 'staff', against: 'granted', grant: { kind: 'granted' } } as const
  await postAll(house, [charging(account_id, 'october', 9_000_000, given)])
  house.clock.set('2026-11-11T00:00:00Z')
  await postAll(house, [
    charging(account_id, 'november', 5_000_000, given),
    charging(account_id, 'card', 10_000_000, { source: 'card', tax_micros: micros(1_900_000) }),
    charging(account_id, 'data', -2_000_000),
    charging(account_id, 'void', -1_000_000, { type: 'void', sub_type: 'grant', source: 'staff', against: 'granted', corrects: 'led_1' }),
    charging(account_id, 'back', -5_000_000, {
      type: 'refund',
      sub_type: 'topup',
      source: 'card',
      tax_micros: micros(-950_000),
      against: 'cash',
    }),
    charging(account_id, 'expiry', -500_000, { type: 'expiry', sub_type: 'granted', against: 'granted' }),
  ])
  const of = async (person: Pick<typeof owner, 'call'>) =>
    (await person.call(getCostSummary, {})).body.months.slice(-2).map(({ granted_micros, tax_micros }) => [granted_micros, tax_micros])
  expect(await of(owner)).toEqual([
    [9_000_000, 0],
    [4_000_000, 950_000],
  ])
  const none = [
    [null, null],
    [null, null],
  ]
  expect(await of(await house.newMember(owner, ['usage.view']))).toEqual(none)
  const tag_id = 'tag_north'
  await house.db.insertInto('tag').values({ account_id, id: tag_id, name: 'north', color: 'teal' }).execute()
  expect(await of(await house.newMember(owner, ['usage.view', 'billing.view'], [tag_id]))).toEqual(none)
  expect(await of(await house.newMember(owner, ['usage.view', 'billing.view']))).toEqual(await of(owner))
})
