import { problem } from '../../kernel/problem.ts'

export const couponUnknown = problem({
  code: 'coupon_unknown',
  status: 409,
  title: 'This code cannot be redeemed: it is wrong, has ended, or is used up',
})
export const couponUsed = problem({ code: 'coupon_used', status: 409, title: 'This coupon was redeemed on your account already' })
export const couponOwn = problem({
  code: 'coupon_own',
  status: 409,
  title: 'The owner of this account created this coupon as staff: it is for other accounts',
})
export const couponCodeTaken = problem({ code: 'coupon_code_taken', status: 409, title: 'There is a coupon with this code already' })
export const couponEnded = problem({ code: 'coupon_ended', status: 409, title: 'This coupon has ended already' })
