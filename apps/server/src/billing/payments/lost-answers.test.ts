import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as money from '@masthead/contract/backoffice/money-operations'
import * as billing from '@masthead/contract/billing/operations'
import * as ops from '@masthead/contract/billing/top-up-operations'
import type { Person } from '@masthead/testkit/house'
import { enterStaff } from '../../backoffice/test-backoffice.ts'
import { findLedgerDifferences } from '../ledger/index.ts'
import { charging, postAll } from '../ledger/test-ledger.ts'
import { checkEvents } from './check-events.ts'
import { checkPayments } from './check-payments.ts'
import { settlePayment } from './settle-payment.ts'
import { giveUpTopUp, startTopUp } from './start-top-up.ts'
import { newBuyer, openShop, secretKey } from './test-buyer.ts'

let shop: Awaited<ReturnType<typeof openShop>>
let line: Awaited<ReturnType<typeof openLine>>
let provider: Stripe
beforeAll(async () => {
  shop = await openShop()
  line = await openLine(shop.sandbox.url)
  const { cardProvider } = shop.house.app.config.integrations
  shop.house.app.config.integrations = { ...shop.house.app.config.integrations, cardProvider: { ...cardProvider!, api: line.url } }
  const { hostname: host, port } = new URL(shop.sandbox.url)
  provider = new Stripe(secretKey, { host, port, protocol: 'http' })
})
afterAll(async () => {
  line.close()
  await shop[Symbol.asyncDispose]()
})

/** The way to the provider, on which what was asked arrives and its answer may be lost. */
async function openLine(to: string) {
  const way = { loses: false }
  const server = createServer((asked, answer) => {
    const passed = ask(new URL(asked.url!, to), { method: asked.method, headers: asked.headers }, (given) => {
      if (way.loses) return void given.resume().on('end', () => asked.socket.destroy())
      answer.writeHead(given.statusCode!, given.headers)
      return given.pipe(answer)
    })
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { way, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const balanceOf = async (person: Person) => (await person.call(billing.getBalance)).body.balance!.balance_micros
const stateOf = async (person: Person, top_up_id: string) => (await person.call(ops.getTopUp, { params: { top_up_id } })).body
const buy = async ({ person, card_id }: { person: Person; card_id: string }, amount_micros = 50_000_000) =>
  (await person.call(ops.createTopUp, { body: { amount_micros, card_id } })).body

test('a card that was charged although no answer came back is credited by a look, without a hook; one that was not charged says so', async () => {
  const { house } = shop
  const buyer = await newBuyer(shop, 'unanswered')
  const topUp = await buy(buyer)
  const of = { account_id: buyer.person.account_id, id: topUp.id }
  line.way.loses = true
  await expect(startTopUp(house.app, of)).rejects.toThrow()
  await giveUpTopUp(house.app, of)
  // While nothing answers nothing is known.
  await checkPayments(house.app).catch(() => {})
  line.way.loses = false
  expect(await stateOf(buyer.person, topUp.id)).toMatchObject({
    state: 'failed',
    is_unknown: true,
    words: expect.stringContaining('could not be reached'),
  })
  // The card may be charged: until that is known nobody pays again.
  const again = { body: { amount_micros: 50_000_000, card_id: buyer.card_id } }
  expect(await buyer.person.call(ops.createTopUp, again)).toMatchObject({
    status: 409,
    body: { code: 'top_up_open', detail: expect.stringContaining('do not know yet whether the card was charged') },
  })
  await checkPayments(house.app)
  expect(await stateOf(buyer.person, topUp.id)).toMatchObject({ state: 'succeeded', words: null, is_unknown: false })
  expect(await balanceOf(buyer.person)).toBe(50_000_000)

  const never = await buy(buyer)
  await giveUpTopUp(house.app, { ...of, id: never.id })
  await checkPayments(house.app)
  house.clock.advance({ minutes: 15 })
  await checkPayments(house.app)
  const known = await stateOf(buyer.person, never.id)
  expect(known).toMatchObject({ is_unknown: false, words: expect.stringMatching(/Nothing was charged/) })
  expect(await balanceOf(buyer.person)).toBe(50_000_000)
  expect((await buy(buyer)).state).toBe('preparing')
}, 60_000)

test('of a payment whose refusal was not heard, or whose bank asks still, nothing is charged later, and another may be begun', async () => {
  const { house } = shop
  for (const [name, number] of [
    ['declined', '4000000000000341'],
    ['asked', '4000002760003184'],
  ] as const) {
    const buyer = await newBuyer(shop, name, number)
    const topUp = await buy(buyer)
    const of = { account_id: buyer.person.account_id, id: topUp.id }
    line.way.loses = true
    await expect(startTopUp(house.app, of)).rejects.toThrow()
    line.way.loses = false
    await giveUpTopUp(house.app, of)
    expect(await stateOf(buyer.person, topUp.id)).toMatchObject({ is_unknown: true })
    await checkPayments(house.app)
    expect(await stateOf(buyer.person, topUp.id)).toMatchObject({ state: 'canceled', is_unknown: false })
    expect((await buy(buyer)).state).toBe('preparing')
    expect(await balanceOf(buyer.person)).toBe(0)
  }
}, 60_000)

test('a payment that the provider does not know any more, as after other keys, keeps nobody from buying credits', async () => {
  const { house } = shop
  const buyer = await newBuyer(shop, 'forgotten')
  const topUp = await buy(buyer)
  await house.db.updateTable('top_up').set({ state: 'processing', provider_id: 'pi_forgotten' }).where('id', '=', topUp.id).execute()
  await checkPayments(house.app)
  expect((await stateOf(buyer.person, topUp.id)).state).toBe('processing')
  house.clock.advance({ hours: 25 })
  await checkPayments(house.app)
  expect((await stateOf(buyer.person, topUp.id)).words).toMatch(/does not know this payment/)
  // Nor does one whose last try was killed.
  expect((await buy(buyer)).state).toBe('preparing')
  await house.db.deleteFrom('graphile_worker._private_jobs' as never).execute()
  house.clock.advance({ hours: 25 })
  await checkPayments(house.app)
  house.clock.advance({ minutes: 15 })
  await checkPayments(house.app)
  expect((await buy(buyer)).state).toBe('preparing')
  await house.settle()
  expect(await balanceOf(buyer.person)).toBe(50_000_000)
})

test('a payment that was begun while the clock was ahead is looked for without a hook', async () => {
  const { house } = shop
  const buyer = await newBuyer(shop, 'ahead')
  const { id } = await buy(buyer)
  const { method_id } = await house.db.selectFrom('top_up').select('method_id').where('id', '=', id).executeTakeFirstOrThrow()
  const { id: provider_id } = await provider.paymentIntents.create({ amount: 5000, currency: 'usd' })
  await provider.paymentIntents.confirm(provider_id, { payment_method: method_id })
  const begun_at = new Date(house.clock.now().getTime() + 40 * 86_400_000)
  await house.db.updateTable('top_up').set({ state: 'processing', provider_id, begun_at }).where('id', '=', id).execute()
  await checkPayments(house.app)
  expect(await balanceOf(buyer.person)).toBe(50_000_000)
})

test('a card that the provider does not know any more is said to be one', async () => {
  const { house } = shop
  const buyer = await newBuyer(shop, 'gone-card')
  await house.db.updateTable('card').set({ provider_id: 'pm_gone' }).where('account_id', '=', buyer.person.account_id).execute()
  const { id } = await buy(buyer)
  await house.settle()
  expect(await stateOf(buyer.person, id)).toMatchObject({ state: 'failed', words: expect.stringContaining('does not know this card') })
})

test('refunds and disputes that no hook reported are found, once', async () => {
  const { house } = shop
  const buyer = await newBuyer(shop, 'unanswered')
  const topUp = await buy(buyer)
  await house.settle()
  const { provider_id } = await house.db.selectFrom('top_up').select('provider_id').where('id', '=', topUp.id).executeTakeFirstOrThrow()
  await provider.refunds.create({ payment_intent: provider_id!, amount: 2000 })
  await checkEvents(house.app)
  await checkEvents(house.app)
  await house.settle()
  expect(await balanceOf(buyer.person)).toBe(30_000_000)
  expect((await house.events(buyer.person.account_id)).filter(({ name }) => name === 'billing.payment_refunded')).toHaveLength(1)
})

test('a payment in another currency than the account’s is not credited', async () => {
  const { house } = shop
  const buyer = await newBuyer(shop, 'currency')
  const topUp = await buy(buyer)
  const metadata = { account: buyer.person.account_id, top_up: topUp.id }
  const intent = await provider.paymentIntents.create({ amount: 5000, currency: 'sek', metadata })
  const { method_id } = await house.db.selectFrom('top_up').select('method_id').where('id', '=', topUp.id).executeTakeFirstOrThrow()
  await provider.paymentIntents.confirm(intent.id, { payment_method: method_id })
  await settlePayment(house.app, { provider_id: intent.id })
  expect(await balanceOf(buyer.person)).toBe(0)
  await house.settle()
  expect(await balanceOf(buyer.person)).toBe(50_000_000)
})

test('of two payments no more is paid back at once than is on the balance, and nothing that is used already', async () => {
  const { house } = shop
  const staff = await enterStaff(house)
  const buyer = await newBuyer(shop, 'two-payments')
  for (let i = 0; i < 2; i++) {
    await buy(buyer)
    await house.settle()
  }
  const { account_id, email } = buyer.person
  await postAll(house, [charging(account_id, 'used', -40_000_000)])
  const { body } = await buyer.person.call(billing.listTransactions)
  const bought = body.items.filter(({ type }) => type === 'credit')
  const ask = (of: number, amount_micros: number) =>
    staff.call(money.payBack, { params: { email, any_transaction_id: bought[of]!.id }, body: { amount_micros, reason: 'They leave' } })
  // 100 bought, 40 spent, 10 of what is left is used and not in the ledger yet.
  await house.db.insertInto('charge_account').values({ account_id, unsettled_micros: 10_000_000 }).execute()
  const answers = await Promise.all([ask(0, 50_000_000), ask(1, 50_000_000)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  // What is to be paid back is reserved: it can be spent on nothing else, and is shown so.
  const { balance } = (await buyer.person.call(billing.getBalance)).body
  expect(balance).toMatchObject({ balance_micros: 60_000_000, available_micros: 0 })
  await expect(postAll(house, [charging(account_id, 'pool', -1, { refusable: true })])).rejects.toThrow()
  await house.settle()
  expect(await balanceOf(buyer.person)).toBe(10_000_000)
  expect(await findLedgerDifferences(house.app.db)).toEqual([])
})
