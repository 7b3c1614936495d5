import { sql } from 'kysely'
import { couponWords, type CouponUse } from '@masthead/contract/billing/coupons/coupon'
import { couponRedeemed } from '@masthead/contract/billing/coupons/events'
import { couponOwn, couponUnknown, couponUsed } from '@masthead/contract/billing/coupons/problems'
import { billingOff } from '@masthead/contract/billing/ledger-problems'
import type { Currency } from '@masthead/contract/billing/money'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { lockBalance } from '../ledger/index.ts'
import { findUse } from './coupon-queries.ts'
import { giveCoupon } from './give-coupon.ts'

/**
 * Once on an account: whoever comes second waits for the balance, then for the coupon, and finds it used. What is wrong with a code is answered with one
 * sentence, so that nobody learns which codes there are. Staff give themselves nothing. Throws billing_off, coupon_unknown, coupon_used, coupon_own.
 */
export async function redeemCoupon(tx: Tx, actor: Actor, code: string): Promise<CouponUse> {
  const { account_id, email, at } = actor
  const account = await lockBalance(tx, account_id)
  if (!account) throw new Problem(billingOff)
  const coupon = await tx.selectFrom('coupon').selectAll().where('code', '=', code).forUpdate().executeTakeFirst()
  if (!coupon || coupon.currency !== account.currency) throw new Problem(couponUnknown)
  const used = await tx
    .selectFrom('coupon_use')
    .select('used_at')
    .where('account_id', '=', account_id)
    .where('coupon_id', '=', coupon.id)
    .executeTakeFirst()
  if (used) throw new Problem(couponUsed)
  const isOver = coupon.ended_at !== null || (coupon.expires_at !== null && coupon.expires_at <= at)
  if (isOver || (coupon.most_uses !== null && coupon.uses >= coupon.most_uses)) throw new Problem(couponUnknown)
  if (coupon.creator_account_id === account_id) throw new Problem(couponOwn)
  await tx
    .updateTable('coupon')
    .set({ uses: sql`uses + 1` })
    .where('id', '=', coupon.id)
    .execute()
  await tx.insertInto('coupon_use').values({ account_id, coupon_id: coupon.id, used_at: at, used_by: email }).execute()
  const gives = couponWords({ ...coupon, currency: coupon.currency as Currency })
  await record(tx, actor, couponRedeemed, { coupon_id: coupon.id, code, gives })
  if (coupon.kind === 'amount')
    await giveCoupon(tx, { account_id, coupon, amount_micros: coupon.amount_micros, actor: email, at, payment_id: null })
  return findUse(tx, account_id, coupon.id)
}
