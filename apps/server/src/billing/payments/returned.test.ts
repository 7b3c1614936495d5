import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as coupons from '@masthead/contract/backoffice/coupon-operations'
import * as money from '@masthead/contract/backoffice/money-operations'
import { redeemCoupon } from '@masthead/contract/billing/coupons/operations'
import { listDocuments } from '@masthead/contract/billing/invoices/operations'
import * as billing from '@masthead/contract/billing/operations'
import * as ops from '@masthead/contract/billing/top-up-operations'
import type { Person } from '@masthead/testkit/house'
import { enterStaff, type Staff } from '../../backoffice/test-backoffice.ts'
import { proveLedger } from '../ledger/index.ts'
import { charging, postAll } from '../ledger/test-ledger.ts'
import { checkEvents } from './check-events.ts'
import { settlePayment } from './settle-payment.ts'
import { newBuyer, openShop, secretKey, webhookSecret } from './test-buyer.ts'

const disputes = '4000000000000259'
const refundsFail = '4000000000005126'

let shop: Awaited<ReturnType<typeof openShop>>
let staff: Staff
let provider: Stripe
let line: Awaited<ReturnType<typeof openLine>>
beforeAll(async () => {
  shop = await openShop()
  const { house, sandbox } = shop
  staff = await enterStaff(house)
  line = await openLine(sandbox.url)
  const { cardProvider } = house.app.config.integrations
  house.app.config.integrations = { ...house.app.config.integrations, cardProvider: { ...cardProvider!, api: line.url } }
  const { hostname: host, port } = new URL(sandbox.url)
  provider = new Stripe(secretKey, { host, port, protocol: 'http' })
  const body = { code: 'MORE-THEN', kind: 'percent', percent: 50, amount_micros: 100_000_000, currency: 'USD' }
  const rest = { credit_days: null, expires_at: null, most_uses: null }
  expect((await staff.call(coupons.createCoupon, { body: { ...body, ...rest } as never })).status).toBe(200)
})
afterAll(async () => {
  line.close()
  await shop[Symbol.asyncDispose]()
})

/** The way to the provider, on which one answer about refunds can be held up. */
async function openLine(to: string) {
  const way: { held: Promise<unknown> | null } = { held: null }
  const server = createServer((asked, answer) => {
    const passed = ask(new URL(asked.url!, to), { method: asked.method, headers: asked.headers }, async (given) => {
      const { held } = way
      if (asked.method === 'GET' && asked.url!.startsWith('/v1/refunds')) {
        way.held = null
        const chunks = await given.toArray()
        await held
        answer.writeHead(given.statusCode!, given.headers)
        return answer.end(Buffer.concat(chunks as Buffer[]))
      }
      answer.writeHead(given.statusCode!, given.headers)
      return given.pipe(answer)
    })
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { way, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const balanceOf = async (person: Person) => (await person.call(billing.getBalance)).body.balance!.balance_micros
const eventsOf = async (person: Person, name: string) => (await shop.house.events(person.account_id)).filter((event) => event.name === name)
async function bought({ person, card_id }: { person: Person; card_id: string }) {
  const { body } = await person.call(ops.createTopUp, { body: { amount_micros: 50_000_000, card_id } })
  await shop.house.settle()
  const row = await shop.house.db.selectFrom('top_up').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
  return row.provider_id!
}
const tell = async (type: string, object: object) => {
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
  const signature = await new Stripe('sk_test_x').webhooks.generateTestHeaderStringAsync({ payload, secret: webhookSecret })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  const { statusCode } = await shop.house.server.inject({ method: 'POST', url: '/hooks/stripe', headers, payload })
  expect(statusCode).toBe(204)
}
const failed = async (id: string) => {
  while ((await provider.refunds.retrieve(id)).status !== 'failed') await pause(50)
}

test('a dispute that is won gives the credits and their bonus again, once, reported twice and at once; then it can be paid back', async () => {
  const { house } = shop
  const buyer = await newBuyer(shop, 'right', disputes)
  const { person } = buyer
  await person.call(redeemCoupon, { body: { code: 'MORE-THEN' } })
  const payment_intent = await bought(buyer)
  expect(await balanceOf(person)).toBe(0)
  const [dispute] = (await provider.disputes.list({ payment_intent })).data
  await provider.disputes.update(dispute!.id, { evidence: { uncategorized_text: 'winning_evidence' }, submit: true })
  const told = { id: dispute!.id, object: 'dispute', payment_intent }
  await Promise.all([
    tell('charge.dispute.closed', told),
    tell('charge.dispute.funds_reinstated', told),
    tell('charge.dispute.created', told),
  ])
  await Promise.all([house.settle(), house.settle()])
  await checkEvents(house.app)
  expect(await balanceOf(person)).toBe(75_000_000)
  expect(await eventsOf(person, 'billing.dispute_won')).toMatchObject([{ detail: { amount: '$50.00' } }])
  const lines = (await person.call(billing.listTransactions)).body.items
  expect(lines.find(({ description }) => description.startsWith('Dispute won'))).toMatchObject({ amount_micros: 50_000_000 })
  expect((await proveLedger(house.app)).differences).toEqual([])

  const credit = lines.find(({ type, sub_type }) => type === 'credit' && sub_type === 'topup')!
  const params = { email: person.email, any_transaction_id: credit.id }
  const { status } = await staff.call(money.payBack, { params, body: { amount_micros: 50_000_000, reason: 'They leave' } })
  expect(status).toBe(200)
  await house.settle()
  expect(await balanceOf(person)).toBe(0)
  expect((await proveLedger(house.app)).differences).toEqual([])
})

test('a dispute that is lost leaves all as it is; refunded in part before, only the rest was taken, and comes again', async () => {
  const { house } = shop
  const lost = await newBuyer(shop, 'wrong', disputes)
  const payment_intent = await bought(lost)
  const [dispute] = (await provider.disputes.list({ payment_intent })).data
  await provider.disputes.close(dispute!.id)
  await checkEvents(house.app)
  expect(await balanceOf(lost.person)).toBe(0)

  const part = await newBuyer(shop, 'in-part', disputes)
  const intent = await bought(part)
  await provider.refunds.create({ payment_intent: intent, amount: 2000 })
  await settlePayment(house.app, { provider_id: intent })
  expect(await balanceOf(part.person)).toBe(0)
  const [other] = (await provider.disputes.list({ payment_intent: intent })).data
  await provider.disputes.update(other!.id, { evidence: { uncategorized_text: 'winning_evidence' }, submit: true })
  await checkEvents(house.app)
  await checkEvents(house.app)
  expect(await balanceOf(part.person)).toBe(30_000_000)
  expect((await proveLedger(house.app)).differences).toEqual([])
})

test('a refund that fails later gives the credits again, once, found by a look alone, with a receipt; again refunded it is taken again', async () => {
  const { house } = shop
  const buyer = await newBuyer(shop, 'bounced', refundsFail)
  const { person } = buyer
  const payment_intent = await bought(buyer)
  for (const amount of [2000, 5000]) {
    const refund = await provider.refunds.create({ payment_intent, amount })
    await checkEvents(house.app)
    expect(await balanceOf(person)).toBe(50_000_000 - amount * 10_000)
    await failed(refund.id)
    await checkEvents(house.app)
    await checkEvents(house.app)
    await house.settle()
    expect(await balanceOf(person)).toBe(50_000_000)
  }
  expect(await eventsOf(person, 'billing.refund_returned')).toHaveLength(2)
  const titles = (await person.call(listDocuments)).body.items.map(({ title, total_micros }) => [
    title.replace(/CN-[\d-]+/, 'CN'),
    total_micros,
  ])
  expect(titles).toContainEqual(['For CN, not paid back to Visa ending in 5126', 20_000_000])
  expect((await proveLedger(house.app)).differences).toEqual([])
}, 30_000)

test('a refund takes from all credits of its payment before it takes from credits that were given', async () => {
  const { house } = shop
  const buyer = await newBuyer(shop, 'in-two', refundsFail)
  const { account_id } = buyer.person
  const payment_intent = await bought(buyer)
  const bounced = await provider.refunds.create({ payment_intent, amount: 2000 })
  await checkEvents(house.app)
  await failed(bounced.id)
  await checkEvents(house.app)
  const grant = { kind: 'granted' as const }
  await postAll(house, [charging(account_id, 'gift', 10_000_000, { sub_type: 'grant', against: 'granted', grant })])
  const left = async () =>
    (
      await house.db
        .selectFrom('ledger_grant')
        .select(['kind', 'remaining_micros'])
        .where('account_id', '=', account_id)
        .orderBy('transaction_id')
        .execute()
    ).map(({ kind, remaining_micros }) => [kind, remaining_micros])
  const given = ['granted', 10_000_000]
  expect(await left()).toEqual([['purchased', 30_000_000], ['purchased', 20_000_000], given])
  await provider.refunds.create({ payment_intent, amount: 4000 })
  await checkEvents(house.app)
  expect(await left()).toEqual([['purchased', 0], ['purchased', 10_000_000], given])
  expect((await proveLedger(house.app)).differences).toEqual([])
}, 30_000)

test('what staff asked to be paid back is shown as failed; an older answer that comes after a newer one changes nothing', async () => {
  const { house } = shop
  const buyer = await newBuyer(shop, 'overtaken', refundsFail)
  const { person } = buyer
  const payment_intent = await bought(buyer)
  const credit = (await person.call(billing.listTransactions)).body.items[0]!
  const params = { email: person.email, any_transaction_id: credit.id }
  await staff.call(money.payBack, { params, body: { amount_micros: 20_000_000, reason: 'Bought twice' } })
  await house.settle()
  expect(await balanceOf(person)).toBe(30_000_000)
  await failed((await provider.refunds.list({ payment_intent })).data[0]!.id)
  await settlePayment(house.app, { provider_id: payment_intent })
  expect(await balanceOf(person)).toBe(50_000_000)
  const { state } = await house.db
    .selectFrom('pay_back')
    .select('state')
    .where('account_id', '=', person.account_id)
    .executeTakeFirstOrThrow()
  expect(state).toBe('failed')

  const refund = await provider.refunds.create({ payment_intent, amount: 1000 })
  const release = Promise.withResolvers()
  line.way.held = release.promise
  const older = settlePayment(house.app, { provider_id: payment_intent })
  while (line.way.held !== null) await pause(10)
  await failed(refund.id)
  await settlePayment(house.app, { provider_id: payment_intent })
  release.resolve(null)
  await older
  expect(await balanceOf(person)).toBe(50_000_000)
  expect((await proveLedger(house.app)).differences).toEqual([])
}, 30_000)
