import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import * as cards from '@masthead/contract/billing/card-operations'
import * as ops from '@masthead/contract/billing/refill/operations'
import { createTopUp, listTopUps } from '@masthead/contract/billing/top-up-operations'
import { listAlerts } from '@masthead/contract/notifications/operations'
import type { Person } from '@masthead/testkit/house'
import { charging, openBilling, postAll } from '../ledger/test-ledger.ts'
import { findBillingAccount, proveLedger } from '../ledger/index.ts'
import { sendDue } from '../../notifications/send-due.ts'
import { newBuyer, openShop } from '../payments/test-buyer.ts'
import { putAssignment, putTariff } from '../tariffs/test-tariffs.ts'
import { settleCharges } from '../settling/settle.ts'
import { refillBalance } from './refill-balance.ts'

let shop: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const fixed = { is_on: true, mode: 'fixed' as const, below_micros: 50_000_000, amount_micros: 100_000_000, month_limit_micros: 250_000_000 }
const target = {
  ...fixed,
  mode: 'target' as const,
  below_micros: 250_000_000,
  amount_micros: 1_000_000_000,
  month_limit_micros: 2_000_000_000,
}

/** As the product does each second, with all that follows. */
async function watch() {
  await settleCharges(shop.house.app)
  await shop.house.settle()
  await sendDue(shop.house.app)
}
let posted = 0
const move = (person: Person, amount: number) => postAll(shop.house, [charging(person.account_id, `moved ${++posted}`, amount)])
const balanceOf = async ({ account_id }: Person) => (await findBillingAccount(shop.house.app.db, account_id))!.balance_micros
const rulesOf = async (person: Person) => (await person.call(ops.getBalanceRules)).body.rules!
const refills = async (person: Person) =>
  (await person.call(listTopUps)).body.items
    .filter(({ source }) => source === 'auto_refill')
    .map(({ state, amount_micros }) => [state, amount_micros])
const alertsOf = async (person: Person) =>
  (await person.call(listAlerts)).body.items.map(({ title, state, severity }) => [title, state, severity])
const eventsOf = async ({ account_id }: Person, name: string) =>
  (await shop.house.events(account_id)).filter((event) => event.name === name)
const laterBy = (hours: number) => shop.house.clock.advance({ hours })

test('a low balance is notified once for each level, by alert and mail, until there is enough again', async () => {
  const { house } = shop
  const person = await house.newOwner('low')
  expect((await person.call(ops.setBalanceWarnings, { body: { warn_micros: 5_000_000, urgent_micros: null } })).body.code).toBe(
    'billing_off'
  )
  expect((await person.call(ops.getBalanceRules)).body).toEqual({ rules: null })
  await openBilling(house, person.account_id)
  await move(person, 400_000_000)
  const wrong = await person.call(ops.setBalanceWarnings, { body: { warn_micros: 100_000_000, urgent_micros: 300_000_000 } })
  expect(wrong.body.fields).toEqual({ urgent_micros: 'The urgent threshold must be lower than the first' })
  await person.call(ops.setBalanceWarnings, { body: { warn_micros: 300_000_000, urgent_micros: 100_000_000 } })
  await watch()
  expect(await rulesOf(person)).toMatchObject({ level: null, available_micros: 400_000_000 })
  await move(person, -150_000_000)
  await watch()
  await watch()
  expect((await eventsOf(person, 'billing.balance_low')).map(({ detail }) => detail)).toEqual([
    { level: 'warn', threshold: '$300.00', balance: '$250.00' },
  ])
  await move(person, -151_000_000)
  await watch()
  expect(await rulesOf(person)).toMatchObject({ level: 'urgent', available_micros: 99_000_000 })
  expect(await alertsOf(person)).toEqual([['The balance is below $100.00', 'open', 'critical']])
  // It is worse within the hour: notified a second time.
  const subjects = (await house.mails(person.email)).map(({ subject }) => subject).join()
  expect(subjects).toContain('The balance is below $300.00')
  expect(subjects).toContain('The balance is below $100.00')
  // A little better is notified no second time; above both it is over.
  await move(person, 51_000_000)
  await watch()
  expect(await eventsOf(person, 'billing.balance_low')).toHaveLength(2)
  await move(person, 150_000_000)
  await watch()
  expect(await alertsOf(person)).toEqual([['The balance is below $100.00', 'resolved', 'critical']])
})

test('at zero the account says that it is suspended, in the words of the console, and no more once there are credits', async () => {
  const { house } = shop
  const person = await house.newOwner('zero')
  await openBilling(house, person.account_id)
  await house.db.insertInto('charge_account').values({ account_id: person.account_id }).execute()
  await putAssignment(house, person.account_id, await putTariff(house))
  await watch()
  expect((await person.call(getAccount)).body.suspended).toBe(true)
  await move(person, 1_000_000)
  await watch()
  expect((await person.call(getAccount)).body.suspended).toBe(false)
})

test('the same amount each time: never two at once, however often it is looked, and at most so much a month', async () => {
  const { person } = await newBuyer(shop, 'fixed')
  await move(person, 60_000_000)
  await person.call(ops.setRefill, { body: fixed })
  await watch()
  expect(await refills(person)).toEqual([])
  await move(person, -20_000_000)
  // Many look at once, and the job runs again and again.
  await Promise.all([watch(), watch(), watch()])
  await Promise.all([1, 2, 3, 4].map(() => refillBalance(shop.house.app, { account_id: person.account_id })))
  await shop.house.settle()
  expect(await refills(person)).toEqual([['succeeded', 100_000_000]])
  expect(await balanceOf(person)).toBe(140_000_000)
  await move(person, -100_000_000)
  laterBy(1)
  await watch()
  expect(await balanceOf(person)).toBe(140_000_000)
  // A third would be 300 of at most 250: notified once.
  await move(person, -100_000_000)
  for (let i = 0; i < 3; i++) {
    laterBy(1)
    await watch()
  }
  expect(await balanceOf(person)).toBe(40_000_000)
  expect(await eventsOf(person, 'billing.refill_at_limit')).toHaveLength(1)
  expect((await rulesOf(person)).refill).toMatchObject({ month_charged_micros: 200_000_000, card_name: 'Visa ending in 4242' })
  // In the next month there is room again.
  laterBy(31 * 24)
  await watch()
  expect(await balanceOf(person)).toBe(140_000_000)
  expect((await proveLedger(shop.house.app)).differences).toEqual([])
})

test('asked for while the clock was ahead, it is asked for again', async () => {
  const { house } = shop
  const { person } = await newBuyer(shop, 'ahead')
  const { account_id } = person
  await move(person, 40_000_000)
  await person.call(ops.setRefill, { body: fixed })
  const refill_asked_at = new Date(house.clock.now().getTime() + 40 * 86_400_000)
  await house.db.updateTable('balance_rule').set({ refill_asked_at }).where('account_id', '=', account_id).execute()
  await watch()
  expect(await balanceOf(person)).toBe(140_000_000)
})

test('up to a target: what is missing to the cent, counting what is used and not in the ledger yet', async () => {
  const { person } = await newBuyer(shop, 'target')
  await move(person, 251_460_000)
  await shop.house.db.insertInto('charge_account').values({ account_id: person.account_id, unsettled_micros: 2_343_000 }).execute()
  await person.call(ops.setRefill, { body: target })
  await watch()
  // 251.46 − 2.343 = 249.117 can be spent; to 1,000 are missing 750.883, so 750.89.
  expect(await refills(person)).toEqual([['succeeded', 750_890_000]])
  expect(await balanceOf(person)).toBe(1_002_350_000)
})

test('a card that is declined is tried again a day later, three times; then it is off with a reason, by alert and mail, until it is switched on', async () => {
  const { house } = shop
  const { person } = await newBuyer(shop, 'declined', '4000000000000341')
  await person.call(ops.setRefill, { body: fixed })
  for (let i = 1; i <= 3; i++) {
    for (let look = 0; look < 3; look++) {
      await watch()
      laterBy(1)
    }
    expect((await refills(person)).length).toBe(i)
    if (i < 3) expect((await rulesOf(person)).refill).toMatchObject({ is_on: true, failures: i })
    laterBy(24)
  }
  await watch()
  laterBy(100)
  await watch()
  expect(await refills(person)).toEqual(Array.from({ length: 3 }, () => ['failed', 100_000_000]))
  expect((await rulesOf(person)).refill).toMatchObject({
    is_on: false,
    stopped_words: '3 payments in a row failed. Your card was declined.',
  })
  const titles = (await alertsOf(person)).map(([title]) => title)
  expect(titles).toContain('Auto-refill was switched off')
  expect(titles).toContain('Auto-refill could not charge Visa ending in 0341')
  expect((await house.mails(person.email)).filter(({ subject }) => subject.includes('Auto-refill was switched off'))).toHaveLength(1)
  // Tried again by hand it is on, charges at once, and starts anew; twice at once it is one payment.
  const answers = await Promise.all([person.call(ops.retryRefill), person.call(ops.retryRefill)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await eventsOf(person, 'billing.refill_retried')).toHaveLength(1)
  await house.settle()
  await watch()
  expect((await refills(person)).length).toBe(4)
  expect((await rulesOf(person)).refill).toMatchObject({ is_on: true, failures: 1, stopped_words: null })
})

test('what did not fail is not tried again, and without a card it says so', async () => {
  const { house } = shop
  const { person } = await newBuyer(shop, 'fine')
  expect((await person.call(ops.retryRefill)).status).toBe(200)
  expect(await eventsOf(person, 'billing.refill_retried')).toHaveLength(0)
  const none = await house.newOwner('never')
  expect((await none.call(ops.retryRefill)).body.code).toBe('billing_off')
  await openBilling(house, none.account_id)
  expect((await none.call(ops.retryRefill)).body.code).toBe('no_card')
})

test('a card whose bank wants its holder is not charged without them, in words of what to do; credits bought by hand start the count again', async () => {
  const { person, card_id } = await newBuyer(shop, 'asked', '4000002760003184')
  await person.call(ops.setRefill, { body: fixed })
  await watch()
  const { refill } = await rulesOf(person)
  expect(refill).toMatchObject({
    failures: 1,
    last: { state: 'failed', words: expect.stringContaining('Add credits by hand and confirm it there') },
  })
  // By hand it is confirmed.
  const { body } = await person.call(createTopUp, { body: { amount_micros: 20_000_000, card_id } })
  await shop.house.settle()
  const { provider_id } = await shop.house.db.selectFrom('top_up').select('provider_id').where('id', '=', body.id).executeTakeFirstOrThrow()
  // While it is under way nothing is charged by itself.
  laterBy(25)
  await settleCharges(shop.house.app)
  expect((await refills(person)).length).toBe(1)
  await fetch(`${shop.sandbox.url}/authenticate/${provider_id}`, { method: 'POST', body: new URLSearchParams({ agrees: 'true' }) })
  await shop.house.settle()
  laterBy(1)
  await watch()
  expect((await rulesOf(person)).refill).toMatchObject({ is_on: true, failures: 1 })
})

test('without a card it is not switched on; once the last card is removed it ends; a suspended account is not charged', async () => {
  const { house } = shop
  const none = await house.newOwner('cardless')
  await openBilling(house, none.account_id)
  expect((await none.call(ops.setRefill, { body: fixed })).body.code).toBe('no_card')
  const { person, card_id } = await newBuyer(shop, 'removed')
  await house.db.updateTable('account').set({ suspended_at: house.clock.now() }).where('id', '=', person.account_id).execute()
  await person.call(ops.setRefill, { body: fixed })
  await watch()
  expect(await refills(person)).toEqual([])
  await house.db.updateTable('account').set({ suspended_at: null }).where('id', '=', person.account_id).execute()
  await person.call(cards.removeCard, { params: { card_id } })
  await watch()
  expect(await refills(person)).toEqual([])
  expect((await rulesOf(person)).refill).toMatchObject({ is_on: false, stopped_words: 'No card is kept any more that could be charged' })
})

test('once a payment is disputed the card is not charged again by itself: it goes on when somebody switches it on', async () => {
  const { person } = await newBuyer(shop, 'disputed', '4000000000000259')
  await move(person, 40_000_000)
  await person.call(ops.setRefill, { body: fixed })
  for (let day = 0; day < 4; day++) {
    await watch()
    laterBy(25)
  }
  expect(await refills(person)).toEqual([['succeeded', 100_000_000]])
  expect(await balanceOf(person)).toBe(40_000_000)
  expect((await rulesOf(person)).refill).toMatchObject({ is_on: false, stopped_words: expect.stringContaining('disputed') })
  expect(await eventsOf(person, 'billing.refill_stopped')).toHaveLength(1)
})
