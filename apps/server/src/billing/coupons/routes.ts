import * as staffOps from '@masthead/contract/backoffice/coupon-operations'
import * as ops from '@masthead/contract/billing/coupons/operations'
import { logged } from '../../backoffice/index.ts'
import { read, type Route, write } from '../../kernel/http/routes.ts'
import { createCoupon, endCoupon } from './change-coupon.ts'
import { listCoupons, listCouponUses, listUsesOfCoupon } from './coupon-queries.ts'
import { limitWrongCodes } from './limit-wrong-codes.ts'
import { redeemCoupon } from './redeem-coupon.ts'

const staffRoutes: Route[] = [
  read(staffOps.listCoupons, ({ db, actor, query }) => listCoupons(db, actor.at, query)),
  write(staffOps.createCoupon, ({ db, actor, body }) => createCoupon(db, actor, body)),
  write(staffOps.endCoupon, ({ db, actor, params }) => endCoupon(db, actor, params.coupon_id)),
  read(staffOps.listUsesOfCoupon, ({ db, actor, params, query }) => listUsesOfCoupon(db, actor.at, params.coupon_id, query)),
]

export const couponRoutes: Route[] = [
  ...staffRoutes.map(logged),
  read(ops.listCouponUses, ({ db, actor, query }) => listCouponUses(db, actor, query)),
  limitWrongCodes(write(ops.redeemCoupon, ({ db, actor, body }) => redeemCoupon(db, actor, body.code))),
]
