import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as billing from '@masthead/contract/billing/operations'
import * as ops from '@masthead/contract/billing/top-up-operations'
import type { Sandbox } from '@masthead/card-sandbox/start-sandbox'
import type { House, Person } from '@masthead/testkit/house'
import { proveLedger } from '../ledger/index.ts'
import { openBilling } from '../ledger/test-ledger.ts'
import { checkPayments } from './check-payments.ts'
import { newBuyer as buyerOf, openShop, postHook, secretKey } from './test-buyer.ts'

let shop: Awaited<ReturnType<typeof openShop>>
let house: House
let sandbox: Sandbox
let provider: Stripe
beforeAll(async () => {
  shop = await openShop()
  ;({ house, sandbox } = shop)
  const { hostname: host, port } = new URL(sandbox.url)
  provider = new Stripe(secretKey, { host, port, protocol: 'http' })
})
afterAll(() => shop[Symbol.asyncDispose]())

const newBuyer = (name: string, number: string) => buyerOf(shop, name, number)
/** What the holder answers their bank. */
const agree = (id: string, agrees = true) =>
  fetch(`${sandbox.url}/authenticate/${id}`, { method: 'POST', body: new URLSearchParams({ agrees: String(agrees) }) })

const buy = async ({ person, card_id }: { person: Person; card_id: string }, amount_micros = 50_000_000) => {
  const { body } = await person.call(ops.createTopUp, { body: { amount_micros, card_id } })
  return body
}
const stateOf = async (person: Person, top_up_id: string) => (await person.call(ops.getTopUp, { params: { top_up_id } })).body
const balanceOf = async (person: Person) => (await person.call(billing.getBalance)).body.balance!.balance_micros
const intentOf = async (id: string) =>
  (await house.db.selectFrom('top_up').select('provider_id').where('id', '=', id).executeTakeFirstOrThrow()).provider_id!
const linesOf = async (person: Person) =>
  (await person.call(billing.listTransactions)).body.items.map((line) => [line.type, line.amount_micros])

const post = (event: object, secret?: string) => postHook(house, event, secret)
const paid = (id: string) => ({ type: 'payment_intent.succeeded', data: { object: { id, object: 'payment_intent' } } })
const refunded = (payment_intent: string) => ({
  type: 'charge.refunded',
  data: { object: { id: 'ch_1', object: 'charge', payment_intent } },
})

test('credits are bought with a kept card, and credited once: by the job, and by the hook twice and at once', async () => {
  const buyer = await newBuyer('buyer', '4242424242424242')
  const topUp = await buy(buyer)
  expect(topUp).toMatchObject({ state: 'preparing', client_secret: null })
  await house.settle()
  expect(await stateOf(buyer.person, topUp.id)).toMatchObject({ state: 'succeeded', client_secret: null, words: null })
  const intent = await intentOf(topUp.id)
  await Promise.all([post(paid(intent)), post(paid(intent)), post(paid(intent))])
  await Promise.all([house.settle(), house.settle()])
  expect(await linesOf(buyer.person)).toEqual([['credit', 50_000_000]])
  expect(await balanceOf(buyer.person)).toBe(50_000_000)
  const events = (await house.events(buyer.person.account_id)).filter(({ name }) => name === 'billing.credits_bought')
  expect(events).toMatchObject([{ actor_email: buyer.person.email, detail: { amount: '$50.00', payment_method: 'Visa ending in 4242' } }])
})

test('two windows at once: one payment is begun, the other hears that it is under way', async () => {
  const buyer = await newBuyer('twice', '4242424242424242')
  const asked = await Promise.all([buy(buyer), buy(buyer), buy(buyer)])
  expect(asked.filter(({ code }) => code === 'top_up_open')).toHaveLength(2)
  await house.settle()
  expect(await balanceOf(buyer.person)).toBe(50_000_000)
  const [again] = [await buy(buyer, 10_000_000)]
  await house.settle()
  expect((await stateOf(buyer.person, again!.id)).state).toBe('succeeded')
  expect(await balanceOf(buyer.person)).toBe(60_000_000)
})

test.each([
  ['4000000000000341', 'Your card was declined.'],
  ['4000008260003178', 'Your card has insufficient funds.'],
  // Declined once its bank has agreed.
  ['4000008400001629', 'Your card was declined.'],
])('a card that is declined when it is charged (%s) says why in the provider’s words, and charges nothing', async (number, words) => {
  const buyer = await newBuyer(`declined ${number.slice(-4)}`, number)
  const { id } = await buy(buyer)
  await house.settle()
  if ((await stateOf(buyer.person, id)).state === 'requires_action') {
    await agree(await intentOf(id))
    await buyer.person.call(ops.finishTopUp, { params: { top_up_id: id } })
    await house.settle()
  }
  expect(await stateOf(buyer.person, id)).toMatchObject({ state: 'failed', words })
  expect(await linesOf(buyer.person)).toEqual([])
})

test('the bank asks: agreed, it is credited by a look without anybody saying so; refused, or given up, nothing is', async () => {
  const buyer = await newBuyer('bank', '4000002760003184')
  const first = await buy(buyer)
  await house.settle()
  expect(await stateOf(buyer.person, first.id)).toMatchObject({
    state: 'requires_action',
    client_secret: expect.stringContaining('_secret_'),
  })
  const params = { top_up_id: first.id }
  // Nobody answered yet: it is as it was.
  await buyer.person.call(ops.finishTopUp, { params })
  await house.settle()
  expect((await stateOf(buyer.person, first.id)).state).toBe('requires_action')
  await agree(await intentOf(first.id))
  house.clock.advance({ minutes: 1 })
  await checkPayments(house.app)
  expect((await stateOf(buyer.person, first.id)).state).toBe('succeeded')

  const second = await buy(buyer)
  await house.settle()
  await agree(await intentOf(second.id), false)
  await buyer.person.call(ops.finishTopUp, { params: { top_up_id: second.id } })
  await house.settle()
  expect(await stateOf(buyer.person, second.id)).toMatchObject({
    state: 'failed',
    words: expect.stringContaining('unable to authenticate'),
  })

  const third = await buy(buyer)
  await house.settle()
  await buyer.person.call(ops.cancelTopUp, { params: { top_up_id: third.id } })
  await house.settle()
  expect((await stateOf(buyer.person, third.id)).state).toBe('canceled')
  expect(await balanceOf(buyer.person)).toBe(50_000_000)
})

test('where the provider’s script does not come the bank asks on a page of its own, which leads back', async () => {
  const buyer = await newBuyer('hosted', '4000002760003184')
  const buyHosted = async () => {
    const { body } = await buyer.person.call(ops.createTopUp, {
      body: { amount_micros: 50_000_000, card_id: buyer.card_id, hosted: true },
    })
    await house.settle()
    return stateOf(buyer.person, body.id)
  }
  const answer = async ({ id, hosted_url }: { id: string; hosted_url: string | null }, agrees: boolean) => {
    const { origin, pathname, searchParams } = new URL(hosted_url!)
    expect(origin).toBe(sandbox.url)
    expect(searchParams.get('return_url')).toMatch(new RegExp(`^http.*/billing/addcredits\\?top_up=${id}$`))
    await fetch(origin + pathname, { method: 'POST', body: new URLSearchParams({ agrees: String(agrees) }) })
    await buyer.person.call(ops.finishTopUp, { params: { top_up_id: id } })
    await house.settle()
    return stateOf(buyer.person, id)
  }
  const first = await buyHosted()
  expect(first.state).toBe('requires_action')
  expect((await buyer.person.call(ops.listTopUps)).body.items).toMatchObject([{ id: first.id, hosted_url: null }])
  expect(await answer(first, false)).toMatchObject({ state: 'failed', hosted_url: null })
  expect(await answer(await buyHosted(), true)).toMatchObject({ state: 'succeeded', hosted_url: null })
  expect(await balanceOf(buyer.person)).toBe(50_000_000)
})

test('what is not signed by the provider is not looked at; of another’s payment nothing is credited', async () => {
  const buyer = await newBuyer('forged', '4242424242424242')
  const foreign = await provider.paymentIntents.create({ amount: 5000, currency: 'usd', payment_method: 'pm_none' }).catch(() => null)
  expect(foreign).toBeNull()
  const stranger = await provider.paymentIntents.create({ amount: 5000, currency: 'usd' })
  expect((await post(paid(stranger.id), 'whsec_other')).statusCode).toBe(400)
  expect((await post(paid(stranger.id))).statusCode).toBe(204)
  expect((await post(paid('pi_none'))).statusCode).toBe(204)
  await house.settle()
  expect(await linesOf(buyer.person)).toEqual([])
})

test('the hook comes before we know the payment’s id: it is found by ours; a refund that is heard of first changes nothing', async () => {
  const buyer = await newBuyer('early', '4242424242424242')
  const topUp = await buy(buyer)
  await house.settle()
  const intent = await intentOf(topUp.id)
  // As if the process had died between charging and keeping the id.
  const other = await newBuyer('lost', '4242424242424242')
  const lost = await buy(other)
  const row = await house.db.selectFrom('top_up').selectAll().where('id', '=', lost.id).executeTakeFirstOrThrow()
  const { provider_id: customer } = await house.db
    .selectFrom('card_customer')
    .select('provider_id')
    .where('account_id', '=', row.account_id)
    .executeTakeFirstOrThrow()
  const made = await provider.paymentIntents.create({
    amount: 5000,
    currency: 'usd',
    customer,
    payment_method: row.method_id,
    confirm: true,
    metadata: { account: row.account_id, top_up: row.id },
  })
  await house.db.updateTable('top_up').set({ state: 'failed' }).where('id', '=', lost.id).execute()
  await post(refunded(made.id))
  await post(paid(made.id))
  await house.settle()
  expect((await stateOf(other.person, lost.id)).state).toBe('succeeded')
  expect(await linesOf(other.person)).toEqual([['credit', 50_000_000]])
  expect(intent).not.toBe(made.id)
})

test('refunds at the provider and a dispute take back what was paid, once each, also below zero', async () => {
  const buyer = await newBuyer('refunded', '4242424242424242')
  const topUp = await buy(buyer)
  await house.settle()
  const intent = await intentOf(topUp.id)
  await provider.refunds.create({ payment_intent: intent, amount: 2000 })
  await Promise.all([post(refunded(intent)), post(refunded(intent))])
  await house.settle()
  await provider.refunds.create({ payment_intent: intent })
  await post(refunded(intent))
  await post(paid(intent))
  await house.settle()
  expect(await linesOf(buyer.person)).toEqual([
    ['refund', -30_000_000],
    ['refund', -20_000_000],
    ['credit', 50_000_000],
  ])
  const disputing = await newBuyer('disputing', '4000000000000259')
  const bad = await buy(disputing)
  await house.settle()
  expect(await linesOf(disputing.person)).toEqual([
    ['adjustment', -50_000_000],
    ['credit', 50_000_000],
  ])
  expect((await stateOf(disputing.person, bad.id)).disputed_at).not.toBeNull()
  expect((await proveLedger(house.app)).differences).toEqual([])
})

test('the provider is away: the purchase is tried again and fails in words; nobody of another account sees it', async () => {
  const buyer = await newBuyer('away', '4242424242424242')
  const topUp = await buy(buyer)
  const bob = await house.newOwner('bob')
  expect((await bob.call(ops.getTopUp, { params: { top_up_id: topUp.id } })).status).toBe(404)
  expect((await bob.call(ops.createTopUp, { body: { amount_micros: 50_000_000, card_id: buyer.card_id } })).body.code).toBe('billing_off')
  await openBilling(house, bob.account_id)
  expect((await bob.call(ops.createTopUp, { body: { amount_micros: 50_000_000, card_id: buyer.card_id } })).status).toBe(404)
  const { integrations } = house.app.config
  house.app.config.integrations = { ...integrations, cardProvider: null }
  try {
    await house.settle()
  } finally {
    house.app.config.integrations = integrations
  }
  expect(await stateOf(buyer.person, topUp.id)).toMatchObject({ state: 'failed', words: 'This installation takes no cards' })
})
