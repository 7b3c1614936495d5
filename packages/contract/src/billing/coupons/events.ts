import * as z from 'zod/mini'
import { event } from '../../kernel/event.ts'

export const couponRedeemed = event({
  name: 'billing.coupon_redeemed',
  refreshes: ['billing', 'backoffice'],
  detail: z.object({ coupon_id: z.string(), code: z.string(), gives: z.string() }),
  sentence: 'Redeemed coupon {code}: {gives}',
})
export const couponBonusGiven = event({
  name: 'billing.coupon_bonus_given',
  refreshes: ['billing', 'backoffice'],
  detail: z.object({ coupon_id: z.string(), code: z.string(), amount: z.string() }),
  sentence: 'Added {amount} of credits, the bonus of coupon {code}',
})
