import { sql } from 'kysely'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import { createCoupon } from '@masthead/contract/backoffice/coupon-operations'
import * as money from '@masthead/contract/backoffice/money-operations'
import { redeemCoupon } from '@masthead/contract/billing/coupons/operations'
import { listDocuments } from '@masthead/contract/billing/invoices/operations'
import * as billing from '@masthead/contract/billing/operations'
import { createTopUp } from '@masthead/contract/billing/top-up-operations'
import { settleCharges } from '../../billing/settling/settle.ts'
import { findLedgerDifferences, proveLedger } from '../../billing/ledger/index.ts'
import { charging, openBilling, postAll } from '../../billing/ledger/test-ledger.ts'
import { checkPayments } from '../../billing/payments/check-payments.ts'
import { newBuyer, openShop, secretKey } from '../../billing/payments/test-buyer.ts'
import { putAssignment, putTariff } from '../../billing/tariffs/test-tariffs.ts'
import { enterStaff, type Staff } from '../test-backoffice.ts'

let shop: Awaited<ReturnType<typeof openShop>>
let staff: Staff
beforeAll(async () => {
  shop = await openShop()
  staff = await enterStaff(shop.house)
})
afterAll(() => shop[Symbol.asyncDispose]())

test('what was bought is paid back to its card by staff: once, with the reason, and no more than is left of it and on the balance', async () => {
  const { house } = shop
  const { person, card_id } = await newBuyer(shop, 'paid-back')
  await person.call(createTopUp, { body: { amount_micros: 50_000_000, card_id } })
  await house.settle()
  await postAll(house, [charging(person.account_id, 'used', -20_000_000)])
  const { body } = await person.call(billing.listTransactions)
  const bought = body.items.find(({ type }) => type === 'credit')!
  const params = { email: person.email, any_transaction_id: bought.id }
  const ask = (amount_micros: number) => staff.call(money.payBack, { params, body: { amount_micros, reason: 'Bought twice' } })
  expect((await ask(30_010_000)).body.detail).toBe('At most $30.00 can be paid back: the rest is spent, or was paid back')
  const used = body.items.find(({ type }) => type === 'charge')!
  const wrong = await staff.call(money.payBack, {
    params: { ...params, any_transaction_id: used.id },
    body: { amount_micros: 10_000, reason: 'Wrong' },
  })
  expect(wrong.status).toBe(404)
  expect((await ask(20_000_000)).body).toEqual({ amount_micros: 20_000_000 })
  expect((await person.call(billing.getBalance)).body.balance).toMatchObject({ reserved_micros: 20_000_000, available_micros: 10_000_000 })
  // What is asked for already is not there twice.
  expect((await ask(10_010_000)).body.code).toBe('not_correctable')
  await Promise.all([house.settle(), house.settle()])
  await house.settle()
  const { body: after } = await person.call(billing.listTransactions)
  expect(
    after.items.filter(({ type }) => type === 'refund').map(({ amount_micros, reason, corrects }) => [amount_micros, reason, corrects])
  ).toEqual([[-20_000_000, 'Bought twice', bought.id]])
  expect((await person.call(billing.getBalance)).body.balance).toMatchObject({ balance_micros: 10_000_000, available_micros: 10_000_000 })
  expect((await ask(10_000_000)).status).toBe(200)
  await house.settle()
  expect((await ask(10_000)).body.detail).toBe('Nothing is left to pay back')
  expect((await proveLedger(house.app)).differences).toEqual([])
})

test('a payment whose bonus is spent is paid back as far as what is left covers both: the bonus goes with it', async () => {
  const { house } = shop
  const { person, card_id } = await newBuyer(shop, 'bonus-back')
  const coupon = { code: 'TWICE-AS-MUCH', kind: 'percent', percent: 100, currency: 'USD', amount_micros: 50_000_000, credit_days: null }
  await staff.call(createCoupon, { body: { ...coupon, expires_at: null, most_uses: null } as never })
  await person.call(redeemCoupon, { body: { code: coupon.code } })
  await person.call(createTopUp, { body: { amount_micros: 50_000_000, card_id } })
  await house.settle()
  // The bonus is spent first.
  await postAll(house, [charging(person.account_id, 'used', -50_000_000)])
  const { body } = await person.call(billing.listTransactions)
  const bought = body.items.find(({ source }) => source === 'card')!
  const params = { email: person.email, any_transaction_id: bought.id }
  const ask = (amount_micros: number) => staff.call(money.payBack, { params, body: { amount_micros, reason: 'They leave' } })
  expect((await ask(50_000_000)).body.detail).toBe('At most $25.00 can be paid back: the rest is spent, or was paid back')
  expect((await ask(10_000_000)).status).toBe(200)
  expect((await ask(15_010_000)).body.detail).toBe('At most $15.00 can be paid back: the rest is spent, or was paid back')
  await house.settle()
  expect((await person.call(billing.getBalance)).body.balance).toMatchObject({ balance_micros: 30_000_000 })
  expect((await ask(15_000_000)).status).toBe(200)
  await house.settle()
  expect((await person.call(billing.getBalance)).body.balance).toMatchObject({ balance_micros: 0 })
  expect((await proveLedger(house.app)).differences).toEqual([])
})

test('what the provider refuses is said, and nothing leaves the balance', async () => {
  const { house } = shop
  const { person, card_id } = await newBuyer(shop, 'refused-back')
  const { body: topUp } = await person.call(createTopUp, { body: { amount_micros: 50_000_000, card_id } })
  await house.settle()
  const { body } = await person.call(billing.listTransactions)
  await house.db.updateTable('top_up').set({ provider_id: 'pi_gone' }).where('id', '=', topUp.id).execute()
  const params = { email: person.email, any_transaction_id: body.items[0]!.id }
  await staff.call(money.payBack, { params, body: { amount_micros: 50_000_000, reason: 'All of it' } })
  await house.settle()
  expect((await house.events(person.account_id)).map(({ name }) => name)).toContain('billing.pay_back_failed')
  expect((await person.call(billing.getBalance)).body.balance).toMatchObject({ balance_micros: 50_000_000 })
})

test('what is paid back at the provider while staff ask for the same is paid back once', async () => {
  const { house, sandbox } = shop
  const { hostname: host, port } = new URL(sandbox.url)
  const provider = new Stripe(secretKey, { host, port, protocol: 'http' })
  const { person, card_id } = await newBuyer(shop, 'paid-back-beside')
  const { body: topUp } = await person.call(createTopUp, { body: { amount_micros: 50_000_000, card_id } })
  await house.settle()
  await postAll(house, [charging(person.account_id, 'used', -30_000_000)])
  const bought = (await person.call(billing.listTransactions)).body.items.find(({ type }) => type === 'credit')!
  const params = { email: person.email, any_transaction_id: bought.id }
  expect((await staff.call(money.payBack, { params, body: { amount_micros: 20_000_000, reason: 'Bought twice' } })).status).toBe(200)
  const { provider_id } = await house.db.selectFrom('top_up').select('provider_id').where('id', '=', topUp.id).executeTakeFirstOrThrow()
  await provider.refunds.create({ payment_intent: provider_id!, amount: 2000 })
  await house.settle()
  const { data } = await provider.refunds.list({ payment_intent: provider_id! })
  expect(data.map(({ amount }) => amount)).toEqual([2000])
  const back = (await person.call(billing.listTransactions)).body.items.filter(({ type }) => type === 'refund')
  // Whoever paid it back there gave no reason to us.
  expect(back.map(({ amount_micros, reason }) => [amount_micros, reason])).toEqual([[-20_000_000, null]])
  expect((await person.call(billing.getBalance)).body.balance).toMatchObject({ balance_micros: 0 })
  const failed = (await house.events(person.account_id)).find(({ name }) => name === 'billing.pay_back_failed')
  expect(failed?.detail).toMatchObject({ failure: 'It was spent meanwhile, or paid back at the card provider: $0.00 of it is left' })
  expect((await proveLedger(house.app)).differences).toEqual([])
})

test('at zero service stops or goes on, as staff say; what is used and not in the ledger yet counts', async () => {
  const { house } = shop
  const person = await house.newOwner('at-zero')
  await openBilling(house, person.account_id)
  await postAll(house, [charging(person.account_id, 'some', 5_000_000)])
  await house.db.insertInto('charge_account').values({ account_id: person.account_id, unsettled_micros: 5_000_001 }).execute()
  await putAssignment(house, person.account_id, await putTariff(house))
  expect((await person.call(billing.getBalance)).body.balance).toMatchObject({
    balance_micros: 5_000_000,
    pending_micros: 5_000_001,
    available_micros: -1,
    at_zero: 'stop',
  })
  await settleCharges(house.app)
  expect((await person.call(getAccount)).body.suspended).toBe(true)
  const body = { at_zero: 'go_on' as const, reason: 'They pay by invoice' }
  expect((await staff.call(money.setAtZero, { params: { email: person.email }, body })).body).toMatchObject({ at_zero: 'go_on' })
  await settleCharges(house.app)
  expect((await person.call(getAccount)).body.suspended).toBe(false)
  const told = (await house.events(person.account_id)).filter(({ name }) => name === 'billing.at_zero_changed')
  await staff.call(money.setAtZero, { params: { email: person.email }, body: { ...body, reason: 'Again' } })
  expect(told).toHaveLength(1)
  expect((await house.events(person.account_id)).filter(({ name }) => name === 'billing.at_zero_changed')).toHaveLength(1)
})

test('tax is added to what the card pays, stands on the receipt and in the ledger, and goes back with what is paid back', async () => {
  const { house } = shop
  const { person, card_id } = await newBuyer(shop, 'taxed')
  const tax = { name: 'VAT', basis_points: 2500 }
  const set = await staff.call(money.setTax, { params: { email: person.email }, body: { tax, reason: 'In Sweden' } })
  expect(set.body).toMatchObject({ tax })
  await person.call(createTopUp, { body: { amount_micros: 50_000_000, card_id } })
  await house.settle()
  const { provider_id } = await house.db
    .selectFrom('top_up')
    .select('provider_id')
    .where('account_id', '=', person.account_id)
    .executeTakeFirstOrThrow()
  const charged = await fetch(`${shop.sandbox.url}/v1/payment_intents/${provider_id}`, { headers: { authorization: 'Bearer sk_test_1' } })
  expect(await charged.json()).toMatchObject({ amount: 6250 })
  const { body } = await person.call(billing.listTransactions)
  expect(body.items.map(({ amount_micros }) => amount_micros)).toEqual([50_000_000])
  await staff.call(money.payBack, {
    params: { email: person.email, any_transaction_id: body.items[0]!.id },
    body: { amount_micros: 20_000_000, reason: 'Too much' },
  })
  await house.settle()
  const { body: documents } = await person.call(listDocuments)
  expect(documents.items.map(({ kind, net_micros, tax_micros }) => [kind, net_micros, tax_micros])).toEqual([
    ['credit_note', -20_000_000, -5_000_000],
    ['receipt', 50_000_000, 12_500_000],
  ])
  expect((await person.call(billing.getBalance)).body.balance).toMatchObject({ balance_micros: 30_000_000 })
  const sums = await house.db
    .selectFrom('ledger_entry')
    .select(({ fn }) => ['ledger_account', fn.sum<string>('amount_micros').as('micros')])
    .where('account_id', '=', person.account_id)
    .groupBy('ledger_account')
    .orderBy('ledger_account')
    .execute()
  expect(sums.map(({ ledger_account, micros }) => [ledger_account, Number(micros)])).toEqual([
    ['cash', -37_500_000],
    ['customer_balance', 30_000_000],
    ['tax', 7_500_000],
  ])
  expect(await findLedgerDifferences(house.app.db)).toEqual([])
})

test('what nobody tries to pay back any more is reserved no longer than a day', async () => {
  const { house } = shop
  const { person, card_id } = await newBuyer(shop, 'stuck-back')
  await person.call(createTopUp, { body: { amount_micros: 50_000_000, card_id } })
  await house.settle()
  const { body } = await person.call(billing.listTransactions)
  const params = { email: person.email, any_transaction_id: body.items[0]!.id }
  await staff.call(money.payBack, { params, body: { amount_micros: 20_000_000, reason: 'Too much' } })
  // As after a process that was killed in the last of its tries.
  await sql`delete from graphile_worker._private_jobs`.execute(house.db)
  const available = async () => (await person.call(billing.getBalance)).body.balance!.available_micros
  await checkPayments(house.app)
  expect(await available()).toBe(30_000_000)
  house.clock.advance({ days: 2 })
  await checkPayments(house.app)
  expect(await available()).toBe(50_000_000)
  expect((await house.events(person.account_id)).map(({ name }) => name)).toContain('billing.pay_back_failed')
})
