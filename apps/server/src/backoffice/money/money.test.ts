import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as money from '@masthead/contract/backoffice/money-operations'
import * as billing from '@masthead/contract/billing/operations'
import { newId } from '@masthead/contract/kernel/id'
import { usd, charging, postAll } from '../../billing/ledger/test-ledger.ts'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { enterStaff, type Staff } from '../test-backoffice.ts'

let house: House
let staff: Staff
beforeAll(async () => {
  house = await openHouse()
  staff = await enterStaff(house)
})
afterAll(() => house[Symbol.asyncDispose]())

const on = ({ email }: Pick<Person, 'email'>) => ({ params: { email } })
async function newCustomer(name: string) {
  const customer = await house.newOwner(name)
  expect((await staff.call(money.switchBillingOn, { ...on(customer), body: { currency: usd, reason: 'They signed' } })).status).toBe(200)
  return customer
}
const give = (customer: Person, amount_micros: number) =>
  staff.call(money.giveCredit, { ...on(customer), body: { amount_micros, reason: 'The outage' } })

test('billing is off until staff switch it on, once; what they give, take back and refund the customer reads with the reason', async () => {
  const customer = await house.newOwner('quiet')
  expect((await customer.call(billing.getBalance)).body).toEqual({ balance: null })
  expect((await give(customer, 1_000_000)).body.code).toBe('billing_off')
  const body = { currency: usd, reason: 'They signed' }
  expect((await staff.call(money.switchBillingOn, { ...on(customer), body })).body).toMatchObject({ currency: 'USD', balance_micros: 0 })
  expect((await staff.call(money.switchBillingOn, { ...on(customer), body })).body.code).toBe('billing_on_already')
  const { body: given } = await give(customer, 20_000_000)
  expect(given).toMatchObject({ type: 'credit', amount_micros: 20_000_000, reason: 'The outage', balance_after_micros: 20_000_000 })
  const [charge] = await postAll(house, [charging(customer.account_id, 'data', -6_500_000)])

  const params = { email: customer.email, any_transaction_id: charge!.id }
  const refund = (amount_micros: number) => staff.call(money.refundCharge, { params, body: { amount_micros, reason: 'Twice' } })
  expect((await refund(6_500_001)).body.detail).toBe('At most $6.50 is left to refund')
  expect((await refund(2_000_000)).body).toMatchObject({ type: 'refund', balance_after_micros: 15_500_000, corrects: charge!.id })
  expect((await refund(4_500_001)).body.detail).toBe('At most $4.50 is left to refund')
  expect((await refund(4_500_000)).body).toMatchObject({ balance_after_micros: 20_000_000 })
  expect((await refund(10_000)).body.detail).toBe('It is refunded already')

  const voiding = { params: { email: customer.email, any_transaction_id: given.id }, body: { reason: 'Entered twice' } }
  // 13.50 is left of it; what was refunded is the customer's own.
  expect((await staff.call(money.voidCredit, voiding)).body).toMatchObject({
    type: 'void',
    amount_micros: -13_500_000,
    balance_after_micros: 6_500_000,
  })
  expect((await staff.call(money.voidCredit, voiding)).body.code).toBe('not_correctable')
  expect((await customer.call(billing.getBalance)).body.balance).toMatchObject({
    balance_micros: 6_500_000,
    purchased_micros: 6_500_000,
    granted_micros: 0,
  })

  const { body: list } = await customer.call(billing.listTransactions)
  expect(list.items.map(({ type, reason }) => [type, reason])).toEqual([
    ['void', 'Entered twice'],
    ['refund', 'Twice'],
    ['refund', 'Twice'],
    ['charge', null],
    ['credit', 'The outage'],
  ])
  expect(list.items.at(-1)!.corrected_by).toBe(list.items[0]!.id)
  const told = (await house.events(customer.account_id)).map(({ name }) => name)
  expect(told).toEqual([
    'billing.billing_switched_on',
    'billing.credit_given',
    'billing.charge_refunded',
    'billing.charge_refunded',
    'billing.credit_voided',
  ])
})

test('the list pages by key, by type, amount and data pool; the file has the same lines; another account sees none of it', async () => {
  const [ada, bob] = [await newCustomer('ada'), await newCustomer('bob')]
  await give(ada, 50_000_000)
  await postAll(
    house,
    Array.from({ length: 24 }, (_, i) => charging(ada.account_id, `d${i}`, -1_000_000 - i))
  )
  const first = (await ada.call(billing.listTransactions, { query: { page_size: 10 } })).body
  expect(first).toMatchObject({ total: 25, items: { length: 10 } })
  const second = (await ada.call(billing.listTransactions, { query: { page_size: 10, after: first.next! } })).body
  expect(second.items[0]!.balance_after_micros - first.items[9]!.balance_after_micros).toBe(0 - first.items[9]!.amount_micros)
  expect((await ada.call(billing.listTransactions, { query: { type: ['credit'] } })).body.total).toBe(1)
  const ofAmounts = { least_micros: 1_000_010, most_micros: 1_000_012 }
  const found = (await ada.call(billing.listTransactions, { query: ofAmounts as never })).body
  expect(found.items.map(({ amount_micros }) => amount_micros)).toEqual([-1_000_012, -1_000_011, -1_000_010])
  await postAll(house, [
    charging(ada.account_id, 'pool', -2_000_000, { pool_id: 'pol_1' }),
    charging(ada.account_id, 'two', -2_000_000, { pool_id: 'pol_2' }),
  ])
  const ofPool = (await ada.call(billing.listTransactions, { query: { pool_id: 'pol_1' } })).body
  expect(ofPool).toMatchObject({ total: 1, items: [{ pool_id: 'pol_1' }] })
  const file = (await ada.call(billing.exportTransactions, { query: { pool_id: 'pol_2', ...ofAmounts, most_micros: 9_000_000 } as never }))
    .text
  expect(file.trimEnd().split('\r\n')).toHaveLength(2)
  const lines = (await ada.call(billing.exportTransactions, { query: { type: ['charge'], most_micros: 1_999_999 } as never })).text
    .trimEnd()
    .split('\r\n')
  expect(lines).toHaveLength(25)
  expect((await bob.call(billing.getTransaction, { params: { transaction_id: first.items[0]!.id } })).status).toBe(404)
  expect((await bob.call(billing.listTransactions)).body.items).toEqual([])
})

test('staff see the balance, what was paid and given, and that the books agree', async () => {
  const customer = await newCustomer('seen')
  await give(customer, 8_000_000)
  await postAll(house, [charging(customer.account_id, 'paid', 30_000_000), charging(customer.account_id, 'use', -3_000_000)])
  const { body: check } = await staff.call(money.checkLedger)
  expect(check).toMatchObject({ state: 'waiting' })
  expect((await staff.call(money.getMoney, on(customer))).body.check).toEqual(check)
  expect((await staff.call(money.checkLedger)).body).toEqual(check)
  await house.settle()
  expect((await staff.call(money.getMoney, on(customer))).body).toMatchObject({
    balance: { balance_micros: 35_000_000, granted_micros: 5_000_000, purchased_micros: 30_000_000 },
    paid_in_micros: 30_000_000,
    given_micros: 8_000_000,
    enabled_by: staff.email,
    proof: { found: 0, differences: [] },
    check: null,
  })
  // The customer reads of their own account alone.
  const other = await newCustomer('other')
  const checked = async (of: Person) => (await of.call(billing.getBalance)).body.balance?.checked
  expect(await checked(customer)).toEqual({ at: house.clock.now().toISOString(), differences: 0 })
  const move = (by: number) =>
    sql`update billing_account set balance_micros = balance_micros + ${by} where account_id = ${customer.account_id}`.execute(house.db)
  await move(1)
  await staff.call(money.checkLedger)
  await house.settle()
  // Of the sum of the ledger, and of what is left of credits.
  expect([await checked(customer), await checked(other)]).toMatchObject([{ differences: 2 }, { differences: 0 }])
  await move(-1)
  await staff.call(money.checkLedger)
  await house.settle()
  expect(await checked(customer)).toMatchObject({ differences: 0 })
})

test('staff see payments of one account and of all, those that failed with the reason', async () => {
  const [ada, bob] = [await newCustomer('paying'), await newCustomer('failing')]
  const pay = (of: Person, state: 'succeeded' | 'failed', words: string | null) =>
    house.app.db.transaction().execute((tx) =>
      tx
        .insertInto('top_up')
        .values({
          account_id: of.account_id,
          id: newId({ prefix: 'pay' }),
          state,
          words,
          amount_micros: 25_000_000,
          currency: 'USD',
          source: 'card',
          method_id: 'pm_1',
          card_name: 'Visa ending in 4242',
          client_secret: 'secret',
          begun_by: of.email,
          begun_at: house.clock.now(),
        })
        .execute()
    )
  await pay(ada, 'succeeded', null)
  await pay(bob, 'failed', 'The card has too little money')
  await pay(bob, 'succeeded', null)
  const list = async (query: object) =>
    (await staff.call(money.listPayments, { query })).body.items.map(({ email, state, words, client_secret }) => [
      email,
      state,
      words,
      client_secret,
    ])
  const failed = [bob.email, 'failed', 'The card has too little money', null]
  expect(await list({ email: bob.email })).toEqual([[bob.email, 'succeeded', null, null], failed])
  expect(await list({ state: ['failed'] })).toEqual([failed])
  expect((await list({})).length).toBe(3)
  expect([await list({ source: 'auto_refill' }), await list({ returned: 'refunded' }), await list({ returned: 'disputed' })]).toEqual([
    [],
    [],
    [],
  ])
  const ofAda = house.db.updateTable('top_up').where('account_id', '=', ada.account_id)
  await ofAda.set({ refunded_micros: 5_000_000, source: 'auto_refill' }).execute()
  const paid = [ada.email, 'succeeded', null, null]
  expect([await list({ source: 'auto_refill' }), await list({ returned: 'refunded' }), await list({ returned: 'disputed' })]).toEqual([
    [paid],
    [paid],
    [],
  ])
  await ofAda.set({ disputed_at: house.clock.now() }).execute()
  expect([await list({ source: 'card', returned: 'refunded' }), await list({ returned: 'disputed' })]).toEqual([[], [paid]])
  expect((await staff.call(money.listPayments, { query: { email: 'nobody@example.test' } })).status).toBe(404)
  expect((await ada.call(money.listPayments, {})).status).toBe(403)
})

test('nobody gives to themselves, and not without the permission', async () => {
  expect((await give(staff, 1_000_000)).body.code).toBe('staff_own_account')
  const other = await enterStaff(house, ['backoffice', 'manage_usage'])
  expect((await other.call(money.giveCredit, { ...on(staff), body: { amount_micros: 1_000_000, reason: 'Hello' } })).status).toBe(403)
})
