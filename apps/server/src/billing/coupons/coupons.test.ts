import { afterAll, beforeAll, expect, test } from 'vitest'
import * as staffOps from '@masthead/contract/backoffice/coupon-operations'
import * as ops from '@masthead/contract/billing/coupons/operations'
import { getBalance, listTransactions } from '@masthead/contract/billing/operations'
import { createTopUp } from '@masthead/contract/billing/top-up-operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { enterStaff } from '../../backoffice/test-backoffice.ts'
import { openBilling } from '../ledger/test-ledger.ts'
import { proveLedger } from '../ledger/index.ts'
import { settlePayment } from '../payments/settle-payment.ts'
import { newBuyer, openShop, secretKey } from '../payments/test-buyer.ts'

let shop: Awaited<ReturnType<typeof openShop>>
let staff: Awaited<ReturnType<typeof enterStaff>>
beforeAll(async () => {
  shop = await openShop()
  staff = await enterStaff(shop.house)
})
afterAll(() => shop[Symbol.asyncDispose]())

const ten = {
  kind: 'amount' as const,
  currency: 'USD',
  amount_micros: 10_000_000,
  percent: null,
  credit_days: 30,
  expires_at: null,
  most_uses: null,
}
const create = async (code: string, more = {}) => {
  const answer = await staff.call(staffOps.createCoupon, { body: { ...ten, code, ...more } as never })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
type Who = { call: (typeof staff)['call'] }
const redeem = (who: Who, code: string) => who.call(ops.redeemCoupon, { body: { code } })
const balanceOf = async (who: Who) => (await who.call(getBalance)).body.balance!

test('a coupon gives its amount once on an account, also with presses at once, as credits that end', async () => {
  const { house } = shop
  const owner = await house.newOwner()
  expect((await redeem(owner, 'nothing')).body.code).toBe('billing_off')
  await openBilling(house, owner.account_id)
  const coupon = await create('SPRING-1')
  const answers = await Promise.all([1, 2, 3, 4].map(() => redeem(owner, ' spring-1 ')))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  expect((await redeem(owner, 'SPRING-1')).body.code).toBe('coupon_used')
  const balance = await balanceOf(owner)
  expect(balance).toMatchObject({ balance_micros: 10_000_000, granted_micros: 10_000_000, purchased_micros: 0 })
  expect(balance.expiring).toHaveLength(1)
  expect((await owner.call(listTransactions)).body.items).toMatchObject([{ sub_type: 'coupon', description: 'Coupon SPRING-1' }])
  expect((await owner.call(ops.listCouponUses)).body.items).toMatchObject([{ code: 'SPRING-1', given_micros: 10_000_000 }])
  const uses = (await staff.call(staffOps.listUsesOfCoupon, { params: { coupon_id: coupon.id } })).body.items
  expect(uses).toMatchObject([{ account_email: owner.email, given_micros: 10_000_000 }])
  expect((await house.events(owner.account_id)).filter(({ name }) => name === 'billing.coupon_redeemed')).toHaveLength(1)
})

test('staff redeem no coupon of their own making, also under another address', async () => {
  await openBilling(shop.house, staff.account_id)
  const { id } = await create('FOR-OTHERS')
  await shop.house.db.updateTable('person').set({ email: 'moved-on@example.test' }).where('account_id', '=', staff.account_id).execute()
  expect((await redeem(staff, 'FOR-OTHERS')).body.code).toBe('coupon_own')
  await shop.house.db.updateTable('person').set({ email: staff.email }).where('account_id', '=', staff.account_id).execute()
  expect((await redeem(staff, 'FOR-OTHERS')).body.code).toBe('coupon_own')
  expect((await staff.call(staffOps.listUsesOfCoupon, { params: { coupon_id: id } })).body.items).toEqual([])
  const colleague = await enterStaff(shop.house)
  await openBilling(shop.house, colleague.account_id)
  expect((await redeem(colleague, 'FOR-OTHERS')).status).toBe(200)
})

test('ten wrong codes, and an account must wait, also with a right one; right and used ones do not count, others are not held up', async () => {
  const { house } = shop
  const owner = await house.newOwner('guessing')
  await openBilling(house, owner.account_id)
  for (const n of [1, 2, 3, 4]) await create(`RIGHT-${n}`)
  for (const n of [1, 2, 3]) expect((await redeem(owner, `RIGHT-${n}`)).status).toBe(200)
  expect((await redeem(owner, 'RIGHT-1')).body.code).toBe('coupon_used')
  const answers = await Promise.all(Array.from({ length: 14 }, (_, n) => redeem(owner, `WRONG-${n}`)))
  expect(answers.map(({ body }) => body.code).toSorted()).toEqual([
    ...Array.from({ length: 10 }, () => 'coupon_unknown'),
    ...Array.from({ length: 4 }, () => 'too_many_requests'),
  ])
  const refused = await redeem(owner, 'RIGHT-4')
  expect(refused.body).toMatchObject({ code: 'too_many_requests', detail: 'Too many tries. Wait 15 minutes and try again' })
  const other = await house.newOwner('another')
  await openBilling(house, other.account_id)
  expect((await redeem(other, 'RIGHT-4')).status).toBe(200)
  house.clock.advance({ minutes: 16 })
  expect((await redeem(owner, 'RIGHT-4')).status).toBe(200)
})

test('the last use is given once, to whoever comes first', async () => {
  const { house } = shop
  const owners = await Promise.all([1, 2, 3].map(() => house.newOwner()))
  for (const { account_id } of owners) await openBilling(house, account_id)
  await create('ONE-USE', { most_uses: 1 })
  const answers = await Promise.all(owners.map((owner) => redeem(owner, 'ONE-USE')))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const [coupon] = (await staff.call(staffOps.listCoupons)).body.items.filter(({ code }) => code === 'ONE-USE')
  expect(coupon).toMatchObject({ uses: 1, state: 'used_up' })
})

test('a code that is wrong, over, ended or of another currency is refused with one sentence', async () => {
  const { house } = shop
  const owner = await house.newOwner()
  await openBilling(house, owner.account_id)
  await create('IN-EURO', { currency: 'EUR' })
  await create('PAST-ONE', { expires_at: new Date(house.clock.now().getTime() - 1000).toISOString() })
  const ended = await create('ENDED-ONE')
  const params = { coupon_id: ended.id }
  expect((await staff.call(staffOps.endCoupon, { params })).body.state).toBe('ended')
  expect((await staff.call(staffOps.endCoupon, { params })).body.code).toBe('coupon_ended')
  for (const code of ['IN-EURO', 'PAST-ONE', 'ENDED-ONE', 'NOT-THERE'])
    expect((await redeem(owner, code)).body).toMatchObject({ code: 'coupon_unknown' })
  expect((await balanceOf(owner)).balance_micros).toBe(0)
  const taken = await staff.call(staffOps.createCoupon, { body: { ...ten, code: 'ended-one' } as never })
  expect(taken.body).toMatchObject({ code: 'coupon_code_taken' })
  const bare = await staff.call(staffOps.createCoupon, { body: { ...ten, code: 'NO-SHARE', kind: 'percent' } as never })
  expect(bare.body).toMatchObject({ code: 'invalid_request' })
  const log = (await staff.call(listStaffLog)).body.items.map(({ action }) => action)
  expect(log).toContain('backoffice.coupon_withdrawn')
})

test('a bonus waits for the next credits that are bought, and is given with them, once', async () => {
  const { house } = shop
  const { person, card_id } = await newBuyer(shop, 'bonus')
  await create('TEN-PERCENT', { kind: 'percent', percent: 10, amount_micros: 4_000_000, credit_days: null })
  expect((await redeem(person, 'TEN-PERCENT')).body).toMatchObject({ given_micros: null, transaction_id: null })
  expect((await balanceOf(person)).balance_micros).toBe(0)
  for (const expected of [33_000_000, 63_000_000]) {
    await person.call(createTopUp, { body: { amount_micros: 30_000_000, card_id } })
    await house.settle()
    expect((await balanceOf(person)).balance_micros).toBe(expected)
  }
  expect((await person.call(ops.listCouponUses)).body.items).toMatchObject([{ given_micros: 3_000_000 }])
  expect((await proveLedger(house.app)).differences).toEqual([])
})

test('a payment that is paid back, or disputed, takes the same part of its bonus with it, once', async () => {
  const { house } = shop
  const { person, card_id } = await newBuyer(shop, 'returning')
  await create('HALF-MORE', { kind: 'percent', percent: 50, amount_micros: 100_000_000, credit_days: null })
  await redeem(person, 'HALF-MORE')
  const topUp = (await person.call(createTopUp, { body: { amount_micros: 40_000_000, card_id } })).body
  await house.settle()
  expect((await balanceOf(person)).balance_micros).toBe(60_000_000)
  const { provider_id } = await house.db.selectFrom('top_up').select('provider_id').where('id', '=', topUp.id).executeTakeFirstOrThrow()
  for (const [amount, left] of [
    [1000, 45_000_000],
    [3000, 0],
  ] as const) {
    await fetch(`${shop.sandbox.url}/v1/refunds`, {
      method: 'POST',
      body: new URLSearchParams({ payment_intent: provider_id!, amount: String(amount) }),
      headers: { authorization: `Bearer ${secretKey}` },
    })
    await settlePayment(house.app, { provider_id: provider_id! })
    await settlePayment(house.app, { provider_id: provider_id! })
    expect((await balanceOf(person)).balance_micros).toBe(left)
  }
  expect((await proveLedger(house.app)).differences).toEqual([])
})
