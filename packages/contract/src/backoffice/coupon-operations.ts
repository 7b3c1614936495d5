import * as z from 'zod/mini'
import { Coupon, CouponFields, CouponUse } from '../billing/coupons/coupon.ts'
import { couponCodeTaken, couponEnded } from '../billing/coupons/problems.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'

export const listCoupons = operation({
  name: 'backoffice.listCoupons',
  method: 'GET',
  path: '/backoffice/coupons',
  summary: 'Coupons, newest first',
  access: 'manage_billing',
  query: PageQuery,
  reply: page(Coupon),
})

export const createCoupon = operation({
  name: 'backoffice.createCoupon',
  method: 'POST',
  path: '/backoffice/coupons',
  summary: 'Create a coupon',
  access: 'manage_billing',
  body: CouponFields,
  reply: Coupon,
  problems: [couponCodeTaken],
})

/** What was redeemed stays. */
export const endCoupon = operation({
  name: 'backoffice.endCoupon',
  method: 'POST',
  path: '/backoffice/coupons/{coupon_id}/end',
  summary: 'End a coupon, so that nobody redeems it any more',
  access: 'manage_billing',
  reply: Coupon,
  problems: [notFound, couponEnded],
})

export const listUsesOfCoupon = operation({
  name: 'backoffice.listUsesOfCoupon',
  method: 'GET',
  path: '/backoffice/coupons/{coupon_id}/uses',
  summary: 'Which accounts redeemed a coupon, newest first',
  access: 'manage_billing',
  query: PageQuery,
  reply: page(z.extend(CouponUse, { account_email: z.string(), team_name: z.string() })),
  problems: [notFound],
})
