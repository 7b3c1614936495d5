import * as z from 'zod/mini'
import { operation } from '../../kernel/operation.ts'
import { page, PageQuery } from '../../kernel/page.ts'
import { tooManyRequests } from '../../kernel/problem.ts'
import { billingOff } from '../ledger-problems.ts'
import { CouponCode, CouponUse } from './coupon.ts'
import { couponOwn, couponUnknown, couponUsed } from './problems.ts'

export const listCouponUses = operation({
  name: 'billing.listCouponUses',
  method: 'GET',
  path: '/billing/coupons',
  summary: 'Coupons that were redeemed, newest first',
  access: 'billing.view',
  query: PageQuery,
  reply: page(CouponUse),
})

/** Once on an account, however often it is pressed. */
export const redeemCoupon = operation({
  name: 'billing.redeemCoupon',
  method: 'POST',
  path: '/billing/coupons',
  summary: 'Redeem a coupon',
  access: 'billing.edit',
  body: z.object({ code: CouponCode }),
  reply: CouponUse,
  problems: [billingOff, couponUnknown, couponUsed, couponOwn, tooManyRequests],
})
