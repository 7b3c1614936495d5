import { listAlerts } from '@masthead/contract/notifications/operations'
import { exportActivities, getActivity, listActivities } from '@masthead/contract/activities/operations'
import { balanceTooLow } from '@masthead/contract/billing/ledger-problems'
import { getCostSummary } from '@masthead/contract/billing/cost-operations'
import { getBalance, listTransactions } from '@masthead/contract/billing/operations'
import { buyMoreData, buyPackage, getDataPool, updateDataPool } from '@masthead/contract/datapools/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { charging, openBilling, postAll } from '../../billing/ledger/test-ledger.ts'
import { findLedgerDifferences } from '../../billing/ledger/index.ts'
import type { Reader } from '../../activities/index.ts'
import { bodyOf } from '../../developers/webhooks/webhook-body.ts'
import { decideTerms } from '../decide-terms.ts'
import { renewDuePools } from '../renew-pools.ts'
import { putPackage, putPool } from '../test-pools.ts'
import { payDueTerms } from './pay-due-terms.ts'
import { payMore } from './pay-term.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const ten = { price_micros: 10_000_000, validity_count: 3, validity_unit: 'day' as const }
const buy = (by: Person, package_id: string, more = {}) => by.call(buyPackage, { body: { package_id, auto_renew: true, ...more } })
const balanceOf = async (by: Person) => (await by.call(getBalance)).body.balance?.balance_micros
const eventsOf = async ({ account_id }: Person) => (await house.events(account_id)).map(({ name }) => name)

async function newBuyer(credits: number) {
  const buyer = await house.newOwner()
  await openBilling(house, buyer.account_id)
  if (credits > 0) await postAll(house, [charging(buyer.account_id, 'credits', credits)])
  return buyer
}

test('a package is paid from the balance and opens a pool, once however often the call is repeated', async () => {
  const buyer = await newBuyer(25_000_000)
  const offered = await putPackage(house, { ...ten, name: 'Week' })
  const input = { body: { package_id: offered, auto_renew: true } }
  const again = { 'idempotency-key': 'once' }
  const bought = await buyer.call(buyPackage, input, again)
  expect(bought).toMatchObject({ status: 200, body: { name: 'Week', state: 'active', price_micros: 10_000_000, auto_renew: true } })
  expect((await buyer.call(buyPackage, input, again)).body.id).toBe(bought.body.id)
  expect(await balanceOf(buyer)).toBe(15_000_000)
  const [charge] = (await buyer.call(listTransactions)).body.items
  expect(charge).toMatchObject({
    type: 'charge',
    sub_type: 'data_pool',
    amount_micros: -10_000_000,
    pool_id: bought.body.id,
    actor: buyer.email,
  })
  expect(await eventsOf(buyer)).toContain('datapools.pool_bought')
  // The second of its name is refused, and costs nothing.
  expect(await buy(buyer, offered)).toMatchObject({ status: 409, body: { code: 'pool_name_taken' } })
  expect(await balanceOf(buyer)).toBe(15_000_000)
})

test('what cannot be bought is refused in words, opens nothing and costs nothing', async () => {
  const buyer = await newBuyer(9_990_000)
  const offered = await putPackage(house, ten)
  expect(await buy(buyer, offered)).toMatchObject({
    status: 409,
    body: { code: 'balance_too_low', detail: 'This costs $10.00 and the balance is $9.99. Add credits first' },
  })
  for (const [changes, code, words] of [
    [{ price_micros: 0 }, 'package_not_sold', /no price/],
    [{ currency: 'EUR', price_micros: 1 }, 'package_not_sold', /priced in EUR, and your balance is in USD/],
    [{ retired_at: house.clock.now() }, 'package_retired', /not offered/],
  ] as const) {
    const refused = await buy(buyer, await putPackage(house, { ...ten, ...changes }))
    expect(refused).toMatchObject({ status: 409, body: { code } })
    expect((refused.body as unknown as { detail: string }).detail).toMatch(words)
  }
  expect(await buy(buyer, 'pkg_none')).toMatchObject({ status: 404 })
  expect(await buy(await house.newOwner(), offered)).toMatchObject({ status: 409, body: { code: 'billing_off' } })
  expect(await balanceOf(buyer)).toBe(9_990_000)
  expect(await house.db.selectFrom('data_pool').select('id').where('account_id', '=', buyer.account_id).execute()).toEqual([])
})

test('the price and the balance are for who reads billing, in a refusal as in what is read of the purchase', async () => {
  const buyer = await newBuyer(15_000_000)
  const offered = await putPackage(house, { ...ten, name: 'Harbour' })
  const shared = ['datapools.view', 'datapools.edit']
  const [plain, billed] = [await house.newMember(buyer, shared), await house.newMember(buyer, [...shared, 'billing.view'])]
  expect((await buy(plain, offered)).status).toBe(200)
  const refusal = async (by: Person) => (await buy(by, offered, { name: 'More' })).body as unknown
  expect(await refusal(plain)).toMatchObject({ code: 'balance_too_low', detail: balanceTooLow.title, message: balanceTooLow.title })
  for (const by of [billed, buyer])
    expect(await refusal(by)).toMatchObject({ detail: 'This costs $10.00 and the balance is $5.00. Add credits first' })
  const read = async (by: Person, permissions: Reader['permissions']) => {
    const listed = (await by.call(listActivities)).body.items.find(({ metadata }) => metadata.action === 'pool_bought')!
    const { text } = await by.call(exportActivities)
    const opened = (await by.call(getActivity, { params: { activity_id: listed.id } })).body
    const sent = {
      account_id: buyer.account_id,
      webhook_id: 'whk_1',
      event_id: listed.id,
      type: 'datapools.pool_bought',
      created_at: house.clock.now(),
    }
    const body = await bodyOf(house.app.db, { account_id: buyer.account_id, permissions, tags: [], own: null }, sent)
    return [JSON.stringify(listed), text, JSON.stringify(opened), body].map((each) => [
      /Bought data pool .{0,40}Harbour/.test(each),
      each.includes('$10.00'),
    ])
  }
  const everywhere = (named: boolean) => Array.from({ length: 4 }, () => [true, named])
  expect(await read(plain, shared)).toEqual(everywhere(false))
  expect(await read(billed, [...shared, 'billing.view'])).toEqual(everywhere(true))
  expect(await read(buyer, 'all')).toEqual(everywhere(true))
})

test('two that are bought at once with credits for one: one is', async () => {
  const buyer = await newBuyer(15_000_000)
  const offered = await putPackage(house, ten)
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => buy(buyer, offered, { name })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await balanceOf(buyer)).toBe(5_000_000)
})

test('what is used and not in the ledger yet buys nothing', async () => {
  const buyer = await newBuyer(15_000_000)
  await house.db.insertInto('charge_account').values({ account_id: buyer.account_id, unsettled_micros: 6_000_000 }).execute()
  const offered = await putPackage(house, ten)
  expect(await buy(buyer, offered)).toMatchObject({
    status: 409,
    body: { code: 'balance_too_low', detail: 'This costs $10.00 and $9.00 of the balance can be spent. Add credits first' },
  })
  await house.db.updateTable('charge_account').set({ unsettled_micros: 5_000_000 }).where('account_id', '=', buyer.account_id).execute()
  expect((await buy(buyer, offered)).status).toBe(200)
})

test('whoever bought a pool gives themselves nothing beyond what the package gives', async () => {
  const buyer = await newBuyer(50_000_000)
  const { body: pool } = await buy(buyer, await putPackage(house, ten))
  const change = (pool_id: string, overage_percent: number) =>
    buyer.call(updateDataPool, { params: { pool_id }, body: { overage_policy: 'percent', overage_percent } })
  const refused = await change(pool.id, 500)
  expect(refused).toMatchObject({ status: 400, body: { fields: { overage_percent: expect.stringContaining('nothing beyond its size') } } })
  expect((await buyer.call(updateDataPool, { params: { pool_id: pool.id }, body: { overage_policy: 'payg' } })).status).toBe(200)
  const more = await putPackage(house, { ...ten, overage_policy: 'percent', overage_percent: 20 })
  const { body: generous } = await buy(buyer, more, { name: 'Generous' })
  expect((await change(generous.id, 21)).status).toBe(400)
  expect((await change(generous.id, 10)).status).toBe(200)
  expect((await change(generous.id, 20)).status).toBe(200)
})

test('each term is paid when it begins, once; where the balance does not cover it the pool ends, and that is an event', async () => {
  const buyer = await newBuyer(25_000_000)
  const { body: pool } = await buy(buyer, await putPackage(house, ten))
  const { body: once } = await buy(buyer, await putPackage(house, { ...ten, price_micros: 1_000_000 }), { auto_renew: false })
  const granted = await house.db.selectFrom('data_pool').select('id').where('bought', '=', false).execute()
  const nextTerm = async () => {
    house.clock.advance({ days: 3 })
    await renewDuePools(house.app)
    for (let i = 0; i < 2; i++) await payDueTerms(house.app)
  }
  await nextTerm()
  expect(await balanceOf(buyer)).toBe(4_000_000)
  const state = async (pool_id: string) => (await buyer.call(getDataPool, { params: { pool_id } })).body.state
  expect([await state(pool.id), await state(once.id)]).toEqual(['active', 'ended'])
  await nextTerm()
  expect(await balanceOf(buyer)).toBe(4_000_000)
  expect(await state(pool.id)).toBe('ended')
  expect((await eventsOf(buyer)).filter((name) => name === 'datapools.pool_unpaid')).toHaveLength(1)
  await house.settle()
  expect((await buyer.call(listAlerts)).body.items.map(({ title }) => title)).toContainEqual(expect.stringMatching(/was not renewed/))
  expect(await house.db.selectFrom('data_pool').select('id').where('bought', '=', false).execute()).toEqual(granted)
  expect(await findLedgerDifferences(house.app.db)).toEqual([])
})

test('nothing is bought for an account that its owner closed: its pool ends with the term', async () => {
  const buyer = await newBuyer(25_000_000)
  const { body: pool } = await buy(buyer, await putPackage(house, ten))
  await house.db
    .updateTable('account')
    .set({ closed_at: house.clock.now(), erase_at: house.clock.now() })
    .where('id', '=', buyer.account_id)
    .execute()
  house.clock.advance({ days: 3 })
  await renewDuePools(house.app)
  await payDueTerms(house.app)
  expect(await balanceOf(buyer)).toBe(15_000_000)
  expect(await house.db.selectFrom('data_pool').select('ended_at').where('id', '=', pool.id).execute()).toEqual([
    { ended_at: new Date(pool.term_end) },
  ])
  expect((await eventsOf(buyer)).at(-1)).toBe('datapools.pool_ended')
})

test('what a pool has in a term is bought once more for the term that runs: its price is taken each time, and the next term is as before', async () => {
  const buyer = await newBuyer(45_000_000)
  const offered = await putPackage(house, { ...ten, name: 'Ferry' })
  const { id: pool_id } = (await buy(buyer, offered)).body
  const params = { pool_id }
  const pool = async () => (await buyer.call(getDataPool, { params })).body
  const term = { account_id: buyer.account_id, pool_id }
  const starts_at = new Date((await pool()).term_start)
  await house.db
    .insertInto('data_pool_counter')
    .values({ ...term, starts_at, part: 0, within_bytes: 1000, over_bytes: 0 })
    .execute()
  await house.db.transaction().execute((tx) => decideTerms(tx, [{ ...term, starts_at }], house.clock.now()))
  expect(await pool()).toMatchObject({ state: 'exhausted', size_bytes: 1000 })
  const again = { 'idempotency-key': 'more' }
  const more = await buyer.call(buyMoreData, { params }, again)
  expect(more).toMatchObject({ status: 200, body: { state: 'active', size_bytes: 2000, remaining_bytes: 1000, unit_bytes: 1000 } })
  expect((await buyer.call(buyMoreData, { params }, again)).status).toBe(200)
  expect(await balanceOf(buyer)).toBe(25_000_000)
  expect((await buyer.call(listTransactions, { query: { pool_id } })).body.items).toMatchObject([
    {
      amount_micros: -10_000_000,
      sub_type: 'data_pool',
      description: expect.stringMatching(/^Data pool Ferry, 1 KB more until /) as string,
    },
    { amount_micros: -10_000_000, sub_type: 'data_pool' },
  ])
  // Two at once are two, and neither takes what the balance does not have.
  const both = await Promise.all([buyer.call(buyMoreData, { params }), buyer.call(buyMoreData, { params })])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(await pool()).toMatchObject({ size_bytes: 4000 })
  expect(await buyer.call(buyMoreData, { params })).toMatchObject({ status: 409, body: { code: 'balance_too_low' } })
  expect(await balanceOf(buyer)).toBe(5_000_000)
  // What is bought in a later month of the term is a cost of that month.
  const { months } = (await buyer.call(getCostSummary, {})).body
  expect(months.at(-1)!.kinds).toEqual([{ kind: 'data_pool', micros: 40_000_000 }])
  await postAll(house, [charging(buyer.account_id, 'for the next month', 10_000_000)])
  const later = { ...term, starts_at }
  const at = new Date(house.clock.now().getTime() + 35 * 86_400_000)
  await house.db.transaction().execute((tx) => payMore(tx, later, { actor: buyer.email, at }))
  const costsOf = async (month: Date) =>
    (await buyer.call(getCostSummary, { query: { month: month.toISOString().slice(0, 7) } })).body.months.at(-1)!.micros
  expect([await costsOf(house.clock.now()), await costsOf(at)]).toEqual([40_000_000, 10_000_000])
  expect((await eventsOf(buyer)).filter((name) => name === 'datapools.pool_bought_more')).toHaveLength(3)
  expect(await findLedgerDifferences(house.app.db)).toEqual([])
  await house.db.updateTable('data_pool_term').set({ ends_at: house.clock.now() }).where('pool_id', '=', pool_id).execute()
  await postAll(house, [charging(buyer.account_id, 'for the next term', 10_000_000)])
  await renewDuePools(house.app)
  expect(await pool()).toMatchObject({ state: 'active', size_bytes: 1000 })
})

test('no more is bought for a pool that staff opened, whose SIMs each bring their own, or that has ended', async () => {
  const buyer = await newBuyer(45_000_000)
  const more = (pool_id: string) => buyer.call(buyMoreData, { params: { pool_id } })
  const [given, grows, over] = [
    await putPool(house, buyer, ten),
    (await buy(buyer, await putPackage(house, { ...ten, kind: 'dynamic', name: 'Grows' }))).body.id,
    (await buy(buyer, await putPackage(house, { ...ten, name: 'Over' }))).body.id,
  ]
  await house.db.updateTable('data_pool').set({ ended_at: house.clock.now() }).where('id', '=', over).execute()
  const before = await balanceOf(buyer)
  expect(await more(given)).toMatchObject({
    status: 409,
    body: { code: 'package_not_sold', detail: 'Your provider opened this data pool: ask them for more data' },
  })
  expect(await more(grows)).toMatchObject({ status: 409, body: { code: 'package_not_sold' } })
  expect(await more(over)).toMatchObject({ status: 409, body: { code: 'pool_ended' } })
  expect(await balanceOf(buyer)).toBe(before)
})
