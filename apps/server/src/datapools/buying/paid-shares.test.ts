import { getCostSummary } from '@masthead/contract/billing/cost-operations'
import { balanceTooLow } from '@masthead/contract/billing/ledger-problems'
import { micros, type Currency } from '@masthead/contract/billing/money'
import { getBalance, listTransactions } from '@masthead/contract/billing/operations'
import { addPoolAssets, buyPackage, getDataPool, removePoolAssets, setPoolTags } from '@masthead/contract/datapools/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { charging, openBilling, postAll } from '../../billing/ledger/test-ledger.ts'
import { proveLedger, refundCharged } from '../../billing/ledger/index.ts'
import { addAsset, addTag } from '../../usage/test-usage.ts'
import { renewDuePools } from '../renew-pools.ts'
import { putPackage } from '../test-pools.ts'
import { payDueTerms } from './pay-due-terms.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const each = { kind: 'dynamic' as const, size_bytes: 1000, price_micros: 2_000_000, validity_count: 4, validity_unit: 'day' as const }
const balanceOf = async (by: Person) => (await by.call(getBalance)).body.balance?.balance_micros

async function newBuyer(credits: number, changes = {}) {
  const buyer = await house.newOwner()
  await openBilling(house, buyer.account_id)
  await postAll(house, [charging(buyer.account_id, 'credits', credits)])
  const package_id = await putPackage(house, { ...each, ...changes })
  const { body } = await buyer.call(buyPackage, { body: { package_id, auto_renew: true } })
  const params = { pool_id: body.id }
  const add = (...assets: string[]) => buyer.call(addPoolAssets, { params, body: { assets } })
  const pool = async () => (await buyer.call(getDataPool, { params })).body
  const newAsset = async () => (await addAsset(house, buyer, { name: 'tracker' })).asset_id
  return { buyer, params, add, pool, newAsset }
}

test('a package that grows costs nothing before a SIM is added; each is paid once, and what the balance does not cover is not added', async () => {
  const { buyer, params, add, pool, newAsset } = await newBuyer(7_000_000)
  expect(await balanceOf(buyer)).toBe(7_000_000)
  expect(await pool()).toMatchObject({ kind: 'dynamic', bought: true, size_bytes: 0, unit_bytes: 1000, price_micros: 2_000_000 })
  const [one, two, three, four] = [await newAsset(), await newAsset(), await newAsset(), await newAsset()]
  expect((await add(one, two)).body).toEqual({ added: 2, already: 0, paid_micros: 4_000_000 })
  expect((await add(one)).body).toEqual({ added: 0, already: 1, paid_micros: 0 })
  expect(await pool()).toMatchObject({ size_bytes: 2000, sims: 2 })
  expect(await add(three, four)).toMatchObject({
    status: 409,
    body: { code: 'balance_too_low', detail: 'This costs $4.00 and the balance is $3.00. Add credits first' },
  })
  // Who reads no billing reads that it is not covered, and no amount.
  const member = await house.newMember(buyer, ['assets.view', 'datapools.view', 'datapools.edit'])
  expect(await member.call(addPoolAssets, { params, body: { assets: [three, four] } })).toMatchObject({
    status: 409,
    body: { code: 'balance_too_low', detail: balanceTooLow.title },
  })
  expect(await pool()).toMatchObject({ size_bytes: 2000, sims: 2 })
  // Who leaves has paid for the term, and comes again for nothing.
  await buyer.call(removePoolAssets, { params, body: { assets: [one] } })
  expect((await add(one)).body).toMatchObject({ added: 1, paid_micros: 0 })
  expect((await Promise.all([add(three), add(three), add(four)])).map(({ status }) => status).toSorted()).toEqual([200, 200, 409])
  await payDueTerms(house.app)
  expect(await balanceOf(buyer)).toBe(1_000_000)
  const lines = (await buyer.call(listTransactions)).body.items.filter(({ sub_type }) => sub_type === 'data_pool')
  expect(lines.map(({ amount_micros, pool_id }) => [amount_micros, pool_id])).toEqual([
    [-2_000_000, params.pool_id],
    [-4_000_000, params.pool_id],
  ])
  const poolCosts = async (until = house.clock.now()) =>
    (await buyer.call(getCostSummary, { query: { month: until.toISOString().slice(0, 7) } })).body.months.flatMap(({ kinds }) =>
      kinds.filter(({ kind }) => kind === 'data_pool' || kind === 'refund')
    )
  expect(await poolCosts()).toMatchObject([{ micros: 6_000_000 }])
  const [last, first] = (await buyer.call(listTransactions)).body.items.filter(({ sub_type }) => sub_type === 'data_pool')
  // Given back in a later month: the costs of the closed one stay as its invoice has them.
  const later = new Date(house.clock.now().getTime() + 35 * 86_400_000)
  for (const [{ id }, amount] of [
    [first!, 1_500_000],
    [last!, 500_000],
  ] as const) {
    const of = { account_id: buyer.account_id, actor: 'staff@example.test', reason: 'Sorry', at: later }
    const refund = { ...of, key: `refund:${id}`, amount_micros: micros(amount), currency: 'USD' as Currency }
    await house.db.transaction().execute((tx) => refundCharged(tx, id, refund))
  }
  expect(await poolCosts()).toMatchObject([{ micros: 6_000_000 }])
  expect(await poolCosts(later)).toEqual([
    { kind: 'data_pool', micros: 6_000_000 },
    { kind: 'refund', micros: -2_000_000 },
  ])
  const tag = await addTag(house, buyer, 'north')
  expect(await buyer.call(setPoolTags, { params, body: { tags: [tag] } })).toMatchObject({
    status: 409,
    body: { code: 'pool_paid_by_sim' },
  })
  expect((await proveLedger(house.app)).differences).toEqual([])
})

test('a SIM that joins late brings and costs its share; the next term costs all of them, or ends the pool', async () => {
  house.clock.set('2026-11-10T08:00:00Z')
  const { buyer, add, pool, newAsset } = await newBuyer(5_500_000, { prorate_first: true })
  await add(await newAsset())
  house.clock.set('2026-11-12T08:00:00Z')
  const late = await add(await newAsset())
  expect(late.body.paid_micros).toBe(1_000_000)
  expect(await pool()).toMatchObject({ size_bytes: 1500, sims: 2 })
  house.clock.set('2026-11-14T00:01:00Z')
  await renewDuePools(house.app)
  expect(await pool()).toMatchObject({ size_bytes: 2000, state: 'active' })
  await payDueTerms(house.app)
  // 5.50 less 2, 1 and then 4: the balance does not cover the next term.
  expect(await pool()).toMatchObject({ state: 'ended' })
  expect(await balanceOf(buyer)).toBe(2_500_000)
  expect((await house.events(buyer.account_id)).map(({ name }) => name)).toContain('datapools.pool_unpaid')
})

test('an asset that gets its SIM later is paid soon after, also below zero; another SIM of an asset brings nothing more', async () => {
  const { buyer, add, pool, newAsset } = await newBuyer(3_000_000)
  const { account_id } = buyer
  const [asset_id, bare] = [await newAsset(), `ast_bare${account_id.slice(-10)}`]
  await house.db
    .insertInto('asset')
    .values({ account_id, id: bare, type: 'picolte', serial: `SN-${bare}`, name: 'bare', sim_id: null, sim_status: null })
    .execute()
  expect((await add(asset_id, bare)).body).toMatchObject({ added: 2, paid_micros: 2_000_000 })
  const { status: _, ...sim } = await house.db.selectFrom('sim').selectAll().where('asset_id', '=', asset_id).executeTakeFirstOrThrow()
  for (const [n, to] of [asset_id, bare].entries()) {
    const own = { asset_id: to, id: `${sim.id.slice(0, -1)}_${n}`, iccid: `88${sim.iccid.slice(2, -1)}${n}`, blocks: '[]' }
    await house.db
      .insertInto('sim')
      .values({ ...sim, ...own } as never)
      .execute()
  }
  await payDueTerms(house.app)
  await payDueTerms(house.app)
  expect(await balanceOf(buyer)).toBe(-1_000_000)
  expect(await pool()).toMatchObject({ size_bytes: 2000, state: 'active' })
})
